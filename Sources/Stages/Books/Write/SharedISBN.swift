import Bytes
import Database

/// Finds stored books that have a record's ISBN but are certainly other books (``BookContradiction``).
///
/// One of the two rows has a wrong ISBN. Neither shows which, so the later one becomes a book of its own.
struct SharedISBN {
    let tables: LibraryTables

    /// The title of a stored edition's book if the record's row names another title and other people.
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
                // Nearly always.
                if work[ofWork].elementsEqual(title) || columns[ofEdition].elementsEqual(title) {
                    return true
                }
                titles = [work[ofWork], columns[ofEdition]].filter { !$0.isEmpty }.map {
                    String(decoding: $0, as: UTF8.self)
                }
                return false
            }
        }
        guard !isSame, let first = titles.first else { return nil }
        try tables.new.flush(batch)
        let people = try WorkWriter(tables: tables).names(ofContributorsTo: work)
        let author = batch.string(batch.drafts[number].entry.author)
        let contradiction = BookContradiction(
            title: String(decoding: title, as: UTF8.self), people: author.isEmpty ? [] : [author])
        return contradiction.isUnrelated(toTitles: titles, people: people) ? first : nil
    }
}
