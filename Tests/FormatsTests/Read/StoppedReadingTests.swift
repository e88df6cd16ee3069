import Books
import Pipeline
import System
import TestSupport
import Testing

@testable import Formats
@testable import Syntax

/// Reading that ends because the run is to stop.
@Suite struct StoppedReadingTests {
    private let folder: TemporaryFolder
    private let stop = StopSignal()

    init() throws { folder = try TemporaryFolder() }

    private static let title = "<row><c t=\"str\"><v>Title</v></c></row>"

    /// A sheet whose header is followed by rows without cells.
    private func sheet(emptyRows count: Int, row: String = "<row/>") throws -> String {
        let rows = Self.title + String(repeating: row, count: count)
        return try folder.write(SheetDocument.excel([("Books", rows)]), to: "books.xlsx")
    }

    private func isStopped(_ body: () async throws -> Void) async -> Bool {
        let failure = await #expect(throws: ETLError.self) { try await body() }
        return failure?.kind == .temporary
    }

    @Test func `a sheet of empty rows stops between them`() async throws {
        let path = try sheet(emptyRows: 100_000)
        let file = try LibraryFile(path, index: 0, settings: ReadSettings(files: [path]), stop: stop)
        var entry = try LibrarySurvey.File(file, explicit: nil, rules: nil)
        // Opened before the stop: what follows is a single call.
        var bytes = try file.input.bytes()
        stop.raise()
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 20, alignment: 1)
        defer { buffer.deallocate() }
        #expect(await isStopped { while try bytes.read(into: buffer) > 0 {} })
        #expect(
            await isStopped {
                var survey = try file.survey(until: nil)
                while try survey.readOn(into: &entry) {}
            })
    }

    @Test func `the parts of an archive are not opened after a stop`() async throws {
        let parts = (0..<3).map { ("\($0).csv", "Title\nReef\n") }
        let path = try folder.write(ZipBytes.archive(texts: parts), to: "a.zip")
        var settings = ReadSettings(files: [path])
        try settings.expandArchives(stop: stop)
        #expect(settings.files.count == 3)
        settings.files = [path]
        stop.raise()
        #expect(await isStopped { try settings.expandArchives(stop: stop) })
    }

    @Test func `a stopped source keeps what it has read`() async throws {
        let path = try sheet(emptyRows: 3, row: "<row><c t=\"str\"><v>Reef</v></c></row>")
        let batches = Guarded(0)
        let emitter = Emitter<LibraryRows> { [stop] _, _, _, _ in
            batches.withLock { $0 += 1 }
            stop.raise()
            return true
        }
        let settings = ReadSettings(files: [path], batchRecords: 1)
        try await ReadLibrary(settings, stop: stop).read(from: .start, into: emitter)
        #expect(batches.withLock { $0 } == 3)
    }

    @Test func `a sheet has no more empty rows than a sheet can have rows`() async throws {
        let path = try sheet(emptyRows: 1_048_577)
        let failure = await #expect(throws: ETLError.self) {
            try await ReadLibrary(ReadSettings(files: [path])).surveyLibrary()
        }
        #expect(failure?.kind == .tooLarge)
        #expect(failure?.message.contains("more than 1048576 rows") == true)
    }

    @Test func `a survey ends at the first record over the limit`() async throws {
        let path = try folder.write("Title\n" + String(repeating: "Reef\n", count: 5), to: "a.csv")
        var settings = ReadSettings(files: [path, path])
        #expect(try await ReadLibrary(settings).surveyLibrary(recordLimit: 10).recordCount == 10)
        let failure = await #expect(throws: ETLError.self) {
            try await ReadLibrary(settings).surveyLibrary(recordLimit: 9)
        }
        #expect(failure?.kind == .tooLarge)
        settings.limit = 9
        #expect(try await ReadLibrary(settings).surveyLibrary(recordLimit: 9).recordCount == 9)
    }
}
