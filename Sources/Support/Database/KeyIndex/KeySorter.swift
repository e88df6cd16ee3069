package import System

/// Sorts keys with their values, even if they do not fit into memory.
///
/// When memory is full, its items are written as a sorted run of blocks to a table of the connection's
/// temporary database. At the end, the runs are merged.
package final class KeySorter {
    /// Maximum number of items in memory (32 MiB).
    package static let maxWaiting = 1 << 21
    /// Number of items per block of a run. During a merge, one block per run is in memory.
    private static let keysOfBlock = 4_096

    private let connection: Connection
    private let table: String
    private let maxWaiting: Int
    private var waiting: [KeyBlock.Item] = []
    /// The ids of the blocks of each run.
    private var runs: [Range<Int64>] = []

    /// - Parameter name: The name of the temporary table. No other sorter of the connection may use it.
    package init(_ connection: Connection, name: String, maxWaiting: Int = KeySorter.maxWaiting) {
        self.connection = connection
        table = "temp.\(name)"
        self.maxWaiting = maxWaiting
    }

    package func add(_ key: Int64, _ value: Int64) throws(ETLError) {
        if waiting.count == maxWaiting { try writeRun() }
        waiting.append((key, value))
    }

    /// Calls `body` with all items, sorted by key, then by value, without duplicates. Empties the sorter.
    package func finish(_ body: (KeyBlock.Item) throws(ETLError) -> Void) throws(ETLError) {
        var last: KeyBlock.Item?
        func pass(_ item: KeyBlock.Item) throws(ETLError) {
            if let last, last == item { return }
            last = item
            try body(item)
        }
        if runs.isEmpty {
            KeyOrder.sort(&waiting)
            for item in waiting { try pass(item) }
            waiting = []
        } else {
            try writeRun()
            waiting = []
            var cursors: [KeyBlockCursor] = []
            for run in runs { cursors.append(try KeyBlockCursor(run, of: table, in: connection)) }
            var merged = RunMerger(cursors)
            while let item = try merged.next() { try pass(item) }
            runs = []
            try connection.execute("DELETE FROM \(table)")
        }
    }

    private func writeRun() throws(ETLError) {
        if runs.isEmpty {
            // The table is emptied at the end, not dropped: a table cannot be dropped while anything is being
            // read.
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
/// Keys are mostly hashes, which are distributed evenly. They are distributed by their first bits to buckets
/// that fit the processor's cache, and each bucket is sorted. That takes less than half the time of a plain
/// sort. Unevenly distributed keys fall into few buckets and take slightly longer than a plain sort.
enum KeyOrder {
    private static let buckets = 2_048
    private static let bucketBits = 11

    static func sort(_ items: inout [KeyBlock.Item]) {
        guard items.count >= 4 * buckets, let first = items.first else { return items.sort(by: <) }
        var (low, high) = (first.key, first.key)
        for item in items { (low, high) = (min(low, item.key), max(high, item.key)) }
        // The difference may not fit into a signed integer.
        let span = UInt64(bitPattern: high &- low)
        let shift = UInt64(max(0, span.bitWidth - span.leadingZeroBitCount - bucketBits))
        func bucket(_ item: KeyBlock.Item) -> Int { Int(UInt64(bitPattern: item.key &- low) >> shift) }

        var places = [Int](repeating: 0, count: buckets)
        for item in items { places[bucket(item)] += 1 }
        var next = 0
        for bucket in places.indices {
            let count = places[bucket]
            places[bucket] = next
            next += count
        }
        items = [KeyBlock.Item](unsafeUninitializedCapacity: items.count) { sorted, count in
            for item in items {
                let bucket = bucket(item)
                sorted.initializeElement(at: places[bucket], to: item)
                places[bucket] += 1
            }
            count = items.count
            // Each place is now the end of its bucket.
            var start = 0
            for end in places {
                if end - start > 1 { sorted[start..<end].sort(by: <) }
                start = end
            }
        }
    }
}
