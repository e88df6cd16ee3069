import Books
import Formats
import Foundation
import Pipeline
import Services
import TestSupport
import Testing

@testable import Database
@testable import FakeServices
@testable import Jobs
@testable import Queries
@testable import Store
@testable import System

/// `etl import --join`: entries that are certainly of one book become one at the end of the import, as a part of it.
@Suite struct JoinedImportTests {
    private let library: EditedLibrary

    init() async throws { library = try await EditedLibrary() }

    private func goodreads() throws -> String {
        try GoodreadsRows.write(
            [EditedLibrary.dune(review: "Good."), EditedLibrary.emma], to: library.folder)
    }

    private func request(_ files: [String], as name: String) throws -> ImportRequest {
        var sample = library.sample
        sample.files = files
        // Each record is committed on its own, so that a kill between any two of them can be tried.
        (sample.batchRecords, sample.batchesPerCommit) = (1, 1)
        var request = try sample.request(store: library.path)
        request.jobName = name
        request.joins = true
        return request
    }

    private func other() throws -> String {
        try library.folder.write(EditedLibrary.storyGraph, to: "\(UUID().uuidString).csv")
    }

    @discardableResult
    private func joining(_ files: [String], as name: String) async throws -> ImportOutcome {
        let outcome = try await ImportJob(try request(files, as: name), clock: ManualClock()).run()
        #expect(outcome.end == .completed)
        try library.checkStore()
        return outcome
    }

    private func count(_ table: String) throws -> Int64 {
        try StoreFile.openForReading(library.path).number("SELECT count(*) FROM \(table)")
    }

    @Test func `what is certain is joined in the import's own job, and an undo undoes both`() async throws {
        try await library.rows([EditedLibrary.dune(review: "Good."), EditedLibrary.emma], as: "goodreads")
        let before = try library.dump
        let outcome = try await joining([try other()], as: "storygraph")
        #expect(outcome.job.runState.joined == 2 && outcome.duplicatesToReview == 0)
        #expect(outcome.job.counts.booksCreated == 3)
        #expect(try count("entries") == 3 && count("jobs") == 2)
        #expect(try library.values("id:1", .rating) == ["3.75"])
        #expect(try library.values("id:1", .review) == ["Good.\n\nSandy."])
        #expect(try library.values("id:1", .dateStarted) == ["2021-05-18"])

        let joined = try library.dump
        let undo = try await library.undo("storygraph")
        #expect(try library.dump == before)
        try library.checkStore()
        _ = try await library.undo(undo.job?.name)
        #expect(try library.dump == joined)
        try library.checkStore()
    }

    @Test func `two exports in one import of a new store are joined, and an undo leaves nothing`()
        async throws
    {
        let files = [try goodreads(), try other()]
        let outcome = try await joining(files, as: "both")
        #expect(outcome.job.runState.joined == 2)
        #expect(try count("entries") == 3)
        let joined = try library.dump
        _ = try await library.undo("both")
        for table in ["entries", "removed_entries", "edits", "works", "aliases"] {
            #expect(try count(table) == 0, "\(table)")
        }
        // Nothing is left that would keep the books away.
        try await joining(files, as: "again")
        #expect(try library.dump == joined)
    }

    /// Another edition of Dune, in both programs.
    private static let copy = GoodreadsRows.row(
        "3", "Dune", "Frank Herbert", "9780441013593", date: "2020/01/03")
    private static let otherCopy = "Dune,Frank Herbert,9780441013593,hardcover,read,,,,1,,,,No\n"

    @Test func `copies that both programs have are joined one by one, and then nothing more`() async throws {
        try await library.rows([EditedLibrary.dune(), EditedLibrary.emma, Self.copy], as: "goodreads")
        for (number, lines) in [EditedLibrary.storyGraph + Self.otherCopy, Self.reversed].enumerated() {
            let file = try library.folder.write(lines, to: "\(number).csv")
            let outcome = try await joining([file], as: "storygraph-\(number)")
            #expect(outcome.job.runState.joined == 3 && outcome.duplicatesToReview == 1)
            #expect(try library.values("id:1", .dateRead) == ["2021-05-26"])
            #expect(try library.values("id:3", .dateRead) == [])
            let joined = try library.dump
            let again = try await joining([file], as: "again-\(number)")
            #expect(again.job.runState.joined == 0 && again.duplicatesToReview == 1)
            #expect(try library.dump == joined)
            for job in ["again-\(number)", "storygraph-\(number)"] { _ = try await library.undo(job) }
        }
    }

    /// The rows in the opposite order.
    private static let reversed: String = {
        let lines = (EditedLibrary.storyGraph + otherCopy).split(separator: "\n").map(String.init)
        return ([lines[0]] + lines.dropFirst().reversed()).joined(separator: "\n") + "\n"
    }()

    @Test func `a second copy in the other program is not joined later either`() async throws {
        try await library.rows([EditedLibrary.dune(), EditedLibrary.emma], as: "goodreads")
        let file = try library.folder.write(EditedLibrary.storyGraph + Self.otherCopy, to: "two.csv")
        let outcome = try await joining([file], as: "storygraph")
        #expect(outcome.job.runState.joined == 2 && outcome.duplicatesToReview == 1)
        let joined = try library.dump
        let again = try await joining([file], as: "again")
        #expect(again.job.runState.joined == 0)
        #expect(try library.dump == joined)
    }

    @Test(arguments: [0, 1])
    func `an import killed at any moment joins everything once`(copies copyCount: Int) async throws {
        let copies = [Self.copy, Self.otherCopy]
        try await library.rows(
            [EditedLibrary.dune(review: "Good."), EditedLibrary.emma] + copies.prefix(copyCount),
            as: "goodreads")
        let file = try library.folder.write(
            EditedLibrary.storyGraph + copies.suffix(copyCount).joined(), to: "other.csv")
        let store = library.folder.file("watched.sqlite")
        try StoreFile.copy(library.path, to: store)
        let stores = CommitCopies(of: "watched.sqlite", in: library.folder)
        var whole = try request([file], as: "storygraph")
        whole.storePath = store
        let outcome = try await ImportJob(whole, clock: ManualClock(), observingCommits: stores.take).run()
        let expected = try library.sample.dump("watched.sqlite")
        #expect(outcome.job.runState.joined == 2 + copyCount)
        var states: Set<String> = []
        for name in stores.names {
            var request = whole
            request.storePath = library.folder.file(name)
            let found = try JobTable(StoreFile.openForReading(request.storePath)).job(named: "storygraph")
            let state = "\(found?.counts.totalProcessed ?? 0) \(found?.runState.joined ?? 0)"
            states.insert(found?.status == .completed ? "end" : state)
            if found?.status != .completed {
                let resumed = try await ImportJob(request, clock: ManualClock()).run()
                #expect(resumed.end == .completed && resumed.job.runState.joined == 2 + copyCount, "\(name)")
            }
            #expect(try library.sample.dump(name) == expected, "\(name)")
            let connection = try StoreFile.openForReading(library.folder.file(name))
            #expect(try StoreCheck(connection).problems().isEmpty, "\(name)")
        }
        // Records read, and entries joined: also everything read and nothing joined, and both done.
        let all = 3 + copyCount
        #expect(
            states.isSuperset(of: ["0 0", "1 0", "2 0", "\(all) 0", "\(all) \(2 + copyCount)"]), "\(states)")
    }

    @Test func `a resumed job joins although the option is not repeated`() async throws {
        try await library.rows([EditedLibrary.dune()], as: "goodreads")
        let stop = StopSignal()
        // More than are read ahead.
        let more = (1...60).map { "Book \($0),Ana Lee,,paperback,read,,,,1,,,,No\n" }.joined()
        let file = try library.folder.write(EditedLibrary.storyGraph + more, to: "long.csv")
        var request = try request([file], as: "storygraph")
        let first = try await ImportJob(
            request, clock: ManualClock(), stop: stop,
            observing: { if case .ran(.committed) = $0 { stop.raise() } }
        ).run()
        #expect(first.end == .stopped && first.duplicatesToReview == nil)
        request.joins = false
        let resumed = try await ImportJob(request, clock: ManualClock()).run()
        #expect(resumed.end == .completed && resumed.job.runState.joined == 1)
        #expect(try count("entries") == 63)
    }

    @Test func `with nothing to join, the import is as without the option`() async throws {
        let file = try goodreads()
        let outcome = try await joining([file], as: "joining")
        #expect(outcome.job.runState.joined == 0 && outcome.duplicatesToReview == 0)
        let dump = try library.dump
        _ = try await library.undo("joining")
        var plain = try request([file], as: "plain")
        plain.joins = false
        let other = try await ImportJob(plain, clock: ManualClock()).run()
        #expect(other.job.runState.joined == nil && other.duplicatesToReview == nil)
        #expect(try library.dump == dump)
    }

    @Test func `what was joined before stays, whichever export comes again`() async throws {
        let files = [try goodreads(), try other()]
        try await joining(files, as: "both")
        let joined = try library.dump
        for (number, file) in (files + files).enumerated() {
            let outcome = try await joining([file], as: "again-\(number)")
            #expect(outcome.job.runState.joined == 0)
            #expect(try library.dump == joined)
        }
    }

    @Test func `second copies and similar books stay, and are counted`() async throws {
        let copy = GoodreadsRows.row("3", "Dune", "Frank Herbert", "9780441013593", date: "2020/01/03")
        let file = try GoodreadsRows.write([EditedLibrary.dune(), copy], to: library.folder)
        let outcome = try await joining([file], as: "copies")
        #expect(outcome.job.runState.joined == 0 && outcome.duplicatesToReview == 1)
        #expect(try count("entries") == 2)
        let listed = try DuplicateList(
            StoreFile.openForReading(library.path), of: "default", includesSimilar: true)
        #expect(listed.groups.count == 1)
    }

    @Test func `what corrections add is joined, too`() async throws {
        try await library.rows([EditedLibrary.dune(), EditedLibrary.emma], as: "goodreads")
        let file = try library.folder.write(
            EditedLibrary.storyGraph.replacing("Dune,Frank", with: ",Frank").replacing(
                "9780441172719", with: ""),
            to: "other.csv")
        let first = try await joining([file], as: "storygraph")
        #expect(first.job.runState.joined == 1 && first.job.counts.rejected == 1)
        var request = try request([], as: "storygraph")
        request.mode = .corrections(
            try .init(
                library.folder.write(
                    "Title,Authors,ISBN/UID,_etl_row\nDune,Frank Herbert,9780441172719,2\n",
                    to: "corrected.csv")))
        request.pipelineChoice = .any
        let corrected = try await ImportJob(request, clock: ManualClock()).run()
        #expect(corrected.corrections?.corrected == 1 && corrected.job.runState.joined == 2)
        #expect(try count("entries") == 3)
        try library.checkStore()
    }

    @Test func `other libraries are left alone, and so are corrections by hand`() async throws {
        try await library.rows([EditedLibrary.dune()], as: "anna", in: "anna")
        try await library.rows([EditedLibrary.dune(), EditedLibrary.emma], as: "goodreads")
        try await library.set("id:2", [.notes: "Mine."])
        let outcome = try await joining([try other()], as: "storygraph")
        #expect(outcome.job.runState.joined == 2)
        #expect(try library.values("id:2", .notes) == ["Mine."])
        #expect(try count("entries WHERE library = (SELECT id FROM libraries WHERE name = 'anna')") == 1)
    }

    @Test func `a job that is run again with more answers joins again`() async throws {
        let (sample, clock) = (try NetworkImport(records: 40, named: true), ManualClock())
        let known = FakeClient.isbns(known: 12, unknown: 0).known
        let rows = known.enumerated().compactMap { number, isbn in
            FakeLibrary().book(isbn).map { book in
                GoodreadsRows.row(
                    "\(number)", book.title, book.authorName, isbn.isbn13, date: "2020/01/01",
                    review: "Review \(number).")
            }
        }
        let earlier = try GoodreadsRows.write(rows, to: sample.folder)
        func run(_ store: String, _ faults: [String: FakeFaults], again: Bool = false) async throws
            -> ImportOutcome
        {
            var services = sample.settings(FakeTransport(FakeServices(faults: faults), clock: clock))
            services.firstWaitPolicy = .noTimeout
            services.leaveOut(["google-books", "isbndb", "wikidata"])
            var request = try sample.request(store, services)
            request.joins = true
            if again { (request.jobName, request.mode) = ("job", .pending) }
            return try await ImportJob(request, clock: clock).run()
        }
        for store in ["late.sqlite", "early.sqlite"] {
            var request = try library.sample.request(store: sample.folder.file(store))
            request.reading.files = [earlier]
            _ = try await ImportJob(request, clock: clock).run()
        }
        let blocked = FakeFaults(share: 1, kinds: [.blocked403])
        let late = try await run("late.sqlite", ["openlibrary": blocked])
        #expect(late.job.pending > 0 && late.job.runState.joined ?? 0 > 0)
        let finished = try await run("late.sqlite", [:], again: true)
        #expect(finished.job.pending == 0)
        let undisturbed = try await run("early.sqlite", [:])
        #expect(finished.job.runState.joined == undisturbed.job.runState.joined)
        #expect(try sample.dump("late.sqlite") == sample.dump("early.sqlite"))
        let store = try StoreFile.openForReading(sample.folder.file("late.sqlite"))
        #expect(try StoreCheck(store).problems().isEmpty)
    }

    @Test func `a dry run counts what would be joined and changes nothing`() async throws {
        try await library.rows([EditedLibrary.dune(), EditedLibrary.emma], as: "goodreads")
        let before = try library.dump
        let copy = library.folder.file("copy.sqlite")
        try StoreFile.copy(library.path, to: copy)
        var request = try request([try other()], as: "trial")
        (request.storePath, request.isDryRun) = (copy, true)
        let outcome = try await ImportJob(request, clock: ManualClock()).run()
        #expect(outcome.job.runState.joined == 2)
        #expect(try library.dump == before)
    }
}
