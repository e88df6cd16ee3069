import Foundation
import Pipeline
import TestSupport
import Testing

@testable import Application
@testable import Books
@testable import Database
@testable import FakeServices
@testable import Services
@testable import Syntax

/// Imports from answers that are kept already, by whichever version and on whichever way they came into the store.
@Suite struct KeptAnswersImportTests {
    /// How a store came by its answers.
    enum Way: Sendable, CaseIterable {
        /// `etl cache import` has read them.
        case takenIn
        /// They were kept by a version that kept words alone.
        case wordsAlone
        /// Gists are there, but are made otherwise now.
        case oldGists
        /// What was kept as a gist is none.
        case noGists
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
        settings.firstWaitPolicy = .patient
        settings.stateFolder = nil
        return settings
    }

    /// Imports into a store that has the answers; whoever asks is turned away.
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

    @Test(arguments: Way.allCases)
    func `what comes of kept answers does not tell how they were kept`(way: Way) async throws {
        let store = library.folder.file("s.sqlite")
        let readers = way == .wordsAlone ? [] : ServiceDefinition.all.map(\.reader)
        #expect(try AnswerImport.take(answers, into: store, readBy: readers).taken > 100)
        switch way {
        case .takenIn, .wordsAlone: break
        case .oldGists: try change("s.sqlite", "UPDATE answers SET gist_version = 0, gist = x'00'")
        case .noGists: try change("s.sqlite", "UPDATE answers SET gist = NULL")
        }
        let (outcome, calls) = try await imported("s.sqlite")
        #expect(outcome.end == .completed)
        #expect(outcome.job.pending == 0)
        #expect(calls == 0)
        #expect(try library.dump("s.sqlite") == dump)
    }

    @Test func `an answer that was kept damaged is malformed, and no record is lost`() async throws {
        _ = try AnswerImport.take(
            answers, into: library.folder.file("s.sqlite"), readBy: ServiceDefinition.all.map(\.reader))
        try change(
            "s.sqlite",
            "UPDATE answers SET gist = substr(gist, 1, length(gist) / 2) WHERE gist IS NOT NULL AND key > 'isbn:'"
        )
        let (outcome, _) = try await imported("s.sqlite")
        #expect(outcome.end == .completed)
        #expect(outcome.job.counts.totalProcessed == 60)
    }

    @Test func `what a service says is kept with its gist, the same that its words come to`() async throws {
        let connection = try StoreFile.openForReading(library.folder.file("first.sqlite"))
        let services = Dictionary(
            uniqueKeysWithValues: ServiceDefinition.all.map(\.reader).map { ($0.name, $0) })
        let read = try connection.prepare(
            "SELECT service, key, body, fetched_at, gist_version, gist FROM answers WHERE body IS NOT NULL")
        var kinds: [String: Int] = [:]
        while try read.step() {
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
