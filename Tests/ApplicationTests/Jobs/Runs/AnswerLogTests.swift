import Books
import Foundation
import TestSupport
import Testing

@testable import Database
@testable import FakeServices
@testable import Jobs
@testable import Queries
@testable import Services
@testable import Sources
@testable import Store
@testable import System

/// Answers that arrive while a job is run again survive a kill.
@Suite struct AnswerLogTests {
    private let folder: TemporaryFolder
    private let store: String
    private let log: AnswerLog
    private var path: String { "\(store).answers" }

    private static let reader = ServiceDefinition.googleBooks.reader
    private static let found = NewAnswer(
        key: ServiceKey(.isbn, "9780140328721"),
        cached: CachedAnswer(
            body: CachedBody(words: Array(#"{"totalItems":1}"#.utf8)), fetchedAt: 1_700_000_000_000))
    private static let absent = NewAnswer(
        key: ServiceKey(.isbn, "9780441013593"),
        cached: CachedAnswer(body: nil, fetchedAt: 1_700_000_000_000))
    private static let mismatched = NewAnswer(
        key: ServiceKey(.isbn, "9780000000002"),
        cached: CachedAnswer(body: nil, fetchedAt: 1_700_000_000_000, mismatches: 1))

    init() throws {
        folder = try TemporaryFolder()
        store = folder.file("library.sqlite")
        log = AnswerLog(store: store)
    }

    private func recover() throws { try log.recover(readBy: [Self.reader]) }

    private func cached(_ answers: [NewAnswer]) async throws -> [CachedAnswer?] {
        try await AnswerReader(of: store).cachedAnswers(in: Self.reader.form, answers.map(\.key))
    }

    @Test func `the next run takes the answers into the store and deletes the file`() async throws {
        log.append([Self.found, Self.mismatched], in: Self.reader.form)
        log.append([Self.absent], in: Self.reader.form)
        try recover()
        let cached = try await cached([Self.found, Self.absent, Self.mismatched])
        #expect(cached[0]?.body != nil && cached[0]?.fetchedAt == 1_700_000_000_000)
        #expect(cached[1]?.answer == .notFound)
        #expect(cached[2] == nil, "a mismatch is asked again")
        #expect(!FileManager.default.fileExists(atPath: path))
        try recover()
    }

    @Test func `an incomplete line is dropped`() async throws {
        log.append([Self.absent, Self.found], in: Self.reader.form)
        let whole = try Data(contentsOf: URL(fileURLWithPath: path))
        try whole.dropLast(5).write(to: URL(fileURLWithPath: path))
        try recover()
        let cached = try await cached([Self.absent, Self.found])
        #expect(cached[0]?.answer == .notFound)
        #expect(cached[1] == nil)
    }

    @Test func `another program's file is refused and stays`() throws {
        try Data("hello\n".utf8).write(to: URL(fileURLWithPath: path))
        #expect(throws: ETLError.self) { try recover() }
        #expect(FileManager.default.fileExists(atPath: path))
    }

    @Test func `answers are in the file while the job is run again, and afterwards in the store`()
        async throws
    {
        let cache = CacheInMemory()
        let answers = ReplayedAnswers(cache, log: log, clock: ManualClock())
        let saving = Guarded<Task<Void, any Error>?>(nil)
        try await answers.replay { () async throws(ETLError) in
            let task = Task { try await answers.save([Self.found], in: Self.reader.form) }
            saving.withLock { $0 = task }
            while !FileManager.default.fileExists(atPath: path) { await Task.yield() }
        }
        try await saving.withLock { $0 }?.value
        #expect(cache.answers[Self.found.key] != nil)
        #expect(!FileManager.default.fileExists(atPath: path))
    }

    @Test func `answers from the file are used by a job with pending records`() async throws {
        let library = try NetworkImport(records: 40)
        let server = try FakeServer { FakeServices().answer($0) }
        defer { server.stop() }
        let settings = library.settings(server)
        _ = try await library.run("all.sqlite", settings)
        let all = library.folder.file("all.sqlite")
        // The same import without a network, and the answers of the other one in its log.
        var offline = settings
        offline.transport = StubTransport { _, _ in .failure(.refused) }
        offline.retry = RetryPolicy(attempts: 1)
        _ = try await library.run("s.sqlite", offline, clock: ManualClock())
        var lines = Data()
        _ = try AnswerExport(StoreFile.openForReading(all)).write(service: nil) {
            lines.append(contentsOf: $0)
        }
        try lines.write(to: URL(fileURLWithPath: library.folder.file("s.sqlite.answers")))
        offline.transport = nil
        offline.asked = [:]
        let outcome = try await library.run("s.sqlite", offline, again: true)
        #expect(outcome.job.pending == 0)
        #expect(try library.dump("s.sqlite") == library.dump("all.sqlite"))
    }
}
