import Books
import Contract
import Database
import Formats
import Queries
import Store
import System

/// Changes of an edited table.
struct SheetChanges {
    /// The last value of a field wins.
    private var places: [Place: Int] = [:]
    private(set) var all: [EditRequest.Change] = []
    private var entries: Set<Int64> = []
    private var libraries: Set<String> = []
    /// The editions that get ISBNs.
    private var isbns: [String: Int64] = [:]
    var unknown: [SheetReport.UnknownRow] = []
    var mistakes: [SheetReport.Mistake] = []

    private struct Place: Hashable {
        var field: EditableField
        var row: Int64
    }

    /// Rejects an ISBN that another edition has, or gets in this table.
    mutating func check(isbn values: [String], ofEdition edition: Int64, in connection: Connection)
        throws(ETLError)
    {
        try EditableBook.checkISBN(values, ofEdition: edition, in: connection)
        guard let isbn = values.first else { return }
        if let other = isbns.updateValue(edition, forKey: isbn), other != edition {
            throw ETLError(
                .usage, "Another row of the table has the ISBN \(isbn).",
                advice: "Keep the right one of them.")
        }
    }

    var books: Int { entries.count }
    /// The library of all changed entries; nil if there are several.
    var library: String? { libraries.count == 1 ? libraries.first : nil }

    mutating func add(_ change: EditRequest.Change, ofEntry entry: Int64, in library: String) {
        entries.insert(entry)
        libraries.insert(library)
        let place = Place(field: change.field, row: change.row)
        if let index = places[place] {
            all[index] = change
        } else {
            places[place] = all.count
            all.append(change)
        }
    }
}

/// Compares the cells of an edited table with the store.
///
/// A cell that says the same in another spelling is not a change: spreadsheets rewrite numbers and dates.
struct SheetReader {
    private let connection: Connection
    private let header: [String: Int]
    private let fields: [(column: String, index: Int)]
    private let row: Statement
    private let isRemoved: Statement
    private let authors: ContributorReader

    /// The stored columns: those of the entry, then those of the edition and of the work.
    private static let stored = EditableField.allCases.filter { $0.column != nil && $0.isSettable }

    init(_ columns: [String], in connection: Connection) throws(ETLError) {
        self.connection = connection
        var header: [String: Int] = [:]
        for (index, name) in columns.enumerated() where header[name.lowercased()] == nil {
            header[name.lowercased()] = index
        }
        self.header = header
        fields = Self.columns.compactMap { name in header[name.lowercased()].map { (name, $0) } }
        let list = Self.stored.map { "\(["w", "d", "e"][Int($0.part.rawValue)]).\($0.column ?? "")" }
        row = try connection.query(
            """
            SELECT e.edition, d.work, d.lineage, \(list.joined(separator: ", ")) FROM entries e
            JOIN editions d ON d.id = e.edition JOIN works w ON w.id = d.work WHERE e.id = ?1
            """)
        isRemoved = try connection.query("SELECT 1 FROM removed_entries WHERE id = ?1")
        authors = try ContributorReader(connection)
    }

    /// The columns of an export of books whose cells can be edited.
    private static let columns =
        [
            "isbn13", "workTitle", "title", "subtitle", "authors", "series", "publisher", "publishedDate",
            "firstPublicationYear", "pageCount", "format", "language", "categories", "description",
            "coverUrl",
            "rating", "shelf", "shelves", "dateRead", "dateAdded", "readCount", "ownedCopies", "review",
            "notes",
            "dateStarted",
        ] + EditableField.copyDetails.map(\.name)

    private func cell(_ name: String, of row: EditedTable.Row) -> String {
        header[name.lowercased()].map { row.cells[$0] } ?? ""
    }

    /// Library, format and source id of a row's entry.
    func name(of row: EditedTable.Row) -> EntryName {
        EntryName(
            library: cell("library", of: row), formatName: cell("sourceFormat", of: row),
            sourceID: cell("sourceId", of: row))
    }

    /// Adds a row's changes.
    ///
    /// - Parameter entry: The entry that its name leads to, if any.
    func compare(
        _ edited: EditedTable.Row, with entry: Int64?, into changes: inout SheetChanges
    ) throws(ETLError) {
        let name = name(of: edited)
        row.bind(1, entry)
        defer { row.reset() }
        guard let entry, try row.next() else {
            isRemoved.bind(1, entry)
            defer { isRemoved.reset() }
            changes.unknown.append(
                .init(
                    row: edited.number, title: cell("title", of: edited),
                    id: "\(name.library)/\(name.formatName)/\(name.sourceID)", isRemoved: try isRemoved.next()
                ))
            return
        }
        let (edition, work) = (row.integer(0), row.integer(1))
        let isAssumed = Lineage(decoding: row.bytes(2)).origin(of: .format)?.rule == .assumed
        for (column, index) in fields {
            let text = edited.cells[index].replacing("\r\n", with: "\n")
            for field in targets(of: column, isCleared: text.isEmpty) {
                let before = field == .format && isAssumed ? [] : try values(of: field, work: work)
                guard !Self.isSame(text, before, field) else { continue }
                do throws(ETLError) {
                    let values = try field.values(of: Self.respelled(text, field))
                    guard values != before else { continue }
                    let id = [work, edition, entry][Int(field.part.rawValue)]
                    if field == .isbn { try changes.check(isbn: values, ofEdition: id, in: connection) }
                    changes.add(
                        .init(field, ofRow: id, .set(values)), ofEntry: entry, in: name.library)
                } catch {
                    changes.mistakes.append(
                        .init(
                            row: edited.number, column: column,
                            message: error.sentences))
                }
            }
        }
    }

    /// The fields that a column shows. Some columns show the work's value if the edition has none. An emptied
    /// cell empties both.
    private func targets(of column: String, isCleared: Bool) -> [EditableField] {
        func shown(_ edition: EditableField, _ work: EditableField) -> [EditableField] {
            let hasOwn = stored(edition) != nil
            if isCleared, stored(edition) != nil, stored(work) != nil { return [edition, work] }
            if hasOwn { return [edition] }
            return stored(work) != nil ? [work] : [edition]
        }
        switch column {
        case "workTitle": return [.title]
        // The work's title has its own column, so it is not emptied here.
        case "title": return stored(.editionTitle) != nil ? [.editionTitle] : isCleared ? [] : [.title]
        case "subtitle": return stored(.editionTitle) != nil ? [.editionSubtitle] : [.subtitle]
        case "description": return shown(.editionDescription, .description)
        case "coverUrl": return shown(.editionCover, .workCover)
        default: return EditableField(named: column).map { [$0] } ?? []
        }
    }

    private func stored(_ field: EditableField) -> String? {
        guard let index = Self.stored.firstIndex(of: field) else { return nil }
        return row.optionalString(Int32(index) + 3).flatMap { $0.isEmpty ? nil : $0 }
    }

    private func values(of field: EditableField, work: Int64) throws(ETLError) -> [String] {
        if field == .authors { return try authors.authors(of: work).map(\.name) }
        return stored(field).map { field.values(ofStored: $0) } ?? []
    }

    // MARK: Spellings

    /// Whether a cell has the stored value.
    private static func isSame(_ text: String, _ values: [String], _ field: EditableField) -> Bool {
        let shown = values.joined(separator: "; ").replacing("\r\n", with: "\n")
        if trimmed(text) == trimmed(shown) { return true }
        // Exports show covers in another size than they are stored in.
        if field == .editionCover || field == .workCover { return trimmed(text) == CoverAddress.shown(shown) }
        if field == .isbn { return EditableField.isSpelling(text, ofISBN: shown) }
        if let number = Double(text.replacing(",", with: ".")), let known = Double(shown) {
            return number == known
        }
        guard field.isDate else { return false }
        return dates(text).contains(shown)
    }

    /// A date in the store's spelling, if the cell has only one reading; other texts as they are.
    private static func respelled(_ text: String, _ field: EditableField) -> String {
        if field == .rating { return text.replacing(",", with: ".") }
        let readings = field.isDate ? dates(text) : []
        return readings.count == 1 ? readings[0] : text
    }

    private static func dates(_ text: String) -> [String] {
        let readings = [DateOrder.dayFirst, .monthFirst].compactMap { CalendarDate(text, $0)?.description }
        return readings.first == readings.last ? Array(readings.prefix(1)) : readings
    }

    private static func trimmed(_ text: String) -> Substring {
        var text = text[...]
        while text.first?.isWhitespace == true { text.removeFirst() }
        while text.last?.isWhitespace == true { text.removeLast() }
        return text
    }
}

extension EditableField {
    fileprivate var isDate: Bool { [.dateRead, .dateAdded, .dateStarted, .publicationDate].contains(self) }
}
