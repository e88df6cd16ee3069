import Foundation
import Jobs
import Sources
import System
import TestSupport
import Testing

/// Dumps are watched during a build, and bytes after compressed data are reported.
@Suite struct WatchedDumpsTests {
    private let folder: TemporaryFolder
    private let lines: String

    init() throws {
        folder = try TemporaryFolder()
        lines = (1...60).map { DumpFixture.work($0, #""title": "W\#($0)""#, author: 1) + "\n" }.joined()
    }

    /// Builds while the files change, after they were inspected and before they are read.
    private func failure(
        _ files: [String], while happening: @escaping @Sendable () -> Void
    ) async throws -> ETLError? {
        var builder = try CatalogBuilder(output: folder.file("catalog.sqlite"), batchRecords: 7)
        builder.reshape = { flow in
            happening()
            return flow
        }
        do throws(ETLError) {
            try await builder.build(from: files)
            return nil
        } catch {
            return error
        }
    }

    @Test(arguments: [true, false])
    func `a dump that changes while it is read fails the build`(isPacked: Bool) async throws {
        let bytes = isPacked ? GzipBytes.stored(Array(lines.utf8)) : Array(lines.utf8)
        for other in [bytes + bytes, Array(bytes.prefix(bytes.count / 2)), bytes] {
            let first = try folder.write(lines, to: "first.txt")
            let path = try folder.write(bytes, to: "dump.txt")
            let failure = try await failure([first, path]) {
                try? Data(other).write(to: URL(filePath: path))
            }
            #expect(failure?.kind == .unusableInput)
            #expect(failure?.message.hasPrefix("`\(path)` changed while it was read: ") == true)
            #expect(failure?.advice == "Run the command again when no other program is writing to the file.")
            // The staged records would come from two different files.
            #expect(folder.names == ["dump.txt", "first.txt"])
        }
        #expect(try await failure([folder.file("dump.txt")]) {} == nil)
    }

    @Test func `trailing garbage after compressed data is reported, in every run`() async throws {
        let packed = GzipBytes.stored(Array(lines.utf8))
        let files = [
            try folder.write(packed + Array("garbage".utf8), to: "page.gz"),
            try folder.write(packed + [0, 0], to: "padded.gz"), try folder.write(lines, to: "plain.txt"),
        ]
        let whole = try await CatalogFixture.builder(folder).build(from: files)
        #expect(whole.sources.map(\.endsInGarbage) == [true, false, false])

        let stop = StopSignal()
        var stopped = try CatalogBuilder(
            output: folder.file("stopped.sqlite"), batchRecords: 7, batchesPerCommit: 1)
        stopped.stop = stop
        stopped.observe = { if $0.lines > 70 { stop.raise() } }
        #expect(try await stopped.run(files).report == nil)
        let resumed = try CatalogBuilder(
            output: folder.file("stopped.sqlite"), batchRecords: 7, batchesPerCommit: 1)
        #expect(try await resumed.build(from: files).sources == whole.sources)
    }
}
