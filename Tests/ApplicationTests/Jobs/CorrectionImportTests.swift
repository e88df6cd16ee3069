import Pipeline
import TestSupport
import Testing

@testable import Application
@testable import Books

/// What a mended list's columns hold, under the columns of the file that its records came from.
struct CorrectionImportTests {
    private static let header = "Title,Author,ISBN13,Mood,_etl_reason,_etl_detail,_etl_row\n"

    /// A store in whose only job the third record was rejected.
    private func rejected(_ row: String = ",Bo Ek,123,sad") async throws -> (SampleImport, Job) {
        var sample = try await SampleImport()
        let text = "Title,Author,ISBN13,Mood\nReef,Ana Lee,9780306406157,glad\n\(row)\n"
        sample.files = [try sample.folder.write(text, to: "books.csv")]
        let job = try await sample.run("s.sqlite").job
        #expect(job.counts.rejected == 1)
        return (sample, job)
    }

    private func mend(_ sample: SampleImport, _ job: Job, with text: String) async throws -> ImportOutcome {
        var order = try sample.order(store: sample.folder.file("s.sqlite"))
        order.reading.files = []
        order.rejects = try sample.folder.write(text, to: "mended.csv")
        order.jobName = job.name
        order.pipelineChoice = .any
        let outcome = try await ImportJob(order, clock: ManualClock()).run()
        let store = try StoreFile.openForReading(sample.folder.file("s.sqlite"))
        #expect(try StoreCheck(store).problems().isEmpty)
        return outcome
    }

    private func list(_ sample: SampleImport) throws -> String {
        let collector = ByteCollector()
        let store = try StoreFile.openForReading(sample.folder.file("s.sqlite"))
        try ErrorList(store).write(of: nil, as: .csv) { (piece) throws(StageFailure) in collector.take(piece)
        }
        return collector.text
    }

    @Test
    func `a record whose cells fit no column comes back with them where they belong, and not otherwise`()
        async throws
    {
        let (sample, job) = try await rejected("Wave,a tale,Bo Ek,9780441172719,sad")
        let lines = try list(sample).split(separator: "\n").map(String.init)
        #expect(lines.first?.hasPrefix("Title,Author,ISBN13,Mood,column 5,_etl_reason,") == true)
        #expect(lines.last?.hasPrefix("Wave,a tale,Bo Ek,9780441172719,sad,shifted_record,") == true)

        let unchanged = try await mend(sample, job, with: list(sample))
        #expect(unchanged.mending?.mended == 0 && unchanged.job.counts.rejected == 1)
        let mended = try await mend(
            sample, job,
            with: "Title,Author,ISBN13,Mood,column 5,_etl_row\n\"Wave, a tale\",Bo Ek,9780441172719,sad,,3\n")
        #expect(mended.mending?.mended == 1 && mended.job.counts.booksCreated == 2)
    }

    @Test func `a list whose columns have other names leaves its records as they are, and says which`()
        async throws
    {
        let (sample, job) = try await rejected()
        let renamed = Self.header.replacing("Title", with: "Name").replacing("Mood,", with: "")
        let outcome = try await mend(sample, job, with: renamed + "Wave,Bo Ek,,,,3\n")
        #expect(outcome.mending?.renamed == 1 && outcome.mending?.passedOver == 0)
        #expect(outcome.mending?.mended == 0 && outcome.job.counts.rejected == 1)
        let warning = try #require(outcome.mending?.warnings.first)
        #expect(
            warning.description.contains("has no column “Title”, “Mood” of ")
                && warning.description.contains("but “Name”"))
    }

    @Test func `a list that lacks columns is taken without them, and says so`() async throws {
        let (sample, job) = try await rejected()
        let outcome = try await mend(sample, job, with: "Title,_etl_row\nWave,3\n")
        #expect(outcome.mending?.mended == 1 && outcome.mending?.renamed == 0)
        let warning = try #require(outcome.mending?.warnings.first)
        #expect(warning.description.contains("“Author”, “ISBN13”, “Mood” of "))
        #expect(warning.description.hasSuffix("what stood there is taken as empty."))
    }
}
