import System
import TestSupport
import Testing

@testable import Database
@testable import Store

@Suite struct SortedRunsTests {
    private static func store(_ folder: TemporaryFolder) throws -> Connection {
        try StoreFile.openForWriting(folder.file("keys.sqlite"))
    }

    /// Distinct keys from the whole range; the value is derived from the key.
    private static func items(_ count: Int, seed: UInt64) -> [KeyBlock.Item] {
        var random = SeededGenerator(seed: seed)
        var keys: Set<Int64> = []
        while keys.count < count { keys.insert(Int64.random(in: .min ... .max, using: &random)) }
        return keys.sorted().map { ($0, ~$0) }
    }

    private static func write(_ items: [KeyBlock.Item], to keys: SortedRuns) throws {
        var rest = items.makeIterator()
        try keys.writeRun(ofAbout: items.count) { rest.next() }
    }

    @Test(arguments: [.max, .min, 0] as [Int64])
    func `a run of impossible blocks is damage`(firstBlock: Int64) throws {
        let folder = try TemporaryFolder()
        let connection = try Self.store(folder)
        try connection.execute("INSERT INTO key_runs VALUES ('entry_keys', \(firstBlock), zeroblob(16))")
        let error = #expect(throws: ETLError.self) { try SortedRuns(connection, table: "entry_keys") }
        #expect(error?.isDamage == true)
    }

    @Test(arguments: [1, 499, 500, 501, 2_003])
    func `every key of a run is found, and no other key is`(count: Int) throws {
        let folder = try TemporaryFolder()
        let connection = try Self.store(folder)
        let items = Self.items(count, seed: UInt64(count))
        try Self.write(items, to: try SortedRuns(connection, table: "entry_keys"))
        // A new instance reads them as another process would.
        let keys = try SortedRuns(connection, table: "entry_keys")
        #expect(keys.runs.count == 1)
        for item in items {
            #expect(try keys.value(of: item.key) == item.value)
            #expect(try keys.value(of: item.key &+ 1) == nil)
        }
        #expect(try keys.value(of: .min) == nil)
        #expect(try keys.value(of: .max) == nil)
        #expect(try SortedRuns(connection, table: "work_keys").value(of: items[0].key) == nil)
    }

    @Test func `eight runs of similar size become one with the same keys`() throws {
        let folder = try TemporaryFolder()
        let connection = try Self.store(folder)
        let keys = try SortedRuns(connection, table: "edition_isbns")
        // Blocks of another index are between them and must stay unchanged.
        let other = try SortedRuns(connection, table: "author_keys")
        let items = Self.items(6_000, seed: 3)
        for part in 0..<10 {
            try Self.write(items.enumerated().filter { $0.offset % 10 == part }.map(\.element), to: keys)
            if part == 4 { try Self.write(items, to: other) }
            try keys.mergeRuns()
            #expect(keys.runs.count == [1, 2, 3, 4, 5, 6, 7, 1, 2, 3][part])
        }
        for reader in [keys, try SortedRuns(connection, table: "edition_isbns"), other] {
            for item in items { #expect(try reader.value(of: item.key) == item.value) }
        }
        // 4,800 and twice 600 keys of one index, 6,000 of the other, 500 per block.
        #expect(try connection.integer("SELECT count(*) FROM key_blocks") == 10 + 2 + 2 + 12)
        #expect(try connection.integer("SELECT count(*) FROM key_runs") == 4)
    }

    @Test func `many lookups join the runs, unless one run has most of the keys`() throws {
        let folder = try TemporaryFolder()
        let connection = try Self.store(folder)
        let keys = try SortedRuns(connection, table: "entry_keys")
        let items = Self.items(9_000, seed: 8)
        for part in 0..<3 {
            try Self.write(items.enumerated().filter { $0.offset % 4 == part }.map(\.element), to: keys)
        }
        try keys.mergeAll()
        #expect(keys.runs.count == 1)
        try Self.write(items.enumerated().filter { $0.offset % 4 == 3 }.map(\.element), to: keys)
        try keys.mergeAll()
        #expect(keys.runs.count == 2)
        for item in items { #expect(try keys.value(of: item.key) == item.value) }
        var visited: Set<Int64> = []
        try keys.visit { visited.insert($0) }
        #expect(visited == Set(items.map(\.key)))
    }

    @Test func `a filter knows the keys that were stored before it was made`() throws {
        let folder = try TemporaryFolder()
        let connection = try Self.store(folder)
        let first = try KeyIndex(
            connection, table: "work_keys", filter: BloomFilter(bytes: 1 << 10), keysOfRun: 100)
        for key in 1...200 as ClosedRange<Int64> { first.insertRecent(key, key) }
        try first.flush()
        first.change(777, 7)
        try first.writeChanges()
        let second = try KeyIndex(
            connection, table: "work_keys", filter: BloomFilter(bytes: 1 << 10), keysOfRun: 100)
        for key in 1...200 as ClosedRange<Int64> { #expect(try second.value(of: key) == key) }
        #expect(try second.value(of: 777) == 7)
        #expect(try second.value(of: 201) == nil)
    }

    @Test func `a key written later to the table replaces the one in a run`() throws {
        let folder = try TemporaryFolder()
        let connection = try Self.store(folder)
        let index = try KeyIndex(connection, table: "work_keys", filter: nil, keysOfRun: 3)
        for key in 1...5 as ClosedRange<Int64> { index.insertRecent(key, key * 10) }
        try index.flush()
        index.change(2, 77)
        #expect(try index.value(of: 2) == 77)
        try index.writeChanges()
        #expect(try index.value(of: 2) == 77)
        #expect(try SortedRuns(connection, table: "work_keys").value(of: 2) == 77)
        #expect(try index.value(of: 5) == 50)
    }

    @Test func `a recent key that was changed and written is not written again`() throws {
        let folder = try TemporaryFolder()
        let connection = try Self.store(folder)
        for keysOfRun in [1, 100] {
            let index = try KeyIndex(
                connection, table: "work_keys", filter: BloomFilter(bytes: 64), keysOfRun: keysOfRun)
            let key = Int64(keysOfRun)
            index.insertRecent(key, 1)
            index.insertRecent(key + 1, 1)
            index.change(key, 2)
            try index.writeChanges()
            try index.flush()
            #expect(try index.value(of: key) == 2)
            #expect(try SortedRuns(connection, table: "work_keys").value(of: key) == 2)
        }
    }
}
