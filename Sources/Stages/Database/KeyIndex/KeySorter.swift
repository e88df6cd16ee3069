/// Sorts keys with their values, of which there may be more than memory holds.
///
/// As many as fit wait in memory. Each load of them is written as a sorted run of blocks to a table of the connection's
/// temporary database; the runs are merged when all is handed out.
package final class KeySorter {
    /// Keys that wait in memory: 32 MiB of them.
    package static let maxWaiting = 1 << 21
    /// Keys of a block of a run: one is in memory for each run when they are merged.
    private static let keysOfBlock = 4_096

    private let connection: Connection
    private let table: String
    private let maxWaiting: Int
    private var waiting: [KeyBlock.Item] = []
    /// Ids of the blocks of each run.
    private var runs: [Range<Int64>] = []

    /// - Parameter name: Of the temporary table, which no other sorter of the connection has.
    package init(_ connection: Connection, name: String, maxWaiting: Int = KeySorter.maxWaiting) {
        self.connection = connection
        table = "temp.\(name)"
        self.maxWaiting = maxWaiting
    }

    package func add(_ key: Int64, _ value: Int64) throws(SQLiteError) {
        if waiting.count == maxWaiting { try writeRun() }
        waiting.append((key, value))
    }

    /// Hands out all that was added, by key, then by value, equal ones but once. Nothing is left in it then.
    package func finish(_ body: (KeyBlock.Item) throws(SQLiteError) -> Void) throws(SQLiteError) {
        var last: KeyBlock.Item?
        func hand(_ item: KeyBlock.Item) throws(SQLiteError) {
            if let last, last == item { return }
            last = item
            try body(item)
        }
        if runs.isEmpty {
            KeyOrder.sort(&waiting)
            for item in waiting { try hand(item) }
            waiting = []
        } else {
            try writeRun()
            waiting = []
            var cursors: [KeyBlockCursor] = []
            for run in runs { cursors.append(try KeyBlockCursor(run, of: table, in: connection)) }
            var merged = RunMerger(cursors)
            while let item = try merged.next() { try hand(item) }
            runs = []
            try connection.execute("DELETE FROM \(table)")
        }
    }

    private func writeRun() throws(SQLiteError) {
        if runs.isEmpty {
            // Emptied and not dropped when all is handed out: a table cannot be dropped while anything is read.
            try connection.execute(
                "CREATE TABLE IF NOT EXISTS \(table)(id INTEGER PRIMARY KEY, keys BLOB NOT NULL)")
        }
        KeyOrder.sort(&waiting)
        let insert = try connection.prepare("INSERT INTO \(table)(keys) VALUES (?1)")
        let first = runs.last?.upperBound ?? 1
        var next = first
        for start in stride(from: 0, to: waiting.count, by: Self.keysOfBlock) {
            let end = min(start + Self.keysOfBlock, waiting.count)
            insert.bind(1, blob: KeyBlock.encode(waiting[start..<end]))
            try insert.run()
            next += 1
        }
        runs.append(first..<next)
        waiting.removeAll(keepingCapacity: true)
    }
}

/// Sorts keys with their values: by key, then by value.
///
/// Keys are mostly hashes, which lie evenly between the lowest and the highest. Dealt out by their first bits to heaps
/// that fit the processor's cache, and sorted heap by heap, they take less than half of the time. Keys that lie
/// otherwise fall into few heaps, and take a little more than without.
enum KeyOrder {
    private static let heaps = 2_048
    private static let heapBits = 11

    static func sort(_ items: inout [KeyBlock.Item]) {
        guard items.count >= 4 * heaps, let first = items.first else { return items.sort(by: <) }
        var (low, high) = (first.key, first.key)
        for item in items { (low, high) = (min(low, item.key), max(high, item.key)) }
        // The distance may be more than a signed number holds.
        let span = UInt64(bitPattern: high &- low)
        let shift = UInt64(max(0, span.bitWidth - span.leadingZeroBitCount - heapBits))
        func heap(_ item: KeyBlock.Item) -> Int { Int(UInt64(bitPattern: item.key &- low) >> shift) }

        var places = [Int](repeating: 0, count: heaps)
        for item in items { places[heap(item)] += 1 }
        var next = 0
        for heap in places.indices {
            let count = places[heap]
            places[heap] = next
            next += count
        }
        items = [KeyBlock.Item](unsafeUninitializedCapacity: items.count) { dealt, count in
            for item in items {
                let heap = heap(item)
                dealt.initializeElement(at: places[heap], to: item)
                places[heap] += 1
            }
            count = items.count
            // Each place is now where its heap ends.
            var start = 0
            for end in places {
                if end - start > 1 { dealt[start..<end].sort(by: <) }
                start = end
            }
        }
    }
}
