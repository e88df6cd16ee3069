import Books
import Foundation
import System
import TestSupport
import Testing

@testable import Database
@testable import FakeServices
@testable import Jobs
@testable import Queries
@testable import Services
@testable import Sources
@testable import Store
@testable import Syntax

/// Imports with cached answers, whichever version stored them and however they came into the store.
@Suite struct CachedAnswersImportTests {
    /// Origin of a store's answers.
    enum Origin: Sendable, CaseIterable {
        /// Read by `etl cache import`.
        case fromCacheImport
        /// Stored by a version that kept only responses.
        case responsesOnly
        /// With decoded answers of an old decoder version.
        case oldDecoder
        /// Without decoded answers.
        case withoutDecoded
    }

    private let library: NetworkImport
    private let clock = ManualClock()
    private let answers: String
    private let dump: String

    init() async throws {
        library = try NetworkImport(records: 60)
        let outcome = try await library.run("first.sqlite", Self.settings(library, FakeServices(), clock))
        try #require(outcome.job.pending == 0)
        dump = try library.dump("first.sqlite")
        var lines: [UInt8] = []
        _ = try AnswerExport(StoreFile.openForReading(library.folder.file("first.sqlite"))).write(
            service: nil
        ) { lines.append(contentsOf: $0) }
        answers = library.folder.file("answers.ndjson")
        try Data(lines).write(to: URL(fileURLWithPath: answers))
    }

    private static func settings(
        _ library: NetworkImport, _ services: FakeServices, _ clock: ManualClock
    ) -> ServiceSettings {
        var settings = library.settings(FakeTransport(services, clock: clock))
        settings.firstWaitPolicy = .noTimeout
        settings.stateFolder = nil
        return settings
    }

    /// Imports into a store with the answers, while every request is refused.
    private func imported(_ store: String) async throws -> (outcome: ImportOutcome, calls: Int) {
        let silent = FakeServices(
            faults: Dictionary(
                uniqueKeysWithValues: FakeServices.names.map {
                    ($0, FakeFaults(share: 1, kinds: [.blocked403]))
                }))
        let outcome = try await library.run(store, Self.settings(library, silent, clock))
        return (outcome, outcome.services.reduce(0) { $0 + $1.metrics.calls })
    }

    private func change(_ store: String, _ sql: String) throws {
        try Connection(library.folder.file(store), .readWrite).execute(sql)
    }

    @Test(arguments: Origin.allCases)
    func `the result does not depend on how answers were cached`(origin: Origin) async throws {
        let store = library.folder.file("s.sqlite")
        let readers = origin == .responsesOnly ? [] : ServiceDefinition.all.map(\.reader)
        #expect(try AnswerImport.take(answers, into: store, readBy: readers).taken > 100)
        switch origin {
        case .fromCacheImport, .responsesOnly: break
        case .oldDecoder: try change("s.sqlite", "UPDATE answers SET decoded_version = 0, decoded = x'00'")
        case .withoutDecoded: try change("s.sqlite", "UPDATE answers SET decoded = NULL")
        }
        let (outcome, calls) = try await imported("s.sqlite")
        #expect(outcome.end == .completed)
        #expect(outcome.job.pending == 0)
        #expect(calls == 0)
        #expect(try library.dump("s.sqlite") == dump)
    }

    @Test func `a damaged cached answer is malformed, and no record is lost`() async throws {
        _ = try AnswerImport.take(
            answers, into: library.folder.file("s.sqlite"), readBy: ServiceDefinition.all.map(\.reader))
        try change(
            "s.sqlite",
            "UPDATE answers SET decoded = substr(decoded, 1, length(decoded) / 2) WHERE decoded IS NOT NULL AND key > 'isbn:'"
        )
        let (outcome, _) = try await imported("s.sqlite")
        #expect(outcome.end == .completed)
        #expect(outcome.job.counts.totalProcessed == 60)
    }

    @Test func `cached answers equal what their responses decode to`() async throws {
        let connection = try StoreFile.openForReading(library.folder.file("first.sqlite"))
        let services = Dictionary(
            uniqueKeysWithValues: ServiceDefinition.all.map(\.reader).map { ($0.name, $0) })
        let read = try connection.prepare(
            "SELECT service, key, body, fetched_at, decoded_version, decoded FROM answers WHERE body IS NOT NULL"
        )
        var kinds: [String: Int] = [:]
        while try read.next() {
            let service = try #require(services[read.string(0)])
            let kindName = read.string(1).prefix { $0 != ":" }
            let kind = try #require(ServiceKey.Kind.all.first { $0.name == kindName })
            let words = try #require(Deflated.unpack(read.bytes(2)))
            let decoded = service.decoded(of: words, kind, fetchedAt: read.integer(3))
            #expect(read.integer(4) == Int64(service.decoderVersion))
            #expect(decoded == (read.isNull(5) ? nil : read.bytes(5)))
            // A search may have found nothing.
            #expect(decoded?.isEmpty != true || kind == .nameItems || kind == .authorItems)
            kinds["\(service.name) \(kindName)\(decoded == nil ? ": words" : "")", default: 0] += 1
        }
        #expect(
            Set(kinds.keys) == [
                "openlibrary isbn", "openlibrary work", "openlibrary author", "openlibrary title: words",
                "google-books isbn", "isbndb isbn", "wikidata item", "wikidata authorItems",
                "wikidata nameItems",
            ])
    }
}
