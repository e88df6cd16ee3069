import Formats
import Foundation
import Pipeline
import System
import TestSupport
import Testing

@testable import Books
@testable import Database
@testable import Jobs
@testable import Queries
@testable import Store

/// The columns of a corrected list are matched with those of the original file.
struct CorrectionImportTests {
    private static let header = "Title,Author,ISBN13,Mood,_etl_reason,_etl_detail,_etl_row\n"

    /// A store with one job whose second record was rejected.
    private func rejected(_ row: String = ",Bo Ek,123,sad") async throws -> (SampleImport, Job) {
        var sample = try await SampleImport()
        let text = "Title,Author,ISBN13,Mood\nReef,Ana Lee,9780306406157,glad\n\(row)\n"
        sample.files = [try sample.folder.write(text, to: "books.csv")]
        let job = try await sample.run("s.sqlite").job
        #expect(job.counts.rejected == 1)
        return (sample, job)
    }

    private func importCorrections(_ sample: SampleImport, _ job: Job, with text: String) async throws
        -> ImportOutcome
    {
        var request = try sample.request(store: sample.folder.file("s.sqlite"))
        request.reading.files = []
        request.mode = .corrections(
            try .init(sample.folder.write(text, to: "corrected.csv")))
        request.jobName = job.name
        request.pipelineChoice = .any
        let outcome = try await ImportJob(request, clock: ManualClock()).run()
        let store = try StoreFile.openForReading(sample.folder.file("s.sqlite"))
        #expect(try StoreCheck(store).problems().isEmpty)
        return outcome
    }

    @Test func `reading a list ends at a stop`() async throws {
        let (sample, job) = try await rejected()
        var request = try sample.request(store: sample.folder.file("s.sqlite"))
        request.reading.files = []
        let rows = (1...5_000).map { "Tide,Bo Ek,,sad,,,\($0)\n" }.joined()
        request.mode = .corrections(
            try .init(sample.folder.write(Self.header + rows, to: "corrected.csv")))
        request.jobName = job.name
        request.pipelineChoice = .any
        let stop = StopSignal()
        stop.raise()
        do throws(ETLError) {
            _ = try await ImportJob(request, clock: ManualClock(), stop: stop).run()
            Issue.record("It did not stop.")
        } catch {
            #expect(error.kind == .temporary)
        }
    }

    private func list(_ sample: SampleImport) throws -> String {
        let collector = ByteCollector()
        let store = try StoreFile.openForReading(sample.folder.file("s.sqlite"))
        try ErrorList(store).write(of: nil, as: .csv) { (piece) throws(ETLError) in collector.take(piece)
        }
        return collector.text
    }

    @Test
    func `a shifted record is corrected only if its cells are in the right columns`()
        async throws
    {
        let (sample, job) = try await rejected("Wave,a tale,Bo Ek,9780441172719,sad")
        let lines = try list(sample).split(separator: "\n").map(String.init)
        #expect(lines.first?.hasPrefix("Title,Author,ISBN13,Mood,column 5,_etl_reason,") == true)
        #expect(lines.last?.hasPrefix("Wave,a tale,Bo Ek,9780441172719,sad,shifted_record,") == true)

        let unchanged = try await importCorrections(sample, job, with: list(sample))
        #expect(unchanged.corrections?.corrected == 0 && unchanged.job.counts.rejected == 1)
        let corrected = try await importCorrections(
            sample, job,
            with: "Title,Author,ISBN13,Mood,column 5,_etl_row\n\"Wave, a tale\",Bo Ek,9780441172719,sad,,3\n")
        #expect(corrected.corrections?.corrected == 1 && corrected.job.counts.booksCreated == 2)
    }

    @Test func `a list with renamed columns changes nothing and reports them`()
        async throws
    {
        let (sample, job) = try await rejected()
        let renamed = Self.header.replacing("Title", with: "Name").replacing("Mood,", with: "")
        let outcome = try await importCorrections(sample, job, with: renamed + "Wave,Bo Ek,,,,3\n")
        #expect(outcome.corrections?.renamed == 1 && outcome.corrections?.skipped == 0)
        #expect(outcome.corrections?.corrected == 0 && outcome.job.counts.rejected == 1)
        let warning = try #require(outcome.corrections?.warnings.first)
        #expect(
            warning.description.contains("lacks columns of the imported file: `Title`, `Mood`. It has `Name`")
        )
    }

    @Test func `a list that lacks columns is accepted and reported`() async throws {
        let (sample, job) = try await rejected()
        let outcome = try await importCorrections(sample, job, with: "Title,_etl_row\nWave,3\n")
        #expect(outcome.corrections?.corrected == 1 && outcome.corrections?.renamed == 0)
        let warning = try #require(outcome.corrections?.warnings.first)
        #expect(warning.description.contains(": `Author`, `ISBN13`, `Mood`."))
        #expect(warning.description.hasSuffix("Their cells are imported as empty."))
    }
}

/// Dates in a corrected list that a spreadsheet has rewritten in the format of its country.
@Suite struct CorrectedDatesTests {
    private static let header = "Book Id,Title,Author,Date Read\n"
    private static let listHeader = "Book Id,Title,Author,Date Read,_etl_reason,_etl_detail,_etl_row\n"

    private let sample: SampleImport

    init() async throws {
        var sample = try await SampleImport()
        sample.asksCatalog = false
        (sample.batchRecords, sample.batchesPerCommit) = (1, 1)
        let rows = (1...20).map { "\($0),,Ann Lee,2020/02/\($0 + 2)\n" }.joined()
        sample.files = [try sample.folder.write(Self.header + rows, to: "a.csv")]
        self.sample = sample
    }

    /// A list of records as a US spreadsheet saves it.
    private func list(_ ids: ClosedRange<Int>) throws -> String {
        let rows = ids.map { "\($0),Book \($0),Ann Lee,2/\($0 + 2)/2020,,,\($0 + 1)\n" }.joined()
        return try sample.folder.write(Self.listHeader + rows, to: "\(UUID().uuidString).csv")
    }

    /// - Parameter stop: Raised at the first commit.
    private func importCorrections(
        _ list: String, of job: String, in store: String, explicit order: DateOrder?,
        stop: StopSignal? = nil
    ) async throws -> ImportOutcome {
        var corrections = try sample.request(store: sample.folder.file(store))
        corrections.reading.files = []
        corrections.mode = .corrections(.init(list, dateOrder: order))
        corrections.jobName = job
        corrections.pipelineChoice = .any
        return try await ImportJob(
            corrections, clock: ManualClock(), stop: stop ?? StopSignal(),
            observing: { event in if case .ran(.committed) = event { stop?.raise() } }
        ).run()
    }

    /// The read dates of the entries, sorted by id.
    private func dates(_ store: String) throws -> [String] {
        let connection = try StoreFile.openForReading(sample.folder.file(store))
        let read = try connection.query(
            "SELECT date_read FROM entries ORDER BY CAST(source_id AS INTEGER)")
        var dates: [String] = []
        while try read.next() { dates.append(read.string(0)) }
        return dates
    }

    @Test func `a corrected record keeps its date order when the list is imported in parts or stopped`()
        async throws
    {
        let job = try await sample.run("s.sqlite").job.name
        // The last of ten dates whose day can be a month.
        let open = try await importCorrections(list(1...10), of: job, in: "s.sqlite", explicit: nil)
        #expect(open.corrections?.corrected == 0 && open.corrections?.warnings.count == 1)
        #expect(open.corrections?.taken == 10)
        let stop = StopSignal()
        let all = try list(1...20)
        let first = try await importCorrections(
            all, of: job, in: "s.sqlite", explicit: .monthFirst, stop: stop)
        #expect(first.end == .stopped)
        // The rest was stored with its order, so only its rejects are imported again.
        _ = try await importCorrections(list(20...20), of: job, in: "s.sqlite", explicit: nil)
        let whole = try await sample.run("w.sqlite").job.name
        _ = try await importCorrections(all, of: whole, in: "w.sqlite", explicit: .monthFirst)
        #expect(try dates("w.sqlite") == (1...20).map { "2020-02-\($0 < 8 ? "0" : "")\($0 + 2)" })
        #expect(try dates("s.sqlite") == dates("w.sqlite"))
    }

    @Test func `a row rejected for its date is listed as corrected, with the date`() async throws {
        let job = try await sample.run("s.sqlite").job
        _ = try await importCorrections(list(4...4), of: job.name, in: "s.sqlite", explicit: nil)
        func listed(_ format: ErrorList.Format) throws -> String {
            let collector = ByteCollector()
            let errors = ErrorList(try StoreFile.openForReading(sample.folder.file("s.sqlite")))
            try errors.write(of: job.name, as: format) { (piece) throws(ETLError) in collector.take(piece)
            }
            return collector.text
        }
        #expect(try listed(.csv).contains("\n4,Book 4,Ann Lee,2/6/2020,date_ambiguous,"))
        let connection = try Connection(sample.folder.file("s.sqlite"), .readWrite)
        let reject = try connection.prepare("SELECT field, value FROM rejects WHERE code = 'date_ambiguous'")
        try #require(try reject.next())
        #expect(reject.string(0) == "Date Read" && reject.string(1) == "2/6/2020")
    }
}
