import TestSupport
import Testing

@testable import Bytes
@testable import Database
@testable import Store

@Suite struct KeyIndexTests {
    private let folder: TemporaryFolder
    private let connection: Connection

    init() throws {
        folder = try TemporaryFolder()
        connection = try StoreFile.openForWriting(folder.file("keys.sqlite"))
    }

    private func index(keysOfRun: Int = 50, filterBytes: Int? = 1 << 12, keptAtMost: Int = 0) throws
        -> KeyIndex
    {
        try KeyIndex(
            connection, table: "edition_isbns", filter: filterBytes.map { BloomFilter(bytes: $0) },
            keysOfRun: keysOfRun,
            keptAtMost: keptAtMost)
    }

    /// Inserts, changes, flushes and looks up at random, compared with a dictionary; reopens the index at the
    /// end.
    @Test(arguments: [(1, 0), (50, 0), (50, 200), (100_000, 40)])
    func `it agrees with a dictionary, in memory and on disk`(keysOfRun: Int, keptAtMost: Int) throws {
        var random = SeededGenerator(seed: UInt64(keysOfRun + keptAtMost))
        let index = try index(keysOfRun: keysOfRun, keptAtMost: keptAtMost)
        var duplicate: [Int64: Int64] = [:]
        for step in 1...3_000 {
            let key = Int64.random(in: -400...400, using: &random) &* 7_919
            switch Int.random(in: 0..<20, using: &random) {
            case 0: try index.flush()
            case 12: try index.writeChanges()
            case 1..<4 where duplicate[key] != nil:
                index.change(key, Int64(step))
                duplicate[key] = Int64(step)
            case 4..<12 where duplicate[key] == nil:
                index.insertRecent(key, Int64(step))
                duplicate[key] = Int64(step)
            default: break
            }
            #expect(try index.value(of: key) == duplicate[key])
        }
        try index.flush()
        try index.mergeAll()
        let reopened = try self.index(filterBytes: nil)
        for key in -400...400 {
            #expect(try reopened.value(of: Int64(key) &* 7_919) == duplicate[Int64(key) &* 7_919])
        }
    }

    @Test func `texts with the same hash are distinguished`() throws {
        let index = try index()
        let one = TextKey(hash: 77, check: 1)
        let other = TextKey(hash: 77, check: 2)
        index.insertRecent(one, row: 10, at: try index.place(of: one))
        #expect(try index.place(of: other).row == nil)
        index.insertRecent(other, row: 20, at: try index.place(of: other))
        try index.flush()
        #expect(try index.place(of: one).row == 10)
        #expect(try index.place(of: other).row == 20)
        #expect(try index.place(of: TextKey(hash: 77, check: 3)).row == nil)
    }
}

@Suite struct BloomFilterTests {
    @Test(arguments: [1, 64, 4_096, 1 << 20])
    func `a filter never reports an inserted key as absent, however small it is`(bytes: Int) {
        var random = SeededGenerator(seed: UInt64(bytes))
        let filter = BloomFilter(bytes: bytes)
        let keys = (0..<10_000).map { _ in random.next() } + [0, 1, .max]
        for key in keys { filter.insert(key) }
        #expect(keys.allSatisfy { !filter.isAbsent($0) })
    }

    @Test func `an empty filter reports every key as absent`() {
        let filter = BloomFilter(bytes: 4_096)
        #expect(filter.isAbsent(0))
        #expect(filter.isAbsent(.max))
    }

    @Test func `at ten bits per key fewer than one absent key in fifty passes the filter`() {
        var random = SeededGenerator(seed: 5)
        let filter = BloomFilter(bytes: 1 << 16)
        for _ in 0..<52_000 { filter.insert(random.next()) }
        let vain = (0..<100_000).count { _ in !filter.isAbsent(random.next()) }
        #expect(vain < 2_000)
    }
}

@Suite struct MemTableTests {
    @Test func `a table agrees with a dictionary, whatever the order of operations`() {
        var random = SeededGenerator(seed: 11)
        var keys = MemTable()
        var duplicate: [UInt64: Int64] = [:]
        // Few enough keys that many repeat and are close together, and enough that the table grows.
        for _ in 0..<20_000 {
            let key =
                UInt64.random(in: 0..<5_000, using: &random) &* (Bool.random(using: &random) ? 1 : 1 << 44)
            let value = Int64.random(in: 1...Int64.max, using: &random)
            keys.insert(key, value)
            duplicate[key] = value
        }
        #expect(keys.count == duplicate.count)
        for (key, value) in duplicate { #expect(keys.value(of: key) == value) }
        for key in 5_000..<6_000 { #expect(keys.value(of: UInt64(key)) == nil) }

        let sorted = keys.sorted()
        #expect(sorted.count == duplicate.count)
        #expect(zip(sorted, sorted.dropFirst()).allSatisfy { $0.key < $1.key })
        var visited: [UInt64: Int64] = [:]
        keys.visit { visited[$0] = $1 }
        #expect(visited == duplicate)
    }

    @Test func `the extreme keys work like others`() {
        var keys = MemTable()
        for (value, key) in [0, 1, UInt64(Int64.max), UInt64(Int64.max) + 1, .max].enumerated() {
            keys.insert(key, Int64(value) + 1)
        }
        #expect(keys.sorted().map(\.key) == [Int64.min, -1, 0, 1, Int64.max])
        #expect(keys.value(of: 0) == 1)
        #expect(keys.value(of: .max) == 5)
    }

    @Test func `an emptied table has no keys and can be filled again`() {
        var keys = MemTable()
        for key in 0..<3_000 { keys.insert(UInt64(key), 7) }
        keys.removeAll()
        #expect(keys.count == 0)
        #expect(keys.sorted().isEmpty)
        #expect(keys.value(of: 2_999) == nil)
        keys.insert(2_999, 8)
        #expect(keys.value(of: 2_999) == 8)
    }
}
