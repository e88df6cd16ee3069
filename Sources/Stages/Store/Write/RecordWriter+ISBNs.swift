import Books
import Database
import System

/// Identification of a record by its ISBNs.
extension RecordWriter {
    /// Stored editions with a record's ISBNs.
    struct FoundByISBN {
        /// In the order of the ISBNs.
        var editions: [RecordIdentity.Edition] = []
        /// The title of a book with one of the ISBNs that is certainly another one (``SharedISBN``). Its edition is
        /// not used.
        var other: String?
    }

    func editionsFound(
        byISBNsOf number: Int, in batch: ResultBatchView
    ) throws(ETLError) -> FoundByISBN {
        var found = FoundByISBN()
        for index in batch.rows[number].isbns {
            guard let id = try tables.indexes.isbns.value(of: batch.isbns[index]),
                !found.editions.contains(where: { $0.id == id }), let work = try editions.work(of: id, batch)
            else { continue }
            if let other = try shared.otherBook(than: number, in: batch, edition: id, work: work) {
                found.other = found.other ?? other
            } else {
                found.editions.append(.init(id: id, work: work))
            }
        }
        return found
    }

    func sharedISBN(of number: Int, in batch: ResultBatchView, _ other: String) -> Warning {
        let isbn = batch.rows[number].isbns.first.map { ISBN(unchecked: batch.isbns[$0]).isbn13 } ?? ""
        return Warning(
            .isbnOtherBook, value: isbn,
            message:
                "Another row has this ISBN for \u{201C}\(other)\u{201D}. This row was stored as a separate book."
        )
    }

    /// Whether the record has ISBNs, and none of them is the edition's.
    func isAboutOtherISBN(
        than edition: Int64, _ number: Int, _ batch: ResultBatchView
    ) throws(ETLError) -> Bool {
        guard batch.rows[number].hasISBN else { return false }
        let stored = try editions.isbns(of: edition, batch).list
        return !batch.rows[number].isbns.contains {
            stored.contains(ISBN(unchecked: batch.isbns[$0]).isbn13)
        }
    }

    /// Whether the record's ISBN, which no edition has, belongs to another edition than the entry's.
    func isAboutOtherEdition(
        than edition: Int64, _ number: Int, _ batch: ResultBatchView
    ) throws(ETLError) -> Bool {
        guard batch.rows[number].hasISBN else { return false }
        let stored = try editions.isbns(of: edition, batch)
        let areUsers = if case .entry = stored.origin { true } else { false }
        return RecordIdentity.isOtherEdition(
            isbns: batch.rows[number].isbns.map { ISBN(unchecked: batch.isbns[$0]).isbn13 },
            isISBNMatch: batch.rows[number].isISBNMatch, stored: stored.list, areUsers: areUsers)
    }
}
