import Database
import System

/// Writes completely new records. Their rows are in the batch's image, complete except for their authors.
/// Most records of a first import are like this.
struct NewRecordWriter {
    private let tables: LibraryTables
    private let authors: AuthorWriter

    init(tables: LibraryTables) {
        self.tables = tables
        authors = AuthorWriter(tables: tables)
    }

    /// - Parameters:
    ///   - number: Index of the record's prepared row.
    ///   - entry: The position of its new entry in the index.
    /// - Returns: False, without doing anything, if the record's rows are not in the image or something of it
    ///   is stored: an edition with its ISBN or title, a work with its key, a candidate.
    func write(_ number: Int, of batch: ResultBatchView, entry: KeyIndex.Place) throws(ETLError)
        -> Bool
    {
        guard tables.new.canTake(number, of: batch) else { return false }
        let indexes = tables.indexes
        for index in batch.rows[number].isbns
        where try indexes.isbns.value(of: batch.isbns[index]) != nil { return false }
        var title: KeyIndex.Place?
        if let key = batch.rows[number].titleKey {
            title = try indexes.editions.place(of: key)
            guard title?.row == nil else { return false }
        }
        var work: KeyIndex.Place?
        if let key = batch.rows[number].openLibraryKey {
            work = try indexes.works.place(of: key)
            guard work?.row == nil else { return false }
        }
        guard let answers = try newAnswers(of: number, in: batch) else { return false }

        let row = batch.row(of: number)
        indexes.entries.insertRecent(batch.rows[number].entry.key, row: row, at: entry)
        for index in batch.rows[number].isbns { indexes.isbns.insertRecent(batch.isbns[index], row) }
        if let title, let key = batch.rows[number].titleKey {
            indexes.editions.insertRecent(key, row: row, at: title)
        }
        if let work, let key = batch.rows[number].openLibraryKey {
            indexes.works.insertRecent(key, row: row, at: work)
        }
        for (place, candidate) in zip(answers, batch.rows[number].candidates) {
            let id = CandidateIDs.id(row: row, number: candidate - batch.rows[number].candidates.lowerBound)
            indexes.candidates.insertRecent(batch.candidates[candidate].place, row: id, at: place)
        }
        for index in batch.rows[number].authors {
            tables.new.set(
                author: try authors.write(index, of: batch).id, at: batch.authors[index].authorPlaceholder)
        }
        tables.new.take(number, of: batch)
        return true
    }

    /// The positions of the record's candidates in the index; nil if one of them is stored.
    private func newAnswers(
        of number: Int, in batch: ResultBatchView
    ) throws(ETLError) -> [KeyIndex.Place]? {
        let candidates = batch.rows[number].candidates
        var places: [KeyIndex.Place] = []
        for index in candidates {
            let key = batch.candidates[index].place
            let place = try tables.indexes.candidates.place(of: key)
            guard place.row == nil,
                !batch.candidates[candidates.lowerBound..<index].contains(where: { $0.place == key })
            else { return nil }
            places.append(place)
        }
        return places
    }
}
