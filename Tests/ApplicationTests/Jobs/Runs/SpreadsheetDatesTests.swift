import Foundation
import Pipeline
import System
import TestSupport
import Testing

@testable import Books
@testable import Database
@testable import Formats
@testable import Jobs
@testable import Store

/// Dates that a spreadsheet has rewritten in the format of its country: one unambiguous date determines the
/// order of a file.
@Suite struct SpreadsheetDatesTests {
    private static let header =
        "Book Id,Title,Author,ISBN13,My Rating,Date Read,Date Added,Exclusive Shelf,My Review\n"

    private var sample: SampleImport

    init() async throws {
        sample = try await SampleImport()
        sample.asksCatalog = false
    }

    private static func row(_ id: Int, read: String, added: String, review: String = "") -> String {
        "\(id),Book \(id),Ann Lee,\(GoodreadsRows.isbn(id)),3,\(read),\(added),read,\(review)\n"
    }

    /// Imports files of rows with the common header.
    @discardableResult
    private func run(
        _ files: [String], store: String = "s.sqlite", explicit order: DateOrder? = nil,
        replacing: Bool = false
    ) async throws -> (survey: LibrarySurvey?, job: Job) {
        var sample = sample
        (sample.dateOrder, sample.replaces) = (order, replacing)
        sample.files = []
        for rows in files {
            sample.files.append(
                try sample.folder.write(Self.header + rows, to: "\(UUID().uuidString).csv"))
        }
        let explicit = Guarded<LibrarySurvey?>(nil)
        let outcome = try await sample.run(
            store,
            observing: { event in
                if case .surveyed(let survey) = event { explicit.withLock { $0 = survey } }
            })
        return (explicit.withLock(\.self), outcome.job)
    }

    /// The dates read and added of the entries, sorted by id.
    private func dates(_ store: String = "s.sqlite") throws -> [String] {
        let connection = try StoreFile.openForReading(sample.folder.file(store))
        let read = try connection.query(
            "SELECT date_read, date_added FROM entries ORDER BY CAST(source_id AS INTEGER)")
        var dates: [String] = []
        while try read.next() { dates.append("\(read.string(0)) \(read.string(1))") }
        return dates
    }

    @Test func `one date that must have its month first determines all others`() async throws {
        let (survey, job) = try await run([
            Self.row(1, read: "9/2/2020", added: "3/4/2019") + Self.row(2, read: "", added: "10/16/2020")
        ])
        #expect(try dates() == ["2020-09-02 2019-03-04", " 2020-10-16"])
        #expect(job.newestDate == 20_201_016)
        #expect(survey?.files.first?.warnings == [])
    }

    @Test func `the newest date depends on the order`() async throws {
        let months = Self.row(1, read: "1/12/2020", added: "2/13/2020")
        #expect(try await run([months]).job.newestDate == 20_200_213)
        let days = Self.row(1, read: "1/12/2020", added: "13/2/2020")
        #expect(try await run([days], store: "d.sqlite").job.newestDate == 20_201_201)
        #expect(try dates("d.sqlite") == ["2020-12-01 2020-02-13"])
    }

    @Test func `a date with dots has its day first and says nothing about others`() async throws {
        try await run([Self.row(1, read: "9.2.2020", added: "10/16/2020")])
        #expect(try dates() == ["2020-02-09 2020-10-16"])
    }

    @Test func `if no date is unambiguous the day comes first, with a warning`() async throws {
        let survey = try await run([
            Self.row(1, read: "9/2/2020", added: "3/4/2019") + Self.row(2, read: "5/5/2020", added: "")
        ]).survey
        #expect(try dates() == ["2020-02-09 2019-04-03", "2020-05-05 "])
        let file = try #require(survey?.files.first)
        #expect(
            file.warnings.map(\.text) == [
                """
                `\(file.fingerprint.name)` has 2 ambiguous dates: 3/4/2019 was read as 2019-04-03 (day first). No date \
                shows the order. If that is wrong, import the file with \(UserSetting.dates(.monthFirst)) \
                \(UserSetting.restart). To silence this warning, use \(UserSetting.dates(.dayFirst)).
                """
            ])
    }

    @Test func `contradicting dates are each read as they can be, with a warning`()
        async throws
    {
        let survey = try await run([
            Self.row(1, read: "9/2/2020", added: "16/10/2020")
                + Self.row(2, read: "", added: "10/17/2020")
        ]).survey
        #expect(try dates() == ["2020-02-09 2020-10-16", " 2020-10-17"])
        let explicit = try #require(survey?.files.first?.warnings)
        #expect(explicit.count == 1)
        #expect(
            explicit.first?.description.contains("16/10/2020 and 10/17/2020 show different orders") == true)
        // Without ambiguous dates there is no warning.
        let sure = try await run([
            Self.row(3, read: "", added: "16/10/2020") + Self.row(4, read: "", added: "10/17/2020")
        ])
        #expect(sure.survey?.files.first?.warnings == [])
    }

    @Test func `each file has its own order`() async throws {
        try await run([
            Self.row(1, read: "9/2/2020", added: "10/16/2020"),
            Self.row(2, read: "9/2/2020", added: "16/10/2020"),
        ])
        #expect(try dates() == ["2020-09-02 2020-10-16", "2020-02-09 2020-10-16"])
    }

    @Test func `a date that turns out to be another one is updated`() async throws {
        let row = Self.row(1, read: "9/2/2020", added: "9/2/2020")
        try await run([row])
        #expect(try dates() == ["2020-02-09 2020-02-09"])
        let later = row + Self.row(2, read: "", added: "10/16/2020")
        #expect(try await run([later]).job.counts.booksUpdated == 1)
        #expect(try dates() == ["2020-09-02 2020-09-02", " 2020-10-16"])
        #expect(try await run([later]).job.counts.duplicatesSkipped == 2)
    }

    @Test func `an explicit order applies to all ambiguous dates`() async throws {
        let open = Self.row(1, read: "9/2/2020", added: "3/4/2019")
        let mixed = open + Self.row(2, read: "16/10/2020", added: "10/16/2020")
        for rows in [open, mixed, open + Self.row(3, read: "", added: "16/10/2020")] {
            let store = "\(UUID().uuidString).sqlite"
            let survey = try await run([rows], store: store, explicit: .monthFirst).survey
            #expect(try dates(store).first == "2020-09-02 2019-03-04")
            #expect(survey?.files.first?.warnings == [])
        }
        try await run([mixed], store: "m.sqlite", explicit: .monthFirst)
        #expect(try dates("m.sqlite").last == "2020-10-16 2020-10-16")
        let american = open + Self.row(2, read: "", added: "10/16/2020")
        try await run([american], store: "d.sqlite", explicit: .dayFirst)
        #expect(try dates("d.sqlite") == ["2020-02-09 2019-04-03", " 2020-10-16"])
    }

    @Test(arguments: [(DateOrder.monthFirst, "2020-01-12 2020-01-12"), (.dayFirst, "2020-12-01 2020-12-01")])
    func `dates stored in the wrong order are corrected`(order: DateOrder, right: String) async throws {
        let row = Self.row(1, read: "1/12/2020", added: "1/12/2020")
        try await run([row], explicit: order.opposite)
        #expect(try dates() != [right])
        #expect(try await run([row], explicit: order, replacing: true).job.counts.booksUpdated == 1)
        #expect(try dates() == [right])
        #expect(try await run([row], explicit: order).job.counts.duplicatesSkipped == 1)
    }

    // MARK: Restarted in the other order

    /// Restarts an import of rows with an explicit order.
    private func restart(_ rows: String, explicit order: DateOrder) async throws -> Job {
        var sample = sample
        sample.dateOrder = order
        sample.files = [try sample.folder.write(Self.header + rows, to: "\(UUID().uuidString).csv")]
        var restarted = try sample.request(store: sample.folder.file("s.sqlite"))
        restarted.mode = .restart
        return try await ImportJob(restarted, clock: ManualClock()).run().job
    }

    private static let misread = row(1, read: "1/12/2020", added: "1/12/2020")

    @Test func `a file is not older than itself, however its dates were read before`() async throws {
        try await run([Self.misread])
        #expect(try dates() == ["2020-12-01 2020-12-01"])
        let job = try await restart(Self.misread, explicit: .monthFirst)
        #expect(job.mode == .update)
        #expect(job.counts.booksUpdated == 1)
        #expect(try dates() == ["2020-01-12 2020-01-12"])
        // Also without an explicit restart, and back again.
        #expect(try await run([Self.misread], explicit: .dayFirst).job.counts.booksUpdated == 1)
        #expect(try await run([Self.misread], explicit: .monthFirst).job.counts.booksUpdated == 1)
        #expect(try dates() == ["2020-01-12 2020-01-12"])
        #expect(try await run([Self.misread], explicit: .monthFirst).job.counts.duplicatesSkipped == 1)
    }

    @Test func `a stopped job that is restarted in the other order is read in that order`() async throws {
        var sample = sample
        (sample.batchRecords, sample.batchesPerCommit) = (1, 1)
        let rows = (1...40).map { Self.row($0, read: "1/\($0 % 12 + 1)/2020", added: "1/12/2020") }.joined()
        sample.files = [try sample.folder.write(Self.header + rows, to: "a.csv")]
        let stop = StopSignal()
        let first = try await sample.run(
            "s.sqlite", stop: stop,
            observing: { event in if case .ran(.committed) = event { stop.raise() } })
        try #require(first.end == .stopped)
        let job = try await restart(rows, explicit: .monthFirst)
        #expect(job.mode == .update && job.status == .completed)
        #expect(try dates().first == "2020-01-02 2020-01-12")
        sample.dateOrder = .monthFirst
        try await sample.run("whole.sqlite")
        #expect(try dates() == dates("whole.sqlite"))
    }

    @Test func `values of a newer export stay when an older one is restarted`()
        async throws
    {
        let newer = Self.row(1, read: "2021-06-07", added: "2021-06-07", review: "Newer")
        try await run([Self.misread + Self.row(2, read: "2/3/2020", added: "")])
        try await run([newer])
        let job = try await restart(
            Self.misread + Self.row(2, read: "2/3/2020", added: ""), explicit: .monthFirst)
        #expect(job.mode == .fill)
        #expect(
            job.olderExportWarning.message.description.hasSuffix(
                "Only missing values are filled in, and values imported from the same file before are corrected."
            ))
        // Only this export has the second book.
        #expect(try dates() == ["2021-06-07 2021-06-07", "2020-02-03 "])
        #expect(job.counts.booksUpdated == 1 && job.counts.duplicatesSkipped == 1)
        let again = try await restart(
            Self.misread + Self.row(2, read: "2/3/2020", added: ""), explicit: .dayFirst)
        #expect(again.counts.booksUpdated == 1)
        #expect(try dates() == ["2021-06-07 2021-06-07", "2020-03-02 "])
    }

    @Test func `a date that a newer export lacks is corrected when its file is read again`() async throws {
        // A newer export whose layout has no reading dates. The older one fills them in.
        var sample = sample
        let newer =
            Self.header.replacing("Date Read,", with: "")
            + "1,Book 1,Ann Lee,\(GoodreadsRows.isbn(1)),5,2021-06-07,read,Newer\n"
        sample.files = [try sample.folder.write(newer, to: "newer.csv")]
        try await sample.run("s.sqlite")
        let older = Self.row(1, read: "2/3/2020", added: "2020-01-01")
        #expect(try await run([older]).job.mode == .fill)
        #expect(try dates() == ["2020-03-02 2021-06-07"])
        let job = try await restart(older, explicit: .monthFirst)
        #expect(job.mode == .fill && job.counts.booksUpdated == 1)
        #expect(try dates() == ["2020-02-03 2021-06-07"])
        #expect(try await restart(older, explicit: .monthFirst).counts.duplicatesSkipped == 1)
    }

    @Test func `dates read in the wrong order make no other export older`() async throws {
        try await run([Self.misread])
        // From mid-2020: older than the first of December.
        let between = Self.row(1, read: "2020-06-07", added: "2020-06-07", review: "Between")
        #expect(try await run([between]).job.mode == .fill)
        _ = try await restart(Self.misread, explicit: .monthFirst)
        #expect(try await run([between]).job.mode == .update)
        #expect(try dates() == ["2020-06-07 2020-06-07"])
        // Read again it is older than the other, and the earlier reading is forgotten.
        #expect(try await restart(Self.misread, explicit: .monthFirst).mode == .fill)
        let next = Self.row(1, read: "2020-08-09", added: "2020-08-09", review: "Next")
        #expect(try await run([next]).job.mode == .update)
    }

    @Test func `another file of the same length and beginning can be older`() async throws {
        let many = (1...9_000).map {
            Self.row($0, read: "", added: "2020/01/01", review: String(repeating: "x", count: 90))
        }
        .joined()
        try await run([many + Self.row(9_001, read: "", added: "2021/01/01", review: "new")])
        let older = try await run([many + Self.row(9_001, read: "", added: "2020/01/01", review: "old")])
        #expect(older.job.mode == .fill)
    }

    @Test func `a resumed job keeps its explicit order`() async throws {
        var sample = sample
        sample.batchRecords = 1
        sample.batchesPerCommit = 1
        sample.files = [
            try sample.folder.write(
                Self.header
                    + (1...40).map { Self.row($0, read: "9/\($0 % 12 + 1)/2020", added: "") }.joined(),
                to: "a.csv")
        ]
        sample.dateOrder = .monthFirst
        let stop = StopSignal()
        let first = try await sample.run(
            "s.sqlite", stop: stop,
            observing: { event in if case .ran(.committed) = event { stop.raise() } })
        #expect(first.end == .stopped)
        #expect(first.job.options?[.dates] == ["month-first"])
        try await sample.run("whole.sqlite")
        sample.dateOrder = nil
        try await sample.run("s.sqlite")
        #expect(try sample.dump("s.sqlite") == sample.dump("whole.sqlite"))
        #expect(try dates().first == "2020-09-02 ")
    }

    @Test func `a resumed job keeps its detected order`() async throws {
        var sample = sample
        sample.batchRecords = 1
        sample.batchesPerCommit = 1
        let rows = (1...40).map { Self.row($0, read: "9/\($0 % 12 + 1)/2020", added: "") }.joined()
        sample.files = [
            try sample.folder.write(
                Self.header + rows + Self.row(41, read: "", added: "10/16/2020"), to: "a.csv")
        ]
        let stop = StopSignal()
        let first = try await sample.run(
            "s.sqlite", stop: stop,
            observing: { event in if case .ran(.committed) = event { stop.raise() } })
        #expect(first.end == .stopped)
        try await sample.run("s.sqlite")
        try await sample.run("whole.sqlite")
        #expect(try sample.dump("s.sqlite") == sample.dump("whole.sqlite"))
        #expect(try dates().first == "2020-09-02 ")
    }

    @Test func `a corrected record is read in the order of its file, even if that is gone`() async throws {
        var sample = sample
        let path = try sample.folder.write(
            Self.header + "1,,Ann Lee,,3,9/2/2020,10/16/2020,read,\n"
                + Self.row(2, read: "", added: "10/16/2020"), to: "gone.csv")
        sample.files = [path]
        let job = try await sample.run("s.sqlite").job
        try #require(job.counts.rejected == 1)
        try FileManager.default.removeItem(atPath: path)

        var order = try sample.request(store: sample.folder.file("s.sqlite"))
        order.reading.files = []
        order.mode = .corrections(
            try .init(
                sample.folder.write(
                    Self.header.dropLast() + ",_etl_reason,_etl_detail,_etl_row\n"
                        + "1,Book,Ann Lee,,3,9/2/2020,10/16/2020,read,,,,2\n", to: "corrected.csv")))
        order.jobName = job.name
        order.pipelineChoice = .any
        let corrected = try await ImportJob(order, clock: ManualClock()).run()
        #expect(corrected.job.counts.rejected == 0)
        #expect(try dates() == ["2020-09-02 2020-10-16", " 2020-10-16"])
    }

    @Test func `reading dates follow the order and help to determine it`() async throws {
        var sample = sample
        let header =
            "Title,Authors,Contributors,ISBN/UID,Format,Read Status,Date Added,Last Date Read,Dates Read,Read Count,"
            + "Moods,Pace,Star Rating,Review,Tags,Owned?\n"
        sample.files = [
            try sample.folder.write(
                header + "Book,Ann Lee,,\(GoodreadsRows.isbn(1)),paperback,read,,,"
                    + "\"2/9/2021-3/8/2021, 1/10/2021-10/16/2020\",2,,,4.0,,,No\n", to: "a.csv")
        ]
        try await sample.run("s.sqlite")
        #expect(try dates() == ["2021-03-08 "])
    }
}
