package import Bytes
package import System

/// The keys of an index that are on disk.
///
/// Single keys are rows of the index's table `(key INTEGER PRIMARY KEY, value INTEGER NOT NULL)`. Thousands
/// of keys are written as a sorted run of blocks, because inserting them at scattered places would rewrite
/// the whole table. A run needs a tenth of the work and a third of the bytes. The table is searched first, so
/// a key written there overrides the runs.
package final class SortedRuns {
    /// A sorted run: blocks with consecutive ids.
    struct Run {
        let firstBlock: Int64
        /// The first key of each block.
        let fences: [Int64]
        /// The keys of the run; nil if it has no filter.
        var filter: BloomFilter?

        /// The ids of its blocks.
        var blocks: Range<Int64> { firstBlock..<firstBlock + Int64(fences.count) }

        /// The only block that may have a key; nil if there is none.
        func block(of key: Int64) -> Int64? {
            if let filter, filter.isAbsent(UInt64(bitPattern: key)) { return nil }
            let next = fences.indices.partitioningIndex { fences[$0] > key }
            return next == 0 ? nil : firstBlock + Int64(next - 1)
        }
    }

    let connection: Connection
    /// The index's table, and also the name of its runs.
    let table: String
    /// The runs, newest first.
    private(set) var runs: [Run] = []
    /// Whether the table may have keys. It need not be searched otherwise.
    var hasSingleKeys: Bool
    /// Valid ids of a block; sums with the number of a run's blocks cannot overflow.
    private static let possibleBlocks = 1...StoredNumber.max
    private let find: Statement
    private let readBlock: Statement

    package init(_ connection: Connection, table: String) throws(ETLError) {
        self.connection = connection
        self.table = table
        hasSingleKeys = try connection.integer("SELECT 1 FROM \(table) LIMIT 1") != nil
        find = try connection.prepare("SELECT value FROM \(table) WHERE key = ?1")
        readBlock = try connection.prepare("SELECT keys FROM key_blocks WHERE id = ?1")
        let stored = try connection.prepare(
            "SELECT first_block, fences FROM key_runs WHERE name = ?1 ORDER BY first_block DESC")
        stored.bind(1, table)
        while try stored.next() {
            let fences = stored.withBytes(1) { bytes in
                (0..<bytes.count / 8).map {
                    Int64(littleEndian: bytes.loadUnaligned(fromByteOffset: $0 * 8, as: Int64.self))
                }
            }
            let firstBlock = stored.integer(0)
            guard Self.possibleBlocks.contains(firstBlock) else {
                throw ETLError.corrupt(
                    "a run of `\(table)` starts at block \(firstBlock)", connection.path)
            }
            runs.append(Run(firstBlock: firstBlock, fences: fences))
        }
    }

    /// The value of a key; nil if it is absent.
    package func value(of key: Int64) throws(ETLError) -> Int64? {
        if hasSingleKeys {
            find.bind(1, key)
            defer { find.reset() }
            if try find.next() { return find.integer(0) }
        }
        for run in runs {
            guard let block = run.block(of: key) else { continue }
            readBlock.bind(1, block)
            defer { readBlock.reset() }
            guard try readBlock.next() else { continue }
            if let value = readBlock.withBytes(0, { KeyBlock.value(of: key, in: $0) }) { return value }
        }
        return nil
    }

    /// The row of a text key; nil if it is absent.
    package func row(of key: TextKey) throws(ETLError) -> Int64? {
        var slot = Int64(bitPattern: key.hash)
        while let value = try value(of: slot) {
            if key.matches(value) { return TextKey.row(of: value) }
            slot &+= 1
        }
        return nil
    }

    /// Removes a key in the caller's transaction. A block that becomes empty stays, with its fence.
    func remove(_ key: Int64) throws(ETLError) {
        try connection.execute("DELETE FROM \(table) WHERE key = \(key)")
        for run in runs {
            guard let block = run.block(of: key) else { continue }
            readBlock.bind(1, block)
            let items: [KeyBlock.Item]
            do {
                defer { readBlock.reset() }
                guard try readBlock.next() else { continue }
                items = readBlock.withBytes(0) { KeyBlock.items($0) }
            }
            guard items.contains(where: { $0.key == key }) else { continue }
            let update = try connection.prepare("UPDATE key_blocks SET keys = ?2 WHERE id = ?1")
            update.bind(1, block)
            update.bind(2, blob: KeyBlock.encode(items.filter { $0.key != key }[...]))
            try update.run()
        }
    }

    // MARK: Runs

    /// Writes a run in the caller's transaction.
    ///
    /// - Parameters:
    ///   - count: Approximate number of items.
    ///   - next: Returns the next item. The keys must be in ascending order, and no other run may have one of
    ///     them.
    func writeRun(
        ofAbout count: Int, _ next: () throws(ETLError) -> KeyBlock.Item?
    ) throws(ETLError) {
        let insert = try connection.prepare("INSERT INTO key_blocks(keys) VALUES (?1)")
        var fences: [Int64] = []
        var firstBlock: Int64 = 0
        var items: [KeyBlock.Item] = []
        func write() throws(ETLError) {
            guard let first = items.first else { return }
            insert.bind(1, blob: KeyBlock.encode(items[...]))
            try insert.run()
            // SQLite assigns consecutive ids, so a block's id is that of the first block plus its index.
            if fences.isEmpty { firstBlock = connection.lastRowID }
            fences.append(first.key)
            items.removeAll(keepingCapacity: true)
        }
        let filter = filter(ofKeys: count)
        while let item = try next() {
            items.append(item)
            filter?.insert(UInt64(bitPattern: item.key))
            if items.count == KeyBlock.maxKeys { try write() }
        }
        try write()
        guard !fences.isEmpty else { return }
        let note = try connection.prepare("INSERT INTO key_runs VALUES (?1, ?2, ?3)")
        note.bind(1, table)
        note.bind(2, firstBlock)
        note.bind(3, blob: fences.flatMap { withUnsafeBytes(of: $0.littleEndian) { Array($0) } })
        try note.run()
        runs.insert(Run(firstBlock: firstBlock, fences: fences, filter: filter), at: 0)
    }

    /// Maximum bytes of the filters of an index's runs.
    private static let maxFilterBytes = 4 << 20

    /// An empty filter for a run, so that a lookup reads few blocks of other runs than the one with the key; nil
    /// if there is no memory for it. It takes a byte per key, with which one lookup in twenty reads a block in
    /// vain.
    private func filter(ofKeys count: Int) -> BloomFilter? {
        let used = runs.reduce(0) { $0 + ($1.filter?.byteCount ?? 0) }
        return used + count <= Self.maxFilterBytes ? BloomFilter(bytes: count) : nil
    }

    /// Maximum number of runs of similar size that are not merged.
    private static let maxOfOneSize = 7

    /// Merges the newest runs while eight of them have similar sizes, in the caller's transaction, because
    /// each run makes lookups slower. A key is rewritten each time the number of keys has grown eightfold.
    func mergeRuns() throws(ETLError) {
        while let newest = runs.first {
            let alike = runs.prefix { $0.fences.count <= newest.fences.count * 2 }
            guard alike.count > Self.maxOfOneSize else { return }
            try merge(alike.count)
        }
    }

    /// Merges all runs in the caller's transaction, unless one already has most of the keys: rewriting it for
    /// a few keys would cost more than searching several runs.
    func mergeAll() throws(ETLError) {
        let sizes = runs.map(\.fences.count)
        guard let largest = sizes.max(), largest * 2 < sizes.reduce(0, +) else { return }
        try merge(runs.count)
    }

    /// Calls `body` with all keys, in no particular order.
    func visit(_ body: (Int64) -> Void) throws(ETLError) {
        let rows = try connection.prepare("SELECT key FROM \(table)")
        while try rows.next() { body(rows.integer(0)) }
        for run in runs {
            var cursor = try KeyBlockCursor(run.blocks, of: "key_blocks", in: connection)
            while let item = cursor.item {
                body(item.key)
                try cursor.advance()
            }
        }
    }

    /// Merges the newest `count` runs into one.
    private func merge(_ count: Int) throws(ETLError) {
        let old = runs.prefix(count)
        runs.removeFirst(count)
        var cursors: [KeyBlockCursor] = []
        for run in old {
            cursors.append(try KeyBlockCursor(run.blocks, of: "key_blocks", in: connection))
        }
        var merged = RunMerger(cursors)
        let keys = old.reduce(0) { $0 + $1.fences.count * KeyBlock.maxKeys }
        try writeRun(ofAbout: keys) { () throws(ETLError) in try merged.next() }
        for run in old {
            try connection.execute(
                """
                DELETE FROM key_blocks
                WHERE id >= \(run.blocks.lowerBound) AND id < \(run.blocks.upperBound);
                DELETE FROM key_runs WHERE name = '\(table)' AND first_block = \(run.firstBlock)
                """)
        }
    }
}

/// Merges sorted runs of keys: by key, then by value.
struct RunMerger {
    /// The next item of a run, and the run's index.
    private typealias Head = (item: KeyBlock.Item, run: Int)

    private var runs: [KeyBlockCursor]
    /// A binary min-heap. It contains only numbers, so that swaps need no reference counting.
    private var heads: [Head] = []

    init(_ runs: [KeyBlockCursor]) {
        self.runs = runs
        for (run, cursor) in runs.enumerated() {
            if let item = cursor.item { heads.append((item, run)) }
        }
        for place in heads.indices.reversed() { sink(from: place) }
    }

    /// The next item; nil at the end.
    mutating func next() throws(ETLError) -> KeyBlock.Item? {
        guard let head = heads.first else { return nil }
        try runs[head.run].advance()
        if let item = runs[head.run].item {
            heads[0].item = item
        } else {
            heads.swapAt(0, heads.count - 1)
            heads.removeLast()
        }
        sink(from: 0)
        return head.item
    }

    private mutating func sink(from start: Int) {
        var place = start
        while true {
            var least = place
            let children = 2 * place + 1
            for child in children..<children + 2 where child < heads.count {
                if heads[child].item < heads[least].item { least = child }
            }
            if least == place { return }
            heads.swapAt(place, least)
            place = least
        }
    }
}
