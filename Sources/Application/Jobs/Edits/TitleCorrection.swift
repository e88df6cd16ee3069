import Books
import Database
import Store
import System

/// The rows that a change of a book's `title` is about: those that have the title that the user sees.
///
/// A book is shown under the title of its edition, so that a change of the work's title alone would not be seen
/// (Decision 0041).
struct TitleCorrection {
    private let work: Int64
    /// Editions that have the work's title.
    private var agreeing: [Int64] = []
    /// The edition at hand, if it has another title than the work: a translation's.
    private var translated: Int64?

    /// - Parameters:
    ///   - book: The book.
    ///   - fields: All fields that are changed. If the edition's title is named, too, `title` means the work's alone.
    ///   - connection: A store opened for reading.
    /// - Throws: `.usage` if the book has several editions with other titles and none is named.
    init(
        _ book: EditableBook, _ fields: [EditableField], in connection: Connection
    ) throws(ETLError) {
        work = book.work
        guard fields.contains(.title), !fields.contains(.editionTitle) else { return }
        let list = book.editions.map { "\($0)" }.joined(separator: ", ")
        let read = try connection.query(
            """
            SELECT d.id, d.title, w.title FROM editions d JOIN works w ON w.id = d.work
            WHERE d.id IN (\(list)) AND d.title IS NOT NULL ORDER BY d.id
            """)
        var hasOthers = false
        while try read.next() {
            let (edition, own) = (read.optionalString(1), read.optionalString(2))
            if own == nil || ShownTitle(edition: edition, work: own).original != nil {
                hasOthers = true
            } else {
                agreeing.append(read.integer(0))
            }
        }
        if agreeing.isEmpty, hasOthers { translated = try book.row(of: .editionTitle) }
    }

    /// What an action changes.
    ///
    /// The title of a translation is corrected without the title of the original. A lock keeps both, and removing it
    /// removes both.
    func changes(for action: EditRequest.Action) -> [EditRequest.Change] {
        let ofWork = EditRequest.Change(.title, ofRow: work, action)
        if let translated {
            let shown = EditRequest.Change(.editionTitle, ofRow: translated, action)
            if case .set = action { return [shown] }
            return [ofWork, shown]
        }
        return [ofWork] + agreeing.map { EditRequest.Change(.editionTitle, ofRow: $0, action) }
    }
}
