import Database
import Formats
import Foundation
import Pipeline
import System
import TestSupport
import Testing

@testable import Jobs
@testable import Store

/// Imports with the user's rules for genres.
@Suite struct GenreRulesImportTests {
    private static let fantasyAsMagic = "genres: {Wizardry: [Fantasy, Fantasy fiction]}\n"

    /// A request whose definition names the rules.
    private static func request(
        _ sample: SampleImport, store: String, rules: String, job: String? = nil
    ) throws -> ImportRequest {
        var request = try sample.request(store: sample.folder.file(store))
        let source = try #require(request.definition.definitionSource)
        request.definition = try DefinitionSource(
            definition: source.definition,
            overrides: source.overrides + ["stages.NormalizeGenres.settings.rules=\(rules)"]
        ).read()
        request.jobName = job
        return request
    }

    private static func genres(_ sample: SampleImport, _ store: String) throws -> Set<String> {
        let query = try StoreFile.openForReading(sample.folder.file(store)).query(
            "SELECT DISTINCT g.value FROM works w, json_each(w.genres) g")
        var genres: Set<String> = []
        while try query.next() { genres.insert(query.string(0)) }
        return genres
    }

    @Test func `rules apply, and importing again with other rules updates the books`() async throws {
        let sample = try await SampleImport()
        try await sample.run("s.sqlite")
        #expect(try !Self.genres(sample, "s.sqlite").contains("Wizardry"))
        let rules = try sample.folder.write(Self.fantasyAsMagic, to: "genres.yaml")
        let outcome = try await ImportJob(
            Self.request(sample, store: "s.sqlite", rules: rules), clock: ManualClock()
        ).run()
        #expect(outcome.end == .completed && outcome.job.counts.booksUpdated > 0)
        #expect(try Self.genres(sample, "s.sqlite").contains("Wizardry"))
    }

    @Test func `a job continues with the rules it was started with`() async throws {
        let sample = try await SampleImport()
        let rules = try sample.folder.write(Self.fantasyAsMagic, to: "genres.yaml")
        let whole = try Self.request(sample, store: "w.sqlite", rules: rules)
        _ = try await ImportJob(whole, clock: ManualClock()).run()
        let stop = StopSignal()
        let begun = try Self.request(sample, store: "s.sqlite", rules: rules)
        let first = try await ImportJob(
            begun, clock: ManualClock(), stop: stop,
            observing: { event in
                if case .ran(.committed) = event { stop.raise() }
            }
        ).run()
        try #require(first.end == .stopped)
        try FileManager.default.removeItem(atPath: rules)
        var resumption = try sample.request(store: sample.folder.file("s.sqlite"))
        resumption.reading.files = []
        resumption.jobName = first.job.name
        resumption.pipelineChoice = .any
        #expect(try await ImportJob(resumption, clock: ManualClock()).run().end == .completed)
        #expect(try sample.dump("s.sqlite") == sample.dump("w.sqlite"))
    }

    @Test func `missing and wrong rules are reported before a store is created`() async throws {
        let sample = try await SampleImport()
        let wrong = try sample.folder.write("genre: {}\n", to: "wrong.yaml")
        for (rules, kind) in [
            (sample.folder.file("none.yaml"), ETLError.Kind.missing), (wrong, .configuration),
        ] {
            let request = try Self.request(sample, store: "new.sqlite", rules: rules)
            await #expect {
                _ = try await ImportJob(request, clock: ManualClock()).run()
            } throws: { error in
                (error as? ETLError)?.kind == kind
            }
            #expect(!FileManager.default.fileExists(atPath: request.storePath))
        }
    }
}
