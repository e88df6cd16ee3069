import Database

/// A row in a ``RowCache``.
protocol CachedRow {
    /// Approximate bytes of memory.
    var byteCount: Int { get }
}

/// A write-back cache of the rows of a table, by row id, in bounded memory: rows that were read, and changed
/// rows that are not on disk yet.
///
/// Rows in use stay: once the newer part is full it becomes the older part, whose rows return to the newer one
/// when they are read, and the previous older part is dropped. Changed rows stay until they are written, all
/// at once in the order of their ids, which is the order of their pages. They may use half of the memory, because the
/// more of them are written at once, the fewer pages are written for each.
struct RowCache<Row: CachedRow> {
    private var newer = Part()
    private var older = Part()
    private var changed = Part()
    private let bytes: Int

    /// - Parameter bytes: Maximum memory of the three parts together.
    init(bytes: Int) { self.bytes = bytes }

    private struct Part {
        /// The index of a row in `rows`, plus 1.
        private var places = MemTable()
        /// In the order in which they were added; nil where a row was removed.
        private(set) var rows: [(id: Int64, row: Row?)] = []
        private(set) var bytes = 0

        private func place(of id: Int64) -> Int? {
            places.value(of: UInt64(bitPattern: id)).map { Int($0) - 1 }
        }

        func row(_ id: Int64) -> Row? { place(of: id).flatMap { rows[$0].row } }

        mutating func set(_ id: Int64, _ row: Row?) {
            bytes += row?.byteCount ?? 0
            if let place = place(of: id) {
                bytes -= rows[place].row?.byteCount ?? 0
                rows[place].row = row
            } else {
                bytes += MemoryLayout<(Int64, Row?)>.stride + 32
                rows.append((id, row))
                places.insert(UInt64(bitPattern: id), Int64(rows.count))
            }
        }

        mutating func remove(_ id: Int64) {
            if place(of: id) != nil { set(id, nil) }
        }

        /// Returns all rows in the order of their ids and keeps none.
        mutating func take() -> [(id: Int64, row: Row?)] {
            defer { self = Part() }
            return rows.sorted { $0.id < $1.id }
        }
    }

    /// A row as it was last read or changed; nil if it is not in the cache.
    mutating func row(_ id: Int64) -> Row? {
        if let row = changed.row(id) ?? newer.row(id) { return row }
        guard let row = older.row(id) else { return nil }
        keep(id, row)
        return row
    }

    /// Keeps a row that is the same on disk.
    mutating func keep(_ id: Int64, _ row: Row) {
        if newer.bytes >= bytes / 4 {
            older = newer
            newer = Part()
        }
        newer.set(id, row)
    }

    /// Sets a row that must be written to disk.
    mutating func change(_ id: Int64, _ row: Row) { changed.set(id, row) }

    /// Drops a row that was deleted or changed on disk.
    mutating func remove(_ id: Int64) {
        changed.remove(id)
        newer.remove(id)
        older.remove(id)
    }

    /// Whether the changed rows must be written before more are added.
    var isFull: Bool { changed.bytes >= bytes / 2 }

    /// Passes the changed rows to `write` in the order of their ids. Afterwards they are the same on disk.
    mutating func writeChanged<Failure: Error>(
        _ write: (_ id: Int64, _ row: Row) throws(Failure) -> Void
    ) throws(Failure) {
        for case (let id, let row?) in changed.take() {
            try write(id, row)
            keep(id, row)
        }
    }
}
