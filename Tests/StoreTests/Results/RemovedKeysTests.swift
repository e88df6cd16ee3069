import Jobs
import System
import TestSupport
import Testing

@testable import Database
@testable import Store

/// Keys that are removed from their blocks.
@Suite struct RemovedKeysTests {
    @Test func `a removed key is gone, its neighbours stay, and runs still merge`() throws {
        let folder = try TemporaryFolder()
        let connection = try StoreFile.openForWriting(folder.file("keys.sqlite"))
        try connection.execute("INSERT INTO entry_keys VALUES (38, 99), (70, 7)")
        let keys = try SortedRuns(connection, table: "entry_keys")
        // Nine runs of one block each; the first one loses all its keys.
        for run in 0..<9 as Range<Int64> {
            var rest = (1...5).map { (key: $0 * 10 + run, value: $0) }.makeIterator()
            try keys.writeRun(ofAbout: 5) { rest.next() }
        }
        let removed: [Int64] = [10, 20, 30, 40, 50, 38, 70, 15, 99]
        for key in removed { try keys.remove(key) }

        func check(_ keys: SortedRuns) throws {
            for run in 0..<9 as Range<Int64> {
                for place in 1...5 as ClosedRange<Int64> {
                    let key = place * 10 + run
                    #expect(try keys.value(of: key) == (removed.contains(key) ? nil : place), "\(key)")
                }
            }
            #expect(try keys.value(of: 70) == nil)
        }
        try check(keys)
        try keys.mergeRuns()
        #expect(keys.runs.count == 1)
        try check(keys)
        try check(SortedRuns(connection, table: "entry_keys"))
    }
}

/// Numbers that known records leave unused at the end of a job.
@Suite struct UnusedNumbersTests {
    @Test func `a book with a new number is found again after its import was killed`() async throws {
        var sample = try await SampleImport()
        sample.asksCatalog = false
        sample.batchRecords = 1
        sample.batchesPerCommit = 1
        let isbns = "9780306406157\n9780441013593\n"
        sample.files = [try sample.folder.write(isbns + isbns, to: "known.txt")]
        try await sample.run("s.sqlite")
        // Killed after the first record, which the second one repeats.
        sample.files = [try sample.folder.write("9780441569595\n9780441569595\n", to: "new.txt")]
        let folder = sample.folder
        try await sample.run(
            "s.sqlite",
            observingCommits: { point in
                guard point == .afterCommit(batch: 0)
                else { return }
                SampleImport.copy(folder.file("s.sqlite"), to: folder.file("killed.sqlite"))
            })
        let resumed = try await sample.run("killed.sqlite").job.counts
        #expect(resumed.booksCreated == 1)
        #expect(resumed.duplicatesSkipped == 1)
        #expect(try sample.dump("killed.sqlite") == sample.dump("s.sqlite"))
    }
}
