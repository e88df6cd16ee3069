import Books
import System

/// Records of books of which a library can have several copies.
extension RecordWriter {
    /// Writes a record whose key is known: its entry, or that of another copy of its book.
    ///
    /// - Parameters:
    ///   - stored: The entry with the key; nil if the user has removed it.
    ///   - row: The row of that entry.
    ///   - sourceID: The text that the key is made of.
    func write(
        _ number: Int, of batch: ResultBatchView, asCopyOf stored: StoredEntry?, row: Int64,
        sourceID: UnsafeRawBufferPointer, layout: EntryLayout, addingTo warnings: inout [PreparedWarning]
    ) throws(ETLError) -> (outcome: RecordOutcome, entry: Int64) {
        if let stored {
            var isSettled =
                !layout.columns.listsCopies || stored.contentHash == batch.rows[number].entry.contentHash
            if !isSettled { isSettled = try isSuperseded(number, of: batch, by: stored) }
            if isSettled {
                return try write(number, of: batch, onto: stored, layout: layout, addingTo: &warnings)
            }
        }
        let place = try copies.place(
            of: number, in: batch, besides: stored, row: row, sourceID: sourceID, layout: layout, by: finder)
        switch place {
        case .stored(let copy):
            return try write(number, of: batch, onto: copy, layout: layout, addingTo: &warnings)
        case .new(let name):
            let entry = try create(
                number, of: batch, as: name, layout: layout, edition: stored?.edition, addingTo: &warnings)
            return (.created, entry)
        case .removed(let row):
            let title = batch.string(batch.rows[number].entry.title)
            warnings.append(
                PreparedWarning(row: number, number: 0, warning: Warning(.staysRemoved, value: title)))
            return (.duplicate, row)
        }
    }
}
