/// What of a stored entry outlasts a record whose own cells cannot be read: a spreadsheet saved `########` for a date,
/// and the date that is known stays. An empty cell is another matter: it says that there is nothing any more.
struct PreservedValues {
    /// A bit for each of ``EntryDraft/readersColumns`` that stays.
    let columns: Int64
    /// The record's cells, with the stored ones in the places of those that cannot be read.
    let cells: UnsafeRawBufferPointer

    /// All that a record says replaces what is stored.
    init(nothingOf entry: EntryDraft, _ batch: BorrowedResults) {
        columns = 0
        cells = batch.bytes(of: entry.cells)
    }

    /// - Parameters:
    ///   - stored: What is stored of the entry.
    ///   - scratch: Keeps the cells while the batch is written.
    init(
        _ stored: StoredCells, of entry: EntryDraft, _ batch: BorrowedResults, layout: EntryLayout,
        scratch: ScratchBytes
    ) {
        columns = EntryDraft.mask { entry.unreadable.contains($0) }
        var staying: [Int: [UInt8]] = [:]
        for field in LibraryField.allCases where entry.unreadable.contains(field) {
            if let column = layout.columns[field] { staying[column] = stored.cell(field, in: layout) }
        }
        let own = batch.bytes(of: entry.cells)
        cells =
            staying.isEmpty
            ? own : scratch.keep { PackedCells.append(own, replacing: staying, to: &$0) }
    }
}
