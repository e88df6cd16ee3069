import System
import TestSupport
import Testing

@testable import Database
@testable import Store

@Suite struct StoredIDsTests {
    private let folder: TemporaryFolder
    private var path: String { folder.file("library.sqlite") }

    init() throws { folder = try TemporaryFolder() }

    private func store(with sql: String) throws {
        let connection = try StoreFile.openForWriting(path)
        try connection.execute(sql)
    }

    private func work(_ id: Int64) -> String {
        "INSERT INTO works(id, key, synthetic, quality, review_status) VALUES (\(id), 'k', 0, 0, 0)"
    }

    @Test(arguments: [1, 1 << 40])
    func `the ids that imports assign are possible`(id: Int64) throws {
        try store(with: work(id))
        _ = try StoreFile.openForReading(path)
        _ = try StoreFile.openForWriting(path)
    }

    @Test(arguments: [.max, .min, -1, 0, 1 << 40 + 1] as [Int64])
    func `a store with another id is reported as damaged, and by its table`(id: Int64) throws {
        try store(with: work(id))
        let expected = "`\(path)` is damaged: there cannot be a row \(id) in table `works`."
        let reading = #expect(throws: ETLError.self) { try StoreFile.openForReading(path) }
        #expect(reading?.message == expected)
        #expect(reading?.kind == .inputOutput)
        let writing = #expect(throws: ETLError.self) { try StoreFile.openForWriting(path) }
        #expect(writing?.message == expected)
    }

    @Test(arguments: [.max, -1] as [Int64])
    func `how far an index is complete is checked too`(row: Int64) throws {
        try store(with: "INSERT INTO flushed VALUES ('works', \(row))")
        let failure = #expect(throws: ETLError.self) { try StoreFile.openForReading(path) }
        #expect(failure?.message.contains("row \(row) in the index of table `works`") == true)
    }

    @Test(arguments: ["row", "author"], [.max, -1] as [Int64])
    func `where a run began is checked too`(kind: String, row: Int64) throws {
        try store(
            with: """
                INSERT INTO runs(id, job, first_row, first_author, started_at) VALUES (1, 1, 1, 1, 0);
                UPDATE runs SET first_\(kind) = \(row)
                """)
        let failure = #expect(throws: ETLError.self) { try StoreFile.openForReading(path) }
        #expect(failure?.message.contains("there cannot be a run that began with \(kind) \(row).") == true)
    }

    @Test func `ids that combine a row with a position may be larger`() throws {
        try store(
            with: """
                INSERT INTO contributors VALUES (\(ContributorIDs.id(work: StoredIDs.maxRow, position: 9)), 1, 0);
                INSERT INTO flushed VALUES ('candidates', \(CandidateIDs.last(ofRow: StoredIDs.maxRow)))
                """)
        _ = try StoreFile.openForReading(path)
    }
}
