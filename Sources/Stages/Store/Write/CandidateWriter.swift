import Books
import Database
import System

/// Stores each candidate once. One whose content has changed is replaced.
struct CandidateWriter {
    let tables: LibraryTables

    /// - Parameter prepared: Index of the record's prepared row.
    /// - Returns: The rows of its candidates.
    func write(of prepared: Int, in batch: ResultBatchView) throws(ETLError) -> [Int64] {
        var ids: [Int64] = []
        for number in batch.rows[prepared].candidates {
            let key = batch.candidates[number].place
            let place = try tables.indexes.candidates.place(of: key)
            if let id = place.row {
                try refresh(id, number, of: batch)
                ids.append(id)
                continue
            }
            let id = CandidateIDs.id(row: batch.row(of: prepared), number: ids.count)
            tables.indexes.candidates.insertRecent(key, row: id, at: place)
            tables.new.append(NewCandidate(id: id, number: number))
            ids.append(id)
        }
        return ids
    }

    private func refresh(_ id: Int64, _ number: Int, of batch: ResultBatchView) throws(ETLError) {
        try tables.new.settle(candidate: id, batch)
        let read = tables.readCandidateBody
        read.bind(1, id)
        guard try read.next() else { return }
        let body = batch.bytes(of: batch.candidates[number].body)
        let isSame = read.withBytes(0) { $0.elementsEqual(body) }
        read.reset()
        guard !isSame else { return }
        tables.updateCandidate.bind(1, id)
        tables.updateCandidate.bind(2, blobInPlace: body)
        try tables.updateCandidate.run()
    }
}

/// A new row of the table `candidates`.
struct NewCandidate: AppendedRow {
    static let columns = ["id", "provider", "record", "match", "body"]

    let id: Int64
    /// Index of the candidate among those of the batch.
    let number: Int

    func put<Row: RowValues & ~Copyable>(into row: inout Row, from batch: ResultBatchView) {
        let candidate = batch.candidates[number]
        row.add(Int64(candidate.provider.rawValue))
        row.add(text: batch.bytes(of: candidate.record))
        row.add(Int64(candidate.match.rawValue))
        row.add(blob: batch.bytes(of: candidate.body))
    }
}
