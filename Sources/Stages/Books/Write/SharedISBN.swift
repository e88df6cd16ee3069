import Bytes
import Database

/// Finds stored books that have a record's ISBN but are certainly other books (``BookContradiction``).
///
/// One of the two rows has a wrong ISBN. Neither shows which, so the later one becomes a book of its own.
struct SharedISBN {
    let tables: LibraryTables

    /// The title of a stored edition's book if the record's row names another one: another title and other people,
    /// or another volume or book of its author.
    func otherBook(
        than number: Int, in batch: ResultBatchView, edition: Int64, work: Int64
    ) throws(SQLiteError) -> String? {
        // A draft is large, so only the fields needed are read from the batch.
        let title = batch.bytes(of: batch.drafts[number].entry.title)
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
                if Self.isSpelledAlike(title, first) || Self.isSpelledAlike(title, second) { return true }
                titles = [first, second].filter { !$0.isEmpty }.map { String(decoding: $0, as: UTF8.self) }
                titles = titles.deduplicated
                return false
            }
        }
        guard !isSame, let first = titles.first else { return nil }
        try tables.new.flush(batch)
        let people = try WorkWriter(tables: tables).names(ofContributorsTo: work)
        let name = String(decoding: title, as: UTF8.self)
        let author = batch.string(batch.drafts[number].entry.author)
        let own = BookContradiction(title: name, people: author.isEmpty ? [] : [author])
        if own.isUnrelated(toTitles: titles, people: people) { return first }
        guard !author.isEmpty else { return nil }
        // Which of the two titles is the longer one does not matter: a row can come first.
        let isOther =
            own.verdict(onTitles: titles.map { ($0, "") }, people: people) == .contradicted
            || titles.allSatisfy {
                BookContradiction(title: $0, people: people).verdict(onTitles: [(name, "")], people: [author])
                    == .contradicted
            }
        return isOther ? first : nil
    }

    /// Whether two titles differ in case, accents and punctuation only.
    private static func isSpelledAlike(
        _ title: UnsafeRawBufferPointer, _ other: UnsafeRawBufferPointer
    ) -> Bool {
        var (own, theirs): ([UInt8], [UInt8]) = ([], [])
        Folding.fold(title, into: &own)
        Folding.fold(other, into: &theirs)
        return !own.isEmpty && own == theirs
    }
}
