import Books
import Database
import Foundation
import Pipeline
import System
import TestSupport
import Testing

@testable import Formats
@testable import Jobs
@testable import Queries
@testable import Store

/// Imports with the user's rules for shelves, ratings and authors.
@Suite struct MappingRulesImportTests {
    private static let abandoned = "shelves: {favorites: {status: did-not-finish, tag: loved}}\n"

    /// Small batches, so that a run can be stopped before its end.
    private let sample: SampleImport

    init() async throws { sample = try await SampleImport() }

    private func rules(_ text: String) throws -> MappingRules {
        try MappingRules(Array(text.utf8), named: "rules.yaml")
    }

    private func request(_ store: String, _ rules: MappingRules? = nil) throws -> ImportRequest {
        var request = try sample.request(store: sample.folder.file(store))
        guard let rules else { return request }
        request.reading.rules = rules
        request.rulesPath = rules.file.name
        return request
    }

    @discardableResult
    private func run(_ request: ImportRequest, stop: StopSignal? = nil) async throws -> ImportOutcome {
        try await ImportJob(
            request, clock: ManualClock(), stop: stop ?? StopSignal(),
            observing: { if case .ran(.committed) = $0 { stop?.raise() } }
        ).run()
    }

    private func shelves(_ store: String) throws -> Set<String> {
        let query = try StoreFile.openForReading(sample.folder.file(store)).query(
            "SELECT DISTINCT ifnull(shelf, '') || ':' || trim(s.value) FROM entries, "
                + "json_each('[' || replace(json_quote(ifnull(shelves, '')), ',', '\",\"') || ']') s")
        var shelves: Set<String> = []
        while try query.next() { shelves.insert(query.string(0)) }
        return shelves
    }

    private func remember(_ rules: MappingRules?, in store: String, for library: String = "default") throws {
        let library = LibraryRules(of: library, in: sample.folder.file(store))
        if let rules { try library.set(rules, now: 1) } else { _ = try library.clear() }
    }

    @Test func `rules apply, and importing the file again with the same rules changes nothing`() async throws
    {
        let rules = try rules(Self.abandoned)
        try await run(request("s.sqlite", rules))
        let found = try shelves("s.sqlite")
        #expect(found.contains("did-not-finish:loved") && !found.contains { $0.hasSuffix(":favorites") })
        let again = try await run(request("s.sqlite", rules))
        #expect(again.job.counts.booksUpdated == 0 && again.job.counts.booksCreated == 0)
        // Rules that came later are applied by importing the file again.
        let without = try await run(request("s.sqlite"))
        #expect(without.job.counts.booksUpdated > 0)
        try await run(request("n.sqlite"))
        #expect(try shelves("s.sqlite") == shelves("n.sqlite"))
    }

    @Test func `a library applies the rules that it remembers, and no other library does`() async throws {
        let rules = try rules(Self.abandoned)
        try remember(rules, in: "r.sqlite")
        let outcome = try await run(request("r.sqlite"))
        #expect(outcome.job.options?.rules == rules.file && outcome.job.options?[.rules] == nil)
        try await run(request("s.sqlite", rules))
        #expect(try sample.dump("r.sqlite") == sample.dump("s.sqlite"))
        var other = try request("r.sqlite")
        other.library = "anna"
        #expect(try await run(other).job.options?.rules == nil)
        var none = try request("r.sqlite")
        none.rulesPath = ImportRequest.noRules
        #expect(try await run(none).job.options?.rules == nil)
        try remember(nil, in: "r.sqlite")
        #expect(try LibraryRules(of: "default", in: sample.folder.file("r.sqlite")).file() == nil)
        #expect(try await run(request("r.sqlite")).job.options?.rules == nil)
    }

    @Test func `a job continues with the rules it was started with, whatever the library says`() async throws
    {
        let rules = try rules(Self.abandoned)
        try await run(request("w.sqlite", rules))
        try remember(rules, in: "s.sqlite")
        let first = try await run(request("s.sqlite"), stop: StopSignal())
        try #require(first.end == .stopped)
        try remember(try self.rules("shelves: {favorites: drop}"), in: "s.sqlite")
        #expect(try await run(request("s.sqlite")).end == .completed)
        #expect(try sample.dump("s.sqlite") == sample.dump("w.sqlite"))
        // A job without rules continues without them.
        let bare = try await run(request("b.sqlite"), stop: StopSignal())
        try #require(bare.end == .stopped)
        try remember(rules, in: "b.sqlite")
        #expect(try await run(request("b.sqlite")).end == .completed)
        try await run(request("n.sqlite"))
        #expect(try sample.dump("b.sqlite") == sample.dump("n.sqlite"))
    }

    @Test func `the size of batches makes no difference`() async throws {
        let rules = try rules(Self.abandoned)
        try await run(request("a.sqlite", rules))
        var large = sample
        (large.batchRecords, large.batchesPerCommit) = (512, nil)
        var request = try large.request(store: sample.folder.file("b.sqlite"))
        (request.reading.rules, request.rulesPath) = (rules, rules.file.name)
        try await run(request)
        #expect(try sample.dump("a.sqlite") == sample.dump("b.sqlite"))
    }

    @Test func `a dry run applies remembered rules`() async throws {
        let rules = try rules(Self.abandoned)
        try await run(request("s.sqlite"))
        try remember(rules, in: "s.sqlite")
        var dry = try request("s.sqlite")
        dry.isDryRun = true
        #expect(try await run(dry).job.counts.booksUpdated > 0)
    }

    @Test func `an entry keeps its identity, and its explanation and exports have the rule`() async throws {
        var sample = sample
        sample.files = [
            try sample.folder.write(
                "Title,Author,Shelf,Rating\nOn Books,Mark Twain,dnf-2020,8\nOthers,Jane Doe,read,4\n",
                to: "t.csv")
        ]
        func request(_ rules: MappingRules?) throws -> ImportRequest {
            var request = try sample.request(store: sample.folder.file("e.sqlite"))
            request.catalogPaths = []
            (request.reading.rules, request.rulesPath) = (rules, rules?.file.name)
            return request
        }
        try await run(request(nil))
        let rules = try rules(
            """
            shelves: {dnf-2020: {status: did-not-finish}}
            ratings: {scale: 10}
            authors: {Mark Twain: Samuel Clemens}
            """)
        #expect(try await run(request(rules)).job.counts.booksCreated == 0)
        let connection = try StoreFile.openForReading(sample.folder.file("e.sqlite"))
        #expect(try connection.number("SELECT count(*) FROM entries") == 2)
        let explanation = try Explainer(connection).explain(.row(2, file: nil))
        let entry = try #require(explanation.entries.first)
        #expect(entry.shelf == "did-not-finish" && entry.rating == 4)
        #expect(
            entry.rules.map { "\($0.field):\($0.before):\($0.after)" } == [
                "exclusiveShelf:dnf-2020:did-not-finish", "rating:8:4.0", "author:Mark Twain:Samuel Clemens",
            ])
        #expect(entry.rules.map { "\($0.origin)" }.allSatisfy { $0.hasPrefix("rules.yaml:") })
        let id = try connection.number("SELECT id FROM entries ORDER BY id LIMIT 1")
        #expect(try EntryReader(connection).entry(id)?.people.map(\.name) == ["Samuel Clemens"])
    }

    @Test func `a stored library is surveyed like its file`() async throws {
        try await run(request("s.sqlite"))
        let connection = try StoreFile.openForReading(sample.folder.file("s.sqlite"))
        let stored = try RuleProposal(RuleSurvey.counts(of: "default", in: connection))
        let read = try await RuleProposal(RuleSurvey.counts(of: ReadSettings(files: sample.files)))
        #expect(stored.text == read.text)
        #expect((try? RuleSurvey.counts(of: "nobody", in: connection)) == nil)
    }

    @Test func `proposals for real exports are files of rules`() async throws {
        for (name, _) in TestFiles.goodreadsExports {
            let settings = ReadSettings(files: [TestFiles.path("goodreads/\(name)")])
            let proposal = try await RuleProposal(RuleSurvey.counts(of: settings))
            _ = try MappingRules(Array(proposal.text.utf8), named: name)
        }
    }
}
