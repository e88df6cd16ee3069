import Books
import Formats
import Foundation
import System
import TestSupport
import Testing

@testable import Database
@testable import FakeServices
@testable import Jobs
@testable import Queries
@testable import Store

/// Corrected rejects: `etl errors --format csv`, edited, and `etl import --rejects`.
@Suite struct CorrectionsTests {
    private static let table =
        "Title\tAuthor\tISBN13\tMood\nReef\tAna Lee\t9780306406157\tglad\n\tBo Ek\t123\tsad\n\tKim Ro\t\t\n"
    private static let header = "Title,Author,ISBN13,Mood,_etl_reason,_etl_detail,_etl_row\n"

    /// A store with one job that rejected two of three records.
    private func rejected(_ store: String = "s.sqlite") async throws -> (sample: SampleImport, job: Job) {
        var sample = try await SampleImport()
        sample.files = [try sample.folder.write(Self.table, to: "books.tsv")]
        return (sample, try await sample.run(store).job)
    }

    private func importCorrections(
        _ sample: SampleImport, _ job: String, with text: String, in store: String = "s.sqlite",
        observingCommits: (@Sendable (ResultsStore.CommitPoint) -> Void)? = nil
    ) async throws -> ImportOutcome {
        var request = try sample.request(store: sample.folder.file(store))
        request.reading.files = []
        request.mode = .corrections(
            try .init(sample.folder.write(text, to: "corrected-\(UUID().uuidString).csv")))
        request.jobName = job
        request.pipelineChoice = .any
        return try await ImportJob(request, clock: ManualClock(), observingCommits: observingCommits).run()
    }

    private func list(
        _ sample: SampleImport, as format: ErrorList.Format = .csv, in store: String = "s.sqlite"
    ) throws -> ByteCollector {
        let collector = ByteCollector()
        try ErrorList(StoreFile.openForReading(sample.folder.file(store))).write(of: nil, as: format) {
            (piece) throws(ETLError) in collector.take(piece)
        }
        return collector
    }

    /// Whether counts, outcomes and rejects agree, and each record has one outcome.
    private func check(
        _ sample: SampleImport, records: Int, in store: String = "s.sqlite"
    ) throws {
        let connection = try StoreFile.openForReading(sample.folder.file(store))
        #expect(try StoreCheck(connection).problems().isEmpty)
        let runs = try PackedOutcomesReader(connection, of: 1)
        var rows: [Int] = []
        while let run = try runs.next() { rows += run.records.map(\.row) }
        let rejects = try connection.prepare("SELECT row FROM rejects WHERE job = 1")
        while try rejects.next() { rows.append(Int(rejects.integer(0))) }
        #expect(rows.sorted() == Array(2...records + 1), "each record has one outcome")
    }

    @Test func `a line with an unclosed quote is listed with its own columns and can be corrected`()
        async throws
    {
        var sample = try await SampleImport()
        let rows = (1...9).map { "Reef \($0)\tAna Lee\t\tglad\n" }.joined()
        let text = "Title\tAuthor\tISBN13\tMood\n\"Lost\tAna Lee\t\tsad\n" + rows
        sample.files = [try sample.folder.write(text, to: "books.tsv")]
        let job = try await sample.run("s.sqlite").job
        #expect(job.counts.booksCreated == 9)
        #expect(job.counts.rejected == 1)
        let lines = try list(sample).text.split(separator: "\n")
        #expect(lines.count == 2)
        #expect(lines.last?.hasPrefix(#""""Lost",Ana Lee,,sad,record_unreadable,"#) == true)
        let outcome = try await importCorrections(
            sample, job.name, with: Self.header + "Lost,Ana Lee,,sad,,,2\n")
        #expect(outcome.corrections?.corrected == 1)
        #expect(outcome.job.counts.booksCreated == 10)
        try check(sample, records: 10)
    }

    // MARK: One list

    @Test func `a correction replaces its reject, and the totals still add up`() async throws {
        let (sample, job) = try await rejected()
        #expect(job.counts.rejected == 2)
        let text =
            Self.header
            + "Tide,Bo Ek,,sad,no_title_or_isbn,x,3\n,Kim Ro,12345,,no_title_or_isbn,x,4\nWave,Di Fo,,,x,y,99\n"
        let corrected = try await importCorrections(sample, job.name, with: text)
        #expect(corrected.end == .completed)
        #expect(corrected.corrections?.listed == 3)
        #expect(corrected.corrections?.taken == 2)
        #expect(corrected.corrections?.corrected == 1)
        #expect(corrected.job.status == .completed)
        #expect(corrected.job.counts.rejected == 1)
        #expect(corrected.job.counts.booksCreated == 2)
        #expect(corrected.job.counts.totalProcessed == job.counts.totalProcessed)
        #expect(corrected.job.checkpoint == job.checkpoint)
        #expect(corrected.job.tailDigest == job.tailDigest)
        try check(sample, records: 3)
        let store = try StoreFile.openForReading(sample.folder.file("s.sqlite"))
        #expect(try PackedOutcomesReader.record(3, file: 0, of: job.id, in: store)?.line == 3)
        #expect(try store.integer("SELECT count(*) FROM layouts") == 1, "the added columns are not stored")

        let left = try list(sample, as: .ndjson).text
        #expect(left.contains(#""row":4,"line":4"#))
        #expect(left.contains(#""value":"12345""#), "the reason is that of the corrected row")
        let rows = try list(sample).records
        #expect(rows.count == 2)
        #expect(rows[1][2] == "12345", "a row that is rejected again is listed in its new form")

        let dump = try sample.dump("s.sqlite")
        let again = try await importCorrections(sample, job.name, with: text)
        #expect(again.corrections?.corrected == 0)
        #expect(again.job.counts == corrected.job.counts, "importing the list again changes nothing")
        #expect(try sample.dump("s.sqlite") == dump)
        try check(sample, records: 3)
    }

    @Test(arguments: [
        "_etl_row;Author;Mood;ISBN13;Title;My notes\n3;Bo Ek;;;Tide;x\n",
        "\u{FEFF}Title\t_etl_row\nTide\t 3 \n",
        "Title,_etl_row\nNot this,3\nTide,3\n", "Title,_etl_row\nTide,1#3\n", "Title,_etl_row\nTide,01#003\n",
    ])
    func `a list survives the changes spreadsheets and editors make to it`(text: String) async throws {
        let (sample, job) = try await rejected()
        let corrected = try await importCorrections(sample, job.name, with: text)
        #expect(corrected.corrections?.corrected == 1)
        #expect(try sample.dump("s.sqlite").contains("Tide"))
        try check(sample, records: 3)
    }

    @Test func `a record that was only stored partially clears no stored values`() async throws {
        var sample = try await SampleImport()
        func file(_ name: String, review: String) throws -> String {
            let header = "Book Id,Title,Author,ISBN13,My Rating,My Review,Private Notes,Read Count\n"
            return try sample.folder.write(
                "\(header)7,Reef,Ana Lee,9780306406157,4,\(review),a note,3\n", to: name)
        }
        sample.files = [try file("before.csv", review: "fine")]
        #expect(try await sample.run("s.sqlite").job.counts.booksCreated == 1)
        sample.files = [try file("after.csv", review: String(repeating: "word ", count: 300_000))]
        let job = try await sample.run("s.sqlite").job
        #expect(job.counts.rejected == 1)
        // Given back as it was listed.
        let outcome = try await importCorrections(sample, job.name, with: try list(sample).text)
        #expect(outcome.corrections?.corrected == 1)
        let connection = try StoreFile.openForReading(sample.folder.file("s.sqlite"))
        let entry = "SELECT review || '/' || notes || '/' || read_count FROM entries"
        #expect(try connection.string(entry) == "fine/a note/3")
    }

    @Test func `a file that is not a list of this job's rejects is rejected`() async throws {
        let (sample, job) = try await rejected()
        let lists: [(String, String, ETLError.Kind)] = [
            (job.name, Self.table, .unusableInput), (job.name, "", .unusableInput),
            ("none", "Title,_etl_row\nA,3\n", .missing),
        ]
        for (name, text, kind) in lists {
            do {
                _ = try await importCorrections(sample, name, with: text)
                Issue.record("it was imported")
            } catch let failure as ETLError {
                #expect(failure.kind == kind)
            }
        }
        let strange = try await importCorrections(
            sample, job.name,
            with: """
                Title,_etl_row
                A,\nB,-1\nC,x\nD,9#3\nE,1#2#3\nF,2\nG,\(Int.min)#3\nH,\(Int.min)#\(Int.min)\nI,1#\(Int.max)
                J,0#3\nK,\(Int.max)#3\nL,99999999999999999999#3\n
                """)
        #expect(strange.corrections?.taken == 0 && strange.corrections?.listed == 12)
        #expect(strange.corrections?.skipped == 12)
        #expect(strange.job.counts == job.counts)
    }

    @Test func `a record listed twice is one record, and its last row counts`() async throws {
        let (sample, job) = try await rejected()
        let rows = "First,3\nSecond,3\n" + String(repeating: "Third,3\n", count: 300)
        let corrected = try #require(
            try await importCorrections(sample, job.name, with: "Title,_etl_row\n\(rows),4\n").corrections)
        #expect(corrected.listed == 303)
        #expect(corrected.taken == 2)
        #expect(corrected.repeated == 301)
        #expect(corrected.skipped == 0)
        #expect(corrected.corrected == 1)
        let dump = try sample.dump("s.sqlite")
        #expect(dump.contains("Third") && !dump.contains("Second"))
        try check(sample, records: 3)
        let next = try await importCorrections(sample, job.name, with: "Title,_etl_row\nTide,4\n")
        #expect(
            next.corrections?.taken == 1 && next.corrections?.repeated == 0, "a second list is independent")
    }

    @Test func `rows that are still too wide are counted`() async throws {
        let (sample, job) = try await rejected()
        let extras = (1...1_100).map { "column \($0)" }.joined(separator: ",")
        let wide = Array(repeating: "x", count: 1_100).joined(separator: ",")
        let text =
            "_etl_row,Title,\(extras)\n3,Tide,\(wide)\n4,\(String(repeating: "y", count: 5 << 20))\n9,A\n"
        let corrected = try #require(try await importCorrections(sample, job.name, with: text).corrections)
        #expect(corrected.listed == 3)
        #expect(corrected.taken == 0)
        #expect(corrected.tooLarge == 2)
        #expect(corrected.skipped == 1)
        try check(sample, records: 3)
    }

    @Test func `an unfinished job must be finished first`() async throws {
        let (sample, job) = try await rejected()
        let connection = try Connection(sample.folder.file("s.sqlite"), .readWrite)
        try connection.execute("UPDATE jobs SET status = 'processing'")
        do {
            _ = try await importCorrections(sample, job.name, with: "Title,_etl_row\nTide,3\n")
            Issue.record("it was imported")
        } catch let failure as ETLError {
            #expect(failure.kind == .temporary)
            #expect(failure.advice?.description.contains("resume") == true)
        }
    }

    @Test func `the original files are not needed`() async throws {
        let (sample, job) = try await rejected()
        try FileManager.default.removeItem(atPath: sample.files[0])
        let text = try list(sample).text.replacing(",Kim Ro", with: "Foam,Kim Ro")
        let corrected = try await importCorrections(sample, job.name, with: text)
        #expect(corrected.corrections?.corrected == 1)
        try check(sample, records: 3)
    }

    @Test func `records of several files go back to their own files`() async throws {
        var sample = try await SampleImport()
        sample.files = [
            try sample.folder.write("Title,Author,Mood\nReef,Ana Lee,glad\n,Bo Ek,sad\n", to: "a.csv"),
            try sample.folder.write("Author,Title,Page count\nKim Ro,,9\nDi Fo,Foam,8\n", to: "b.csv"),
        ]
        let job = try await sample.run("s.sqlite").job
        #expect(job.counts.rejected == 2)
        let text = try list(sample).text
            .replacing(",Bo Ek,sad", with: "Tide,Bo Ek,sad").replacing(",Kim Ro", with: "Wave,Kim Ro")
        let corrected = try await importCorrections(sample, job.name, with: text)
        #expect(corrected.corrections?.corrected == 2)
        let store = try StoreFile.openForReading(sample.folder.file("s.sqlite"))
        #expect(try PackedOutcomesReader.record(2, file: 1, of: job.id, in: store)?.outcome == .created)
        #expect(try PackedOutcomesReader.record(3, file: 0, of: job.id, in: store)?.outcome == .created)
        #expect(try store.integer("SELECT count(*) FROM layouts") == 2)
        #expect(try StoreCheck(store).problems().isEmpty)
    }

    // MARK: Any list

    /// A table of this many records, some without title and ISBN.
    private static func table(_ count: Int, bad: Set<Int>) -> String {
        var lines = ["Title,Author,Pages"]
        for number in 1...count {
            lines.append(bad.contains(number) ? ",Author \(number),\(number)" : line(number))
        }
        return lines.joined(separator: "\n") + "\n"
    }

    private static func line(_ number: Int) -> String { "Title \(number),Author \(number),\(number)" }

    @Test(arguments: 1...6 as ClosedRange<UInt64>)
    func `correcting step by step gives the library of an undamaged file`(seed: UInt64) async throws {
        var random = SeededGenerator(seed: seed)
        var sample = try await SampleImport()
        let count = Int.random(in: 20...90, using: &random)
        var bad = Set((1...count).filter { _ in Int.random(in: 0..<3, using: &random) == 0 })
        sample.files = [try sample.folder.write(Self.table(count, bad: []), to: "sound.csv")]
        try await sample.run("sound.sqlite")
        sample.files = [try sample.folder.write(Self.table(count, bad: bad), to: "damaged.csv")]
        let job = try await sample.run("s.sqlite").job
        var rounds = 0
        while !bad.isEmpty, rounds < 30 {
            rounds += 1
            var lines = ["Title,Author,Pages,_etl_reason,_etl_detail,_etl_row"]
            var corrected: Set<Int> = []
            for number in (1...count).shuffled(using: &random) {
                switch Int.random(in: 0..<4, using: &random) {
                case 0, 1:
                    lines.append("\(Self.line(number)),,,\(number + 1)")
                    corrected.insert(number)
                case 2: lines.append(",Author \(number),\(number),,,\(number + 1)")
                default: break
                }
            }
            let text = lines.joined(separator: "\n")
            let outcome = try await importCorrections(sample, job.name, with: text)
            #expect(outcome.corrections?.corrected == bad.intersection(corrected).count)
            bad.subtract(corrected)
            #expect(outcome.job.counts.rejected == bad.count)
            #expect(outcome.job.counts.totalProcessed == count)
            try check(sample, records: count)
        }
        #expect(try sample.dump("s.sqlite") == sample.dump("sound.sqlite"))
    }

    @Test func `a list killed at any commit and imported again gives the same result`() async throws {
        var sample = try await SampleImport()
        sample.batchesPerCommit = 1
        let bad = Set(stride(from: 2, through: 60, by: 3))
        sample.files = [try sample.folder.write(Self.table(60, bad: bad), to: "damaged.csv")]
        let job = try await sample.run("s.sqlite").job
        let store = sample.folder.file("s.sqlite")
        SampleImport.copy(store, to: sample.folder.file("whole.sqlite"))
        let text = try list(sample).text.replacing("\n,Author", with: "\nTitle,Author")
        try await correctAll(sample, job, text)

        let copies = CommitCopies(of: "s.sqlite", in: sample.folder)
        _ = try await importCorrections(sample, job.name, with: text, observingCommits: copies.take)
        let names = copies.names
        #expect(names.count >= 4)
        for name in names {
            let outcome = try await importCorrections(sample, job.name, with: text, in: name)
            #expect(outcome.job.counts.rejected == 0)
            #expect(outcome.job.counts.totalProcessed == 60)
            try check(sample, records: 60, in: name)
            #expect(try sample.dump(name) == sample.dump("whole.sqlite"), "\(name)")
        }
    }

    private func correctAll(_ sample: SampleImport, _ job: Job, _ text: String) async throws {
        let outcome = try await importCorrections(sample, job.name, with: text, in: "whole.sqlite")
        #expect(outcome.job.counts.rejected == 0)
    }

    // MARK: With services

    @Test func `a resumed job keeps corrections and asks services about them`() async throws {
        let library = try NetworkImport(records: 30)
        let text = try String(contentsOfFile: library.file, encoding: .utf8)
        try (text + ",Nobody,,3\n").write(toFile: library.file, atomically: true, encoding: .utf8)
        let corrected =
            "Title,Author,ISBN13,My Rating,_etl_row\nRow,A,\(FakeClient.isbns(known: 31, unknown: 1).known[30].isbn13),3,32\n"
        let list = try library.folder.write(corrected, to: "corrected.csv")
        // Limiters remember their requests by the clock they were asked under.
        func importCorrections(
            _ store: String, _ settings: ServiceSettings, clock: any RunClock = SystemClock()
        ) async throws -> ImportOutcome {
            var request = try library.request(store, settings)
            request.reading.files = []
            request.mode = .corrections(
                .init(list))
            request.jobName = "job"
            return try await ImportJob(request, clock: clock).run()
        }
        let calm = try FakeServer { FakeServices().answer($0) }
        defer { calm.stop() }
        _ = try await library.run("calm.sqlite", library.settings(calm))
        let whole = try await importCorrections("calm.sqlite", library.settings(calm))
        #expect(whole.corrections?.corrected == 1)
        #expect(whole.job.pending == 0)

        let gone = try FakeServer { FakeServices().answer($0) }
        var settings = library.settings(gone)
        settings.stateFolder = nil
        gone.stop()
        let offline = try await library.run("s.sqlite", settings, clock: ManualClock())
        let before = offline.job.pending
        let later = try await importCorrections("s.sqlite", settings, clock: ManualClock())
        #expect(later.corrections?.corrected == 1)
        #expect(later.job.pending == before + 1)

        let resumed = try await library.run("s.sqlite", library.settings(calm), again: true)
        #expect(resumed.job.pending == 0)
        #expect(resumed.job.counts.rejected == 0)
        #expect(resumed.job.counts.totalProcessed == 31)
        #expect(try library.dump("s.sqlite") == library.dump("calm.sqlite"))
    }
}
