import Foundation
import Pipeline
import System
import TestSupport
import Testing

@testable import Database
@testable import Formats
@testable import Jobs
@testable import Queries
@testable import Store

/// `etl enrich` with catalogs: which books change, and how (`docs/nightly.md`).
@Suite struct RefreshTests {
    private let sample: SampleImport
    private var store: String { sample.folder.file("s.sqlite") }

    /// A library that was imported without a catalog.
    init() async throws {
        var sample = try await SampleImport()
        let catalog = sample
        sample.asksCatalog = false
        self.sample = catalog
        try await sample.run("s.sqlite")
    }

    private func refresh(
        _ options: RefreshOptions = RefreshOptions(), as name: String = UUID().uuidString,
        stop: StopSignal = StopSignal(), expecting: [String] = [], accepting: Bool = false,
        observingCommits: (@Sendable (ResultsStore.CommitPoint) -> Void)? = nil
    ) async throws -> ImportOutcome {
        var request = try RefreshRuns.request(
            store, options, catalogs: [sample.catalog], name: name, batchRecords: 8, sink: expecting)
        request.acceptsViolations = accepting
        return try await ImportJob(
            request, clock: ManualClock(), stop: stop, observingCommits: observingCommits
        ).run()
    }

    private var dump: String { get throws { try sample.dump("s.sqlite") } }

    private func count(_ sql: String) throws -> Int64 { try StoreFile.openForReading(store).number(sql) }

    /// The entries with all that the user noted.
    private func entries() throws -> [String] {
        try dump.split(separator: "\n").filter { $0.contains(#""kind":"entry""#) }.map(String.init)
    }

    @Test func `a catalog adds what it knows, and the entries stay as they are`() async throws {
        let before = try entries()
        let outcome = try await refresh(as: "first")
        #expect(outcome.end == .completed)
        #expect(outcome.job.counts.booksUpdated > 100 && outcome.job.counts.booksCreated == 0)
        #expect(try count("SELECT count(*) FROM works WHERE cover IS NOT NULL") > 90)
        #expect(try entries() == before)
        #expect(try StoreCheck(StoreFile.openForReading(store)).problems().isEmpty)
    }

    @Test func `a refresh that brings nothing new changes nothing and keeps no before-image`() async throws {
        _ = try await refresh(as: "first")
        let before = try dump
        let again = try await refresh(as: "second")
        #expect(again.job.counts.booksUpdated == 0 && again.job.counts.duplicatesSkipped > 100)
        #expect(try dump == before)
        for table in JournaledTable.allCases {
            let own =
                "SELECT count(*) FROM \(table.images) i JOIN runs r ON r.id = i.run WHERE r.job = \(again.job.id)"
            #expect(try count(own) == 0, "\(table)")
        }
    }

    @Test func `undoing a refresh restores the library, and undoing that refreshes it`() async throws {
        let before = try dump
        _ = try await refresh(as: "first")
        let after = try dump
        let undo = UndoRequest(jobs: ["first"], name: "back")
        _ = try await ResultsStore(store, clock: ManualClock()).undo(undo)
        #expect(try dump == before)
        _ = try await ResultsStore(store, clock: ManualClock()).undo(
            UndoRequest(jobs: ["back"], name: "forth"))
        #expect(try dump == after)
    }

    @Test func `an import is not blocked from being undone by a refresh that changed nothing`() async throws {
        _ = try await refresh(as: "first")
        _ = try await refresh(as: "second")
        let history = try #require(try JobTable(StoreFile.openForReading(store)).job(named: "second"))
        #expect(history.counts.booksUpdated == 0)
        _ = try await ResultsStore(store, clock: ManualClock()).undo(
            UndoRequest(jobs: ["first"], name: "back"))
    }

    @Test func `the mode fill leaves values that are there`() async throws {
        let changed =
            "SELECT count(*) FROM before_works b JOIN works w ON w.id = b.id WHERE w.title <> b.title"
        _ = try await refresh(RefreshOptions(mode: .fill), as: "fill")
        #expect(try count(changed) == 0)
        _ = try await refresh(as: "replace")
        #expect(try count(changed) > 0)
    }

    @Test func `only the fields that are named change`() async throws {
        var options = RefreshOptions()
        options.fields = ["cover"]
        _ = try await refresh(options, as: "covers")
        #expect(try count("SELECT count(*) FROM works WHERE cover IS NOT NULL") > 90)
        #expect(
            try count("SELECT count(*) FROM works WHERE subjects IS NOT NULL OR description IS NOT NULL") == 0
        )
    }

    @Test func `conditions and missing fields choose the books`() async throws {
        var french = RefreshOptions()
        french.condition = "title starts with 'The ' and rating >= 4"
        let chosen = try await refresh(french)
        let wanted = try count(
            """
            SELECT count(DISTINCT e.edition) FROM entries e JOIN editions d ON d.id = e.edition
            JOIN works w ON w.id = d.work WHERE coalesce(d.title, w.title) LIKE 'The %' AND e.rating >= 4
            """)
        #expect(
            wanted > 3 && chosen.job.counts.totalProcessed <= Int(wanted)
                && chosen.job.counts.totalProcessed > 0)
        _ = try await refresh(as: "all")
        var missing = RefreshOptions()
        missing.missing = ["cover"]
        let left = try await refresh(missing)
        let lacking = try count(
            """
            SELECT count(*) FROM editions d JOIN works w ON w.id = d.work
            WHERE d.cover IS NULL AND w.cover IS NULL
            """)
        #expect(left.job.counts.totalProcessed == Int(lacking) && lacking > 0)
    }

    @Test func `after an import with the same catalog there is nothing new`() async throws {
        var enriched = sample
        enriched.asksCatalog = true
        // Open Library knows another Book Id of Goodreads for this edition.
        let export = try String(
            contentsOfFile: ProjectFiles.sample("goodreads_library_export.csv"), encoding: .utf8)
        let lines = export.split(separator: "\n")
        let row = try #require(lines.first { $0.contains("9780441007318") })
        let other = "60929" + row.drop { $0 != "," }
        try "\(lines[0])\n\(other)\n".write(
            toFile: sample.folder.file("other.csv"), atomically: true, encoding: .utf8)
        enriched.files = [sample.folder.file("other.csv")]
        try await enriched.run("enriched.sqlite")
        let path = sample.folder.file("enriched.sqlite")
        let before = try sample.dump("enriched.sqlite")
        let outcome = try await ImportJob(
            RefreshRuns.request(
                path, RefreshOptions(), catalogs: [sample.catalog], name: "night", batchRecords: 8, sink: []),
            clock: ManualClock(), stop: StopSignal()
        ).run()
        #expect(outcome.end == .completed && outcome.job.counts.totalProcessed == 1)
        #expect(outcome.job.counts.booksUpdated == 0)
        #expect(try sample.dump("enriched.sqlite") == before)
        let ids = "SELECT count(*) FROM editions WHERE goodreads = '60929' AND providers IS NOT NULL"
        #expect(try StoreFile.openForReading(path).number(ids) == 1)
    }

    @Test func `a limit ends a job, and the number of books is bounded by it`() async throws {
        var options = RefreshOptions()
        options.limit = 10
        let outcome = try await refresh(options)
        #expect(outcome.end == .completed && outcome.job.counts.totalProcessed == 10)
    }

    @Test func `a stopped refresh continues with the books that are left`() async throws {
        let stop = StopSignal()
        let first = try await refresh(as: "night", stop: stop) { point in
            if case .afterCommit = point { stop.raise() }
        }
        #expect(first.end == .stopped)
        let done = first.job.counts.totalProcessed
        #expect(done > 0 && done < 100)
        let second = try await refresh(as: "night")
        #expect(second.end == .completed)
        #expect(second.job.counts.totalProcessed == Int(try count("SELECT count(*) FROM refreshes")))
        let whole = try dump
        _ = try await ResultsStore(store, clock: ManualClock()).undo(
            UndoRequest(jobs: ["night"], name: "back"))
        _ = try await refresh(as: "at once")
        #expect(try dump == whole)
    }

    private func genresOfWorks() throws -> [String] {
        let read = try StoreFile.openForReading(store).query(
            "SELECT ifnull(genres, '') FROM works ORDER BY id")
        var genres: [String] = []
        while try read.next() { genres.append(read.string(0)) }
        return genres
    }

    @Test func `what the user has set or locked is not refreshed`() async throws {
        let isbn = "9780441007318"
        _ = try await LibraryEdits(store).edit(
            BookReference(isbn), library: nil, pipeline: "set",
            [
                (.title, .set(["My Darkness"])), (.publisher, .set([])), (.workCover, .lock),
                (.editionCover, .lock),
            ])
        let outcome = try await refresh(as: "first")
        #expect(outcome.job.counts.booksUpdated > 100)
        let read = try StoreFile.openForReading(store).query(
            """
            SELECT w.title, d.publisher, w.cover, d.cover, w.subjects FROM editions d JOIN works w ON w.id = d.work
            WHERE d.isbn = \(isbn)
            """)
        #expect(try read.next())
        #expect(read.string(0) == "My Darkness" && read.optionalString(4) != nil)
        #expect((1...3).allSatisfy { read.isNull($0) })
    }

    @Test func `a removed book is not refreshed, and leaves no trace of refreshes`() async throws {
        _ = try await refresh(as: "first")
        let books = try count("SELECT count(*) FROM refreshes")
        let change = try await LibraryEdits(store).remove(BookReference("9780441007318"), library: nil).change
        #expect(try count("SELECT count(*) FROM refreshes") == books - Int64(change.rows.editions.deleted))
        #expect(change.rows.editions.deleted > 0)
        #expect(try StoreCheck(StoreFile.openForReading(store)).problems().isEmpty)
        _ = try await refresh(as: "second")
        #expect(try StoreCheck(StoreFile.openForReading(store)).problems().isEmpty)
    }

    @Test func `the newest change is that of a refresh, unless that found nothing new`() async throws {
        func newest() throws -> String {
            let connection = try StoreFile.openForReading(store)
            return try #require(LibraryDifference(connection, of: nil).jobs.first).name
        }
        _ = try await refresh(as: "first")
        #expect(try newest() == "first")
        _ = try await refresh(as: "second")
        #expect(try newest() == "first")
        let edit = try await LibraryEdits(store).edit(
            BookReference("9780441007318"), library: nil, pipeline: "set",
            [(.title, .set(["Darkness, mine"]))])
        #expect(try newest() == edit.job)
    }

    @Test func `pruning deletes old refreshes and corrections, and what follows works as before`()
        async throws
    {
        _ = try await refresh(as: "first")
        _ = try await refresh(as: "second")
        let edit = try await LibraryEdits(store).edit(
            BookReference("9780441007318"), library: nil, pipeline: "set",
            [(.title, .set(["Darkness, mine"]))])
        let name = try #require(edit.job)
        for (job, undo) in [(name, "back"), ("back", "forth"), (name, "again")] {
            _ = try await ResultsStore(store, clock: ManualClock()).undo(UndoRequest(jobs: [job], name: undo))
        }
        _ = try await refresh(as: "last")
        let before = try dump
        let pruning = try Pruning(of: store, olderThan: 0, now: 1 << 42, waiting: LockWaitPolicy())
        #expect(pruning.finishedJobs == ["first", "second", name, "back", "forth", "again"])
        let left = try JobTable(StoreFile.openForReading(store)).all().map(\.name)
        // The newest job keeps its number.
        #expect(left.first == "last" && left.count == 2)
        #expect(try dump == before)
        #expect(try StoreCheck(StoreFile.openForReading(store)).problems().isEmpty)
        // Nothing is due twice, and new jobs can be undone.
        #expect(try await refresh(as: "next").job.counts.booksUpdated == 0)
        let again = try await LibraryEdits(store).edit(
            BookReference("9780441007318"), library: nil, pipeline: "set", [(.title, .set(["Other"]))])
        _ = try await ResultsStore(store, clock: ManualClock()).undo(
            UndoRequest(jobs: [#require(again.job)], name: "undone"))
        #expect(try dump == before)
    }

    @Test func `genres are derived again from what is stored, and that can be undone`() async throws {
        _ = try await refresh(as: "first")
        let stored = try genresOfWorks()
        var genres = RefreshOptions()
        genres.only = .genres
        #expect(try await refresh(genres).job.counts.booksUpdated == 0)
        try Connection(store, .readWrite).execute(
            "UPDATE works SET genres = '[\"Nonsense\"]' WHERE genres IS NOT NULL")
        let wrong = try dump
        #expect(try genresOfWorks() != stored)
        let again = try await refresh(genres, as: "genres")
        #expect(again.job.counts.booksUpdated > 90)
        #expect(try genresOfWorks() == stored)
        #expect(try await refresh(genres).job.counts.booksUpdated == 0)
        _ = try await ResultsStore(store, clock: ManualClock()).undo(
            UndoRequest(jobs: ["genres"], name: "back"))
        #expect(try dump == wrong)
    }

    @Test func `matching again from catalogs and cached answers finds what a refresh finds`() async throws {
        var matching = RefreshOptions()
        matching.only = .matching
        _ = try await refresh(matching, as: "matching")
        let found = try dump
        #expect(try await refresh().job.counts.booksUpdated == 0)
        #expect(try dump == found)
    }

    @Test func `a job that changes more than expected stays unfinished until it is accepted`() async throws {
        let expected = ["expect=changed <= 5 %"]
        let first = try await refresh(as: "night", expecting: expected)
        guard case .violated(let violations, undoneBy: nil) = first.end else {
            Issue.record("\(first.end)")
            return
        }
        #expect(violations.count == 1 && violations[0].hasPrefix("`changed <= 5 %`: changed is 9"))
        #expect(first.job.isUnfinished)
        let again = try await refresh(as: "night", expecting: expected)
        #expect(again.end == first.end)
        #expect(try await refresh(as: "night", expecting: expected, accepting: true).end == .completed)
        // Equal values change nothing.
        #expect(try await refresh(as: "second", expecting: expected).end == .completed)
    }

    @Test func `a job that violates an expectation is undone if the pipeline says so`() async throws {
        let before = try dump
        let outcome = try await refresh(
            as: "night", expecting: ["expect=fill_rate(cover) >= 99 %", "on_violation=undo"])
        guard case .violated(_, undoneBy: .some) = outcome.end else {
            Issue.record("\(outcome.end)")
            return
        }
        #expect(try dump == before)
    }

    @Test func `expectations are checked with their columns`() throws {
        #expect(try RunExpectation("not_found <= 10 % and removed = 0").fields.isEmpty)
        #expect(try RunExpectation("fill_rate( cover ) >= 0.8 and changed < 1").fields == ["cover"])
        #expect { _ = try RunExpectation("fill_rate(cover) > 0.8 and changd < 1") } throws: {
            ($0 as? ExpressionError)?.column == 28
                && ($0 as? ExpressionError)?.advice == "Did you mean `changed`?"
        }
    }

    @Test func `a library that does not exist is named`() async throws {
        var options = RefreshOptions()
        options.library = "anna"
        await #expect(throws: ETLError.self) { _ = try await refresh(options) }
    }
}

/// Requests for refreshes in tests.
enum RefreshRuns {
    static func request(
        _ store: String, _ options: RefreshOptions, catalogs: [String] = [], name: String,
        batchRecords: Int = 64, sink settings: [String] = []
    ) throws -> ImportRequest {
        let definition = try DefinitionFile.read(
            DefinitionFile.load("\(ProjectFiles.root)/Pipelines/batch_enrichment.yaml"),
            named: "batch_enrichment.yaml",
            overrides: [
                DefinitionOverride(option: "source.settings.batch.records=\(batchRecords)"),
                DefinitionOverride(option: "sink.settings.commit.batches=1"),
            ] + settings.map { setting in try DefinitionOverride(option: "sink.settings.\(setting)") })
        var request = ImportRequest(
            reading: ReadSettings(files: []), storePath: store, freshName: name, definition: definition)
        request.catalogPaths = catalogs
        request.mode = .refresh(RefreshRequest(options))
        return request
    }
}
