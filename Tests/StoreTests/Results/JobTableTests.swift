import System
import TestSupport
import Testing

@testable import Database
@testable import Store

@Suite struct JobTableTests {
    private let folder: TemporaryFolder
    private let store: String

    init() throws {
        folder = try TemporaryFolder()
        store = folder.file("s.sqlite")
    }

    private func begin(_ name: String?, resuming job: Int64? = nil) async throws -> Job {
        var request = JobRequest(
            name: name, freshName: "fresh", pipeline: "csv_import", library: "mine", formatName: "goodreads",
            inputs: [], options: JobOptions(files: ["/a.csv"], definition: nil, options: [:]))
        request.continues = job
        return try await ResultsStore(store, clock: ManualClock()).begin(request)
    }

    private func change(_ sql: String) throws {
        try Connection(store, .readWrite).execute(sql)
    }

    @Test(
        arguments: [
            ("options = '{\"files\": 7}'", "options"), ("inputs = '[{}]'", "input"), ("mode = 'x'", "mode"),
            ("status = 'x'", "state"), ("created = 9223372036854775807", "numbers"),
            ("rejected = -9223372036854775808", "numbers"), ("byte = -1", "numbers"),
            ("line = 9223372036854775807", "numbers"), ("ended_at = 9223372036854775807", "numbers"),
            ("options = '{\"files\":[],\"options\":{\"limit\":[\"-9223372036854775808\"]}}'", "options"),
            ("run_state = '{\"budgetBaseline\":{\"records\":-9,\"rejects\":{}}}'", "state"),
            ("run_state = '{'", "state"),
        ])
    func `an unreadable job is reported and not resumed as another one`(
        change: String, what: String
    ) async throws {
        _ = try await begin("spring")
        try self.change("UPDATE jobs SET \(change)")
        let failure = await #expect(throws: ETLError.self) { try await begin("spring") }
        #expect(failure?.kind == .inputOutput)
        #expect(failure?.message.contains("the \(what) of job `spring`") == true)
    }

    @Test func `a job that another run changed meanwhile is left alone`() async throws {
        let job = try await begin("spring")
        try change("UPDATE jobs SET status = 'canceled', byte = 100, record = 3")
        let failure = await #expect(throws: ETLError.self) { try await begin("spring") }
        #expect(failure?.kind == .temporary)
        let jobTable = JobTable(try StoreFile.openForReading(store))
        #expect(try jobTable.job(named: "spring")?.status == .canceled)
        #expect(try await begin("spring", resuming: job.id).status == .processing)
    }

    @Test func `the jobs on the same files are found among others, the newest first`() async throws {
        func inputs(_ digests: String...) -> [SourceFingerprint] {
            digests.map { SourceFingerprint(name: "/\($0).csv", size: 7, headSHA256: $0) }
        }
        for (name, inputs) in [
            ("a", inputs("aa")), ("b", inputs("bb")), ("ab", inputs("aa", "bb")), ("none", []),
            ("again", inputs("aa")),
        ] {
            let request = JobRequest(
                name: name, freshName: "fresh", pipeline: "csv_import", library: "mine", formatName: nil,
                inputs: inputs, options: nil)
            _ = try await ResultsStore(store, clock: ManualClock()).begin(request)
        }
        let jobTable = JobTable(try StoreFile.openForReading(store))
        #expect(try jobTable.all(on: inputs("aa")).map(\.name) == ["again", "a"])
        #expect(try jobTable.all(on: inputs("aa", "bb")).map(\.name) == ["ab"])
        #expect(try jobTable.all(on: inputs("bb", "aa")).isEmpty)
        #expect(try jobTable.all(on: []).map(\.name) == ["none"])
        #expect(try jobTable.last()?.name == "again")
    }

    @Test func `libraries and layouts keep their numbers`() throws {
        let connection = try StoreFile.openForWriting(store)
        func number(_ name: String) throws -> Int64 {
            try InternTable.number(of: [name], in: "libraries", columns: ["name"], connection)
        }
        let (mine, yours) = (try number("mine"), try number("yours"))
        #expect(mine != yours)
        #expect(try number("mine") == mine)
        #expect(try number("yours") == yours)
    }
}
