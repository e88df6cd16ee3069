import Books
import Bytes
import Database
import System

/// Finds stored books that have a record's ISBN but are certainly other books (``BookContradiction``).
///
/// One of the two rows has a wrong ISBN. Neither shows which, so the later one becomes a separate book.
final class SharedISBN {
    private let tables: LibraryTables
    /// Whether a row is about another book than a stored one, by all that this depends on. Books repeat, and so do the
    /// ways to spell them.
    private var verdicts: [TextKey: Bool] = [:]
    /// Verdicts that are kept, of 32 bytes each.
    private static let maxVerdicts = 1 << 14

    init(tables: LibraryTables) { self.tables = tables }

    /// The title of a stored edition's book if the record's row names another one: another title and other people,
    /// or another volume or book of its author.
    func otherBook(
        than number: Int, in batch: ResultBatchView, edition: Int64, work: Int64
    ) throws(ETLError) -> String? {
        // A prepared row is large, so only the fields needed are read from the batch.
        let title = batch.bytes(of: batch.rows[number].entry.title)
        guard !title.isEmpty, let edition = try tables.books.edition(edition, batch),
            let stored = try tables.books.work(work, batch)
        else { return nil }
        let ofWork = Int(WorkColumns.index[Int(Field.title.rawValue)])
        let ofEdition = Int(EditionColumns.index[Int(Field.editionTitle.rawValue)])
        var titles: [String] = []
        let isSame = stored.texts.withColumns { work in
            edition.texts.withColumns { columns in
                let (first, second) = (work[ofWork], columns[ofEdition])
                // Nearly always. Taking titles apart is a hundred times slower, and books repeat.
                if first.elementsEqual(title) || second.elementsEqual(title) { return true }
                if Self.isSpelledAlike(title, first, second) { return true }
                titles = [first, second].filter { !$0.isEmpty }.map { String(decoding: $0, as: UTF8.self) }
                titles = titles.deduplicated
                return false
            }
        }
        guard !isSame, let first = titles.first else { return nil }
        try tables.new.settle(work: work, batch)
        let people = try WorkWriter(tables: tables).names(ofContributorsTo: work)
        let row = (
            title: String(decoding: title, as: UTF8.self),
            author: batch.string(batch.rows[number].entry.author)
        )
        return isOther(row, titles, people) ? first : nil
    }

    private func isOther(
        _ row: (title: String, author: String), _ titles: [String], _ people: [String]
    ) -> Bool {
        var facts: [UInt8] = []
        for text in [row.title, row.author, "\(titles.count)"] + titles + people {
            Varint.append(UInt64(text.utf8.count), to: &facts)
            facts.append(contentsOf: text.utf8)
        }
        let key = facts.withUnsafeBytes { TextKey($0) }
        if let known = verdicts[key] { return known }
        let own = BookContradiction(title: row.title, people: row.author.isEmpty ? [] : [row.author])
        // Which of the two titles is the longer one does not matter: a row can come first.
        let isOther =
            own.isOther(thanTitles: titles, people: people)
            || !row.author.isEmpty
                && titles.allSatisfy {
                    BookContradiction(title: $0, people: people)
                        .verdict(onTitles: [(row.title, "")], people: [row.author]) == .contradicted
                }
        if verdicts.count == Self.maxVerdicts { verdicts.removeAll(keepingCapacity: true) }
        verdicts[key] = isOther
        return isOther
    }

    /// Whether a title differs from one of two others in case, accents and punctuation only.
    private static func isSpelledAlike(
        _ title: UnsafeRawBufferPointer, _ others: UnsafeRawBufferPointer...
    ) -> Bool {
        var own: [UInt8] = []
        Folding.fold(title, into: &own)
        guard !own.isEmpty else { return false }
        return others.contains { other in
            var theirs: [UInt8] = []
            Folding.fold(other, into: &theirs)
            return own == theirs
        }
    }
}
