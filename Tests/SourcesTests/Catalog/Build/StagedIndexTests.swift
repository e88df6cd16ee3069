import System
import TestSupport
import Testing

@testable import Database
@testable import Sources

@Suite struct StagedIndexTests {
    @Test func `records staged after it has begun do no harm`() async throws {
        let folder = try TemporaryFolder()
        let (staging, path) = (folder.file("x.staging"), folder.file("x.index"))
        let catalog = try Connection(folder.file("x.building"), .create)
        try catalog.execute("ATTACH '\(staging)' AS stage; \(CatalogSchema.stagingTables)")
        try catalog.execute("INSERT INTO stage.work VALUES (1, 1, NULL, x'')")
        let staged = StagedIndex(path, staging: staging, keysInMemory: 1_000)
        try await staged.begin()
        try catalog.execute(
            """
            WITH RECURSIVE numbers(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < 40000)
            INSERT INTO stage.kept_work SELECT n, 1 FROM numbers
            """)
        try await staged.write(stop: StopSignal()).get()
        let index = try Connection(path, .readOnly)
        #expect(try index.integer("SELECT count(*) FROM search_document") == 0, "the work has no title")
    }

    @Test func `it cannot be written before it has begun`() async throws {
        let folder = try TemporaryFolder()
        let staged = StagedIndex(
            folder.file("x.index"), staging: folder.file("x.staging"), keysInMemory: 1_000)
        await #expect(throws: ETLError.self) { try await staged.write(stop: StopSignal()).get() }
    }
}
