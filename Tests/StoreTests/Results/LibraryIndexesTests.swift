import System
import TestSupport
import Testing

@testable import Database
@testable import Store

@Suite struct LibraryIndexesTests {
    private let folder: TemporaryFolder
    private let connection: Connection
    private let records: ClosedRange<Int64> = 1...300

    /// A store with the keys of records in three runs.
    init() throws {
        folder = try TemporaryFolder()
        connection = try StoreFile.openForWriting(folder.file("store.sqlite"))
        var limits = LibraryIndexes.Limits()
        limits.keysOfRun = 10
        let indexes = try LibraryIndexes(connection, limits: limits)
        for record in records {
            indexes.isbns.insertRecent(record &* 7_919, record)
            indexes.lastRow = record
            guard record % 100 == 0 else { continue }
            try connection.transaction { () throws(ETLError) in try indexes.flush() }
        }
    }

    private func runs() throws -> Int64? {
        try connection.integer("SELECT count(*) FROM key_runs WHERE name = 'edition_isbns'")
    }

    private func indexes(expecting records: Int) throws -> LibraryIndexes {
        var limits = LibraryIndexes.Limits()
        limits.expectedRecords = records
        return try LibraryIndexes(connection, limits: limits)
    }

    @Test func `a job with many lookups merges the runs`() throws {
        #expect(try runs() == 3)
        let indexes = try indexes(expecting: 1_000)
        try indexes.mergeIfManyAreLookedUp()
        #expect(try runs() == 1)
        for record in records { #expect(try indexes.isbns.value(of: record &* 7_919) == record) }
        #expect(try indexes.isbns.value(of: 1) == nil)
    }

    @Test func `a job with few lookups keeps the runs`() throws {
        let indexes = try indexes(expecting: 1)
        try indexes.mergeIfManyAreLookedUp()
        #expect(try runs() == 3)
        for record in records { #expect(try indexes.isbns.value(of: record &* 7_919) == record) }
    }
}
