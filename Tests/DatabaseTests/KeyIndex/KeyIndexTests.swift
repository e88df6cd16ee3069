import TestSupport
import Testing

@testable import Books
@testable import Bytes
@testable import Database

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

    /// Inserts, changes, flushes and looks up at random, beside a dictionary; opens the index anew at the end.
    @Test(arguments: [(1, 0), (50, 0), (50, 200), (100_000, 40)])
    func `it finds what a dictionary finds, in memory and on disk`(keysOfRun: Int, keptAtMost: Int) throws {
        var random = SeededGenerator(seed: UInt64(keysOfRun + keptAtMost))
        let index = try index(keysOfRun: keysOfRun, keptAtMost: keptAtMost)
        var twin: [Int64: Int64] = [:]
        for step in 1...3_000 {
            let key = Int64.random(in: -400...400, using: &random) &* 7_919
            switch Int.random(in: 0..<20, using: &random) {
            case 0: try index.flush()
            case 1..<4 where twin[key] != nil:
                try index.insertNow(key, Int64(step))
                twin[key] = Int64(step)
            case 4..<12 where twin[key] == nil:
                index.insertRecent(key, Int64(step))
                twin[key] = Int64(step)
            default: break
            }
            #expect(try index.value(of: key) == twin[key])
        }
        try index.flush()
        try index.mergeAll()
        let reopened = try self.index(filterBytes: nil)
        for key in -400...400 {
            #expect(try reopened.value(of: Int64(key) &* 7_919) == twin[Int64(key) &* 7_919])
        }
    }

    @Test func `texts whose hashes clash are told apart`() throws {
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
