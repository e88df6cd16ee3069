import Pipeline
import TestSupport
import Testing

@testable import Application
@testable import Books

/// Numbers that known records leave unused at the end of a job.
@Suite struct PassedOverNumbersTests {
    @Test func `a book that gets a new number is found again though its import was killed`() async throws {
        var sample = try await SampleImport()
        sample.asksCatalog = false
        sample.batchRecords = 1
        sample.batchesPerCommit = 1
        let isbns = "9780306406157\n9780441013593\n"
        sample.files = [try sample.folder.write(isbns + isbns, to: "known.txt")]
        try await sample.run("s.sqlite")
        // Killed behind the first record, which the second one repeats.
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
