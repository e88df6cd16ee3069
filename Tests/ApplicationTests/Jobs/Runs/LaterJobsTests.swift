import Formats
import Foundation
import Pipeline
import TestSupport
import Testing

@testable import Books
@testable import Database
@testable import FakeServices
@testable import Jobs
@testable import Queries
@testable import Store
@testable import System

/// A job that is resumed, corrected or finished after a later one undoes nothing of the later one.
@Suite struct LaterJobsTests {
    private let sample: SampleImport
    private let clock = ManualClock()
    private static let records = 60

    init() async throws {
        var sample = try await SampleImport()
        sample.asksCatalog = false
        sample.batchRecords = 2
        sample.batchesPerCommit = 1
        self.sample = sample
    }

    /// A Goodreads export of books that the fake services know.
    private func export(
        _ name: String, review: String, date: String, wrongRow: Int? = nil
    ) throws -> SampleImport {
        var lines = ["Book Id,Title,Author,ISBN13,My Rating,Date Added,Exclusive Shelf,My Review"]
        for (number, isbn) in FakeClient.isbns(known: Self.records, unknown: 1).known.enumerated() {
            let title = number == wrongRow ? "" : "Row \(number)"
            let isbn13 = number == wrongRow ? "123" : isbn.isbn13
            lines.append(
                "\(number + 1),\(title),\(FakeClient.author(of: isbn)),\(isbn13),3,\(date),read,\(review)")
        }
        var sample = sample
        sample.files = [
            try sample.folder.write(lines.joined(separator: "\n") + "\n", to: "\(name).csv")
        ]
        return sample
    }

    private func reviews(_ review: String) throws -> Int {
        let connection = try StoreFile.openForReading(sample.folder.file("s.sqlite"))
        return Int(try connection.number("SELECT count(*) FROM entries WHERE review = '\(review)'"))
    }

    private func services(_ faults: [String: FakeFaults] = [:]) -> ServiceSettings {
        var settings = ServiceSettings.fake(
            at: "http://fake.test", ["openlibrary", "google-books"], limits: FakeClient.limits)
        settings.retry = RetryPolicy(attempts: 3, base: 1_000_000)
        settings.transport = FakeTransport(FakeServices(faults: faults), clock: clock)
        return settings
    }

    /// Imports or resumes a job.
    private func run(
        _ sample: SampleImport, asking services: ServiceSettings = ServiceSettings(), as job: String? = nil,
        stop: StopSignal = StopSignal(),
        observingCommits: (@Sendable (ResultsStore.CommitPoint) -> Void)? = nil,
        observing: @escaping @Sendable (ImportEvent) -> Void = { _ in }
    ) async throws -> ImportOutcome {
        var request = try sample.request(store: sample.folder.file("s.sqlite"))
        request.services = { (_, _, _) throws(ETLError) in services }
        request.jobName = job
        if job != nil { request.mode = .pending }
        return try await ImportJob(
            request, clock: clock, stop: stop, observingCommits: observingCommits, observing: observing
        ).run()
    }

    /// Raises a stop at the first commit.
    private static func stopping(_ stop: StopSignal) -> @Sendable (ImportEvent) -> Void {
        { event in if case .ran(.committed) = event { stop.raise() } }
    }

    /// A store whose job is pending because a service refuses requests.
    private func pending(_ old: SampleImport) async throws -> Job {
        let moody = services(["google-books": FakeFaults(share: 1, kinds: [.blocked403])])
        let job = try await run(old, asking: moody).job
        try #require(job.pending == Self.records)
        return job
    }

    @Test func `a later import keeps its values when pending records of an earlier one are finished`()
        async throws
    {
        let old = try export("old", review: "old", date: "2020/01/01")
        let job = try await pending(old)
        let later = try await run(export("new", review: "new", date: "2022/01/01"), asking: services())
        #expect(later.job.counts.booksUpdated == Self.records)

        let taken = try await run(old, asking: services(), as: job.name)
        #expect(taken.end == .completed)
        #expect(taken.job.pending == 0)
        #expect(taken.job.counts.totalProcessed == Self.records)
        #expect(taken.job.counts.booksCreated == Self.records, "it is still the job that created them")
        #expect(try reviews("new") == Self.records)
        // A newer export still corrects them.
        _ = try await run(export("newest", review: "newest", date: "2023/01/01"))
        #expect(try reviews("newest") == Self.records)
    }

    @Test func `what the user changed by hand stays when pending records are finished`() async throws {
        let old = try export("old", review: "old", date: "2020/01/01")
        let job = try await pending(old)
        let path = sample.folder.file("s.sqlite")
        let isbns = FakeClient.isbns(known: Self.records, unknown: 1).known.map(\.isbn13)
        func edit(_ number: Int, _ actions: [(EditableField, EditRequest.Action)]) async throws {
            _ = try await LibraryEdits(path).edit(
                BookReference(isbns[number]), library: nil, pipeline: "set",
                actions.map { (field: $0.0, action: $0.1) })
        }
        func book(_ number: Int) throws -> (work: Int64, title: String?, publisher: String?, review: String?)?
        {
            let read = try StoreFile.openForReading(path).query(
                """
                SELECT w.id, w.title, d.publisher, e.review FROM entries e JOIN editions d ON d.id = e.edition
                JOIN works w ON w.id = d.work WHERE e.source_id = '\(number + 1)'
                """)
            guard try read.next() else { return nil }
            return (read.integer(0), read.optionalString(1), read.optionalString(2), read.optionalString(3))
        }
        try await edit(0, [(.title, .set(["By hand"])), (.publisher, .set([])), (.review, .set(["mine"]))])
        let locked = try book(1)?.publisher
        try await edit(1, [(.publisher, .lock)])
        _ = try await LibraryEdits(path).remove(BookReference(isbns[2]), library: nil)
        // The services know some of the books as editions of one work.
        let other = try #require(
            (4..<Self.records).first { number in
                let works = try? [isbns[3], isbns[number]].map {
                    try EditableBook(BookReference($0), in: StoreFile.openForReading(path)).work
                }
                return works.map { $0[0] != $0[1] } == true
            })
        _ = try await LibraryEdits(path).merge([BookReference(isbns[3]), BookReference(isbns[other])])

        let taken = try await run(old, asking: services(), as: job.name)
        #expect(taken.end == .completed && taken.job.pending == 0)
        let edited = try #require(try book(0))
        #expect(edited.title == "By hand" && edited.publisher == nil && edited.review == "mine")
        #expect(try book(1)?.publisher == locked)
        #expect(try book(2) == nil)
        #expect(try book(3)?.work == book(other)?.work && book(3) != nil)
        // The answers have arrived for the other books.
        #expect(try (4..<Self.records).contains { try book($0)?.publisher != nil })
        #expect(try StoreCheck(StoreFile.openForReading(path)).problems().isEmpty)
    }

    /// An export of the same books from another program.
    private func elsewhere() throws -> SampleImport {
        var lines = ["Title,Author,ISBN13,Tags"]
        for (number, isbn) in FakeClient.isbns(known: Self.records, unknown: 1).known.enumerated() {
            lines.append("Row \(number),\(FakeClient.author(of: isbn)),\(isbn.isbn13),\"sea, sun\"")
        }
        var other = sample
        other.files = [try sample.folder.write(lines.joined(separator: "\n") + "\n", to: "elsewhere.csv")]
        return other
    }

    /// Entries that the lineage of works and editions refers to and that do not exist.
    private func missingSources() throws -> Int {
        let connection = try StoreFile.openForReading(sample.folder.file("s.sqlite"))
        var named: Set<Int64> = []
        for table in ["works", "editions"] {
            let read = try connection.query("SELECT lineage FROM \(table)")
            while try read.next() {
                let lineage = Lineage(decoding: read.bytes(0))
                for item in lineage.items {
                    if case .entry(let id) = lineage.sources[item.source] { named.insert(id) }
                }
            }
        }
        try #require(!named.isEmpty)
        let entries = try connection.query("SELECT id FROM entries")
        while try entries.next() { named.remove(entries.integer(0)) }
        return named.count
    }

    @Test func `values shared with another export keep valid lineage after a pending pass`()
        async throws
    {
        let old = try export("old", review: "old", date: "2020/01/01")
        let job = try await pending(old)
        let other = try await run(elsewhere(), asking: services())
        #expect(other.job.counts.booksCreated == Self.records)
        #expect(try missingSources() == 0)

        let taken = try await run(old, asking: services(), as: job.name)
        #expect(taken.job.pending == 0)
        #expect(taken.job.counts.booksCreated == Self.records)
        #expect(try missingSources() == 0)
        #expect(try reviews("old") == Self.records)
        let connection = try StoreFile.openForReading(sample.folder.file("s.sqlite"))
        #expect(try connection.number("SELECT count(*) FROM entries") == 2 * Int64(Self.records))
        // Importing the file again changes nothing.
        let again = try await run(old, asking: services())
        #expect(again.job.counts.duplicatesSkipped == Self.records)
    }

    @Test func `an import resumed after a later one only fills gaps of the later one`()
        async throws
    {
        let old = try export("old", review: "old", date: "2020/01/01")
        let stop = StopSignal()
        let stopped = try await run(old, stop: stop, observing: Self.stopping(stop))
        #expect(stopped.end == .stopped)
        let done = stopped.job.counts.totalProcessed
        try #require((1..<Self.records).contains(done))
        _ = try await run(export("new", review: "new", date: "2022/01/01"))

        let resumed = try await run(old, as: stopped.job.name)
        #expect(resumed.end == .completed)
        #expect(resumed.job.counts.totalProcessed == Self.records)
        #expect(try reviews("new") == Self.records)
    }

    @Test func `a newer import that is resumed corrects a later one that only filled gaps`()
        async throws
    {
        let new = try export("new", review: "new", date: "2022/01/01")
        let stop = StopSignal()
        let stopped = try await run(new, stop: stop, observing: Self.stopping(stop))
        try #require(stopped.end == .stopped)
        let older = try await run(export("old", review: "old", date: "2020/01/01"))
        try #require(older.job.mode == .fill)
        _ = try await run(new, as: stopped.job.name)
        #expect(try reviews("new") == Self.records)
    }

    @Test func `a correction of an earlier import does not replace values of a later one`()
        async throws
    {
        let old = try export("old", review: "old", date: "2020/01/01", wrongRow: 4)
        let job = try await run(old).job
        try #require(job.counts.rejected == 1)
        _ = try await run(export("new", review: "new", date: "2022/01/01"))

        var request = try old.request(store: old.folder.file("s.sqlite"))
        request.reading.files = []
        request.mode = .corrections(
            try .init(
                old.folder.write(
                    "Book Id,Title,Author,ISBN13,My Rating,Date Added,Exclusive Shelf,My Review,_etl_reason,_etl_detail,_etl_row\n"
                        + "5,Row 4,A Reader,,3,2020/01/01,read,old,,,6\n", to: "corrected.csv")))
        request.jobName = job.name
        request.pipelineChoice = .any
        let corrected = try await ImportJob(request, clock: clock).run()
        #expect(corrected.job.counts.rejected == 0)
        #expect(try reviews("new") == Self.records)
    }

    @Test
    func `the library stays complete during a pending pass, and a stop leaves it unchanged`()
        async throws
    {
        let old = try export("old", review: "old", date: "2020/01/01")
        let job = try await pending(old)
        let before = try sample.dump("s.sqlite")
        let store = sample.folder.file("s.sqlite")
        let stop = StopSignal()
        let seen = Guarded<[Int64]>([])
        let stopped = try await run(
            old, asking: services(), as: job.name, stop: stop,
            observingCommits: { _ in
                let count = try? StoreFile.openForReading(store).number("SELECT count(*) FROM entries")
                seen.withLock { $0.append(count ?? -1) }
                stop.raise()
            })
        #expect(stopped.end == .stopped)
        #expect(!seen.withLock(\.self).isEmpty)
        #expect(seen.withLock(\.self).allSatisfy { $0 == Self.records })
        #expect(try sample.dump("s.sqlite") == before)

        let resumed = try await run(old, asking: services(), as: job.name)
        #expect(resumed.end == .completed)
        #expect(resumed.job.pending == 0)
        #expect(resumed.job.counts.booksCreated == Self.records)
        #expect(try reviews("old") == Self.records)
        #expect(try sample.dump("s.sqlite") != before)
    }

    // MARK: Older or newer

    @Test func `a date in the future does not make an export newer`() async throws {
        _ = try await run(export("slip", review: "slip", date: "2033/01/01"))
        let corrected = try await run(export("corrected", review: "corrected", date: "2022/01/01"))
        #expect(corrected.job.mode == .update)
        #expect(try reviews("corrected") == Self.records)
    }

    @Test func `an export is compared with an import of several formats that include its own`() async throws {
        var both = try export("new", review: "new", date: "2022/01/01")
        both.files.insert(
            try sample.folder.write("9780306406157\n9780441013593\n", to: "isbns.txt"),
            at: 0)
        #expect(try await run(both).job.formatName == nil)
        let older = try await run(export("old", review: "old", date: "2020/01/01"))
        #expect(older.job.mode == .fill)
        #expect(try reviews("new") == Self.records)
    }

    /// A StoryGraph export of another book.
    private func storyGraph(date: String) throws -> String {
        try sample.folder.write(
            "Title,Authors,Contributors,ISBN/UID,Format,Read Status,Date Added,Last Date Read,Dates Read,Read Count,"
                + "Moods,Pace,Star Rating,Review,Tags,Owned?\n"
                + "Reef,Ann Lee,,\(GoodreadsRows.isbn(1)),paperback,read,\(date),,,1,,,4.0,,,No\n",
            to: "storygraph.csv")
    }

    @Test func `an export is compared only with exports of its own format`()
        async throws
    {
        var both = try export("first", review: "first", date: "2020/01/01")
        both.files.append(try storyGraph(date: "2022/02/02"))
        let job = try await run(both).job
        #expect(job.formatName == nil)
        #expect(job.options?.newestDates == ["generic": 20_200_101, "storygraph": 20_220_202])

        let next = try await run(export("next", review: "next", date: "2021/01/01"))
        #expect(next.job.mode == .update)
        #expect(try reviews("next") == Self.records)

        // One of its formats is older.
        both = try export("between", review: "between", date: "2020/06/01")
        both.files.append(try storyGraph(date: "2022/03/03"))
        let older = try await run(both).job
        #expect(older.mode == .fill)
        #expect(try reviews("next") == Self.records)
        #expect(
            older.olderExportWarning.text == """
                This export is older than the last imported one: its newest date of generic is 2020-06-01, not \
                2021-01-01. Only missing values are filled in. To overwrite newer values, use \(UserSetting.replace).
                """)
        // Both are newer.
        both.files = try export("newest", review: "newest", date: "2021/06/01").files + both.files.suffix(1)
        #expect(try await run(both).job.mode == .update)
        #expect(try reviews("newest") == Self.records)
    }
}
