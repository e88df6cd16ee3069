import Pipeline
import TestSupport
import Testing

@testable import Stages

/// What an import of new books costs, in counts that no clock moves: a change that doubles one of them is noticed here.
@Suite struct CostTests {
    private static let records = 4_000

    /// A Goodreads export of books that have nothing in common but some authors.
    private static func export() -> String {
        var text =
            "Book Id,Title,Author,ISBN13,My Rating,Publisher,Number of Pages,Date Added,Exclusive Shelf\n"
        for number in 0..<records {
            let isbn = ISBN(unchecked: 9_780_000_000_000 + Int64(number) * 10).isbn13.dropLast()
            let check =
                (10 - isbn.enumerated().reduce(0) {
                    $0 + ($1.offset % 2 == 0 ? 1 : 3) * ($1.element.wholeNumberValue ?? 0)
                } % 10) % 10
            text += "\(number),A Title of Its Own \(number),Author \(number % 700),\(isbn)\(check),4,"
            text += "Some Publisher,\(100 + number % 700),2020/01/02,read\n"
        }
        return text
    }

    @Test func `a new record costs under half a statement, and under three times its bytes`() async throws {
        let folder = try TemporaryFolder()
        let path = try folder.write(Self.export(), to: "books.csv")
        let bytes = Self.export().utf8.count
        let store = try ResultsStore(folder.file("s.sqlite"), clock: ManualClock())
        let reading = ReadSettings(files: [path])
        let survey = try await ReadLibrary(reading).surveyLibrary()
        _ = try await store.begin(
            JobOrder(
                name: "cost", freshName: "cost", pipeline: "csv_import", library: "default",
                profile: "goodreads", inputs: survey.source.fingerprints))
        let before = await store.cost
        let flow = Flow(
            sourceName: "ReadLibrary", source: ReadLibrary(reading),
            steps: [
                .init(name: "ValidateISBN", stage: ValidateISBN()),
                .init(name: "LookUpBooks", stage: LookUpBooks(providers: [])),
                .init(name: "MergeCandidates", stage: MergeCandidates()),
                .init(name: "NormalizeGenres", stage: NormalizeGenres()),
                .init(name: "EnrichAuthors", stage: EnrichAuthors(directory: JoinedDirectories([]))),
                .init(
                    name: "ComposeResults", stage: ComposeResults(library: "default", numbers: store.numbers)),
            ],
            sinkName: "WriteResults",
            sink: WriteResults(store: store, batchesPerCommit: 8, stop: StopSignal()))
        let report = await Runner(flow, clock: ManualClock()).run()
        #expect(report.outcome == .completed)
        let after = await store.cost
        let job = try #require(try await store.end(.completed, busyMilliseconds: 0))
        #expect(job.counts.booksCreated == Self.records)
        #expect(Double(after.statements - before.statements) / Double(Self.records) < 0.5)
        // No batch is committed twice, and none waits for another: four batches are four commits at the most.
        #expect((1...4).contains(after.commits - before.commits))
        #expect((after.pages - before.pages) * 16_384 < bytes * 8)
    }
}
