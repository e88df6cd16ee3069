import Formats
import Foundation
import Jobs
import Pipeline
import Store
import System
import TestSupport
import Testing

@testable import Server

/// The nightly run of a server.
@Suite(.ownThread) struct NightlyTests {
    private let clock = SetClock()

    /// A server whose nightly run is due in an hour.
    private func server(
        _ sample: SampleImport? = nil, importing: Bool = false,
        _ change: (inout ServerSettings) -> Void = { _ in }
    ) async throws -> RunningServer {
        let definition = try DefinitionFile.read(
            DefinitionFile.load("\(ProjectFiles.root)/Pipelines/batch_enrichment.yaml"),
            named: "batch_enrichment.yaml", overrides: [])
        let time = try #require(TimeOfDay(Self.hourLater(clock)))
        return try await RunningServer(sample, clock: clock, importing: importing) { settings in
            var request = settings.jobs.imports
            request.reading.files = []
            request.definition = definition
            request.mode = .refresh(RefreshRequest(RefreshOptions(mode: .replace)))
            settings.jobs.refreshes = request
            settings.nightly = .init(at: time)
            change(&settings)
        }
    }

    private static func hourLater(_ clock: SetClock) -> String {
        let started = clock.epochMilliseconds() - Int64(clock.nanoseconds() / 1_000_000)
        let minutes = (started / 60_000 + 60) % 1_440
        return String(format: "%02d:%02d", minutes / 60, minutes % 60)
    }

    /// Lets the server do what is due, until a run has ended.
    ///
    /// - Parameter earlier: When the run before that began; nil if it is the first one, or goes on.
    private func pass(
        _ running: RunningServer, after earlier: Int64? = nil
    ) async throws -> NightlyRun {
        let nightly = try #require(running.server.backend.nightly)
        clock.advance(seconds: 3_700)
        repeat {
            running.server.backend.tick()
            await Task.yield()
        } while nightly.run.startedAt == earlier || nightly.run.phase != .waiting
        return nightly.run
    }

    @Test func `the stored books are refreshed by a job that is listed like any other`() async throws {
        let running = try await server(importing: true)
        running.server.backend.tick()
        #expect(running.server.backend.jobs.load == (0, nil), "it is not due yet")
        let run = try await pass(running)
        #expect(run.refresh?.result == .completed && !run.hasFailed)
        let name = try #require(run.job)
        let job = try #require(
            try JobTable(StoreFile.openForReading(running.store)).job(named: name))
        #expect(job.isRefresh && job.status == .completed)
        let metrics = try running.request("GET", "/metrics").text
        #expect(metrics.contains("etl_nightly_running 0\n") && metrics.contains("etl_nightly_failed 0\n"))
        #expect(
            metrics.contains(
                "etl_nightly_next_seconds \(run.next(try #require(TimeOfDay(Self.hourLater(clock)))) / 1_000)\n"
            ))
        await running.server.stop()
    }

    @Test func `a server without books has nothing to refresh`() async throws {
        let running = try await server()
        let run = try await pass(running)
        #expect(run.refresh?.result == .skipped && run.job == nil)
        await running.server.stop()
    }

    @Test func `the next server goes on with a run, and makes up for one that was missed`() async throws {
        let first = try await server(importing: true)
        let lock = HeldLock()
        try #require(lock.take(first.store))
        clock.advance(seconds: 3_700)
        let nightly = try #require(first.server.backend.nightly)
        while nightly.run.job == nil {
            first.server.backend.tick()
            await Task.yield()
        }
        await first.server.stop()
        lock.release()
        let second = try await server(first.sample)
        let job = try #require(second.server.backend.nightly?.run.job)
        let run = try await pass(second)
        #expect(run.job == job && run.refresh?.result == .completed && run.startedAt == nightly.run.startedAt)
        await second.server.stop()
        clock.advance(seconds: 3 * 86_400)
        let third = try await server(first.sample)
        let late = try await pass(third, after: run.startedAt)
        #expect(late.startedAt ?? 0 > run.startedAt ?? 0 && late.refresh?.result == .completed)
        await third.server.stop()
    }

    @Test func `backups are written and read back, and the oldest ones are deleted`() async throws {
        let sample = try SampleImport(sharing: try await RunningServer.catalog.value)
        let folder = sample.folder.file("backups")
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        for name in ["other-2020-01-01.sqlite", "library-notes.sqlite"] {
            try Data("mine".utf8).write(to: URL(fileURLWithPath: "\(folder)/\(name)"))
        }
        let store = sample.folder.file("library.sqlite")
        let running = try await server(sample, importing: true) {
            $0.nightly?.backups = try? BackupFolder(folder, of: store, keeping: 2)
        }
        var runs: [NightlyRun] = []
        for _ in 1...3 {
            runs.append(try await pass(running, after: runs.last?.startedAt))
            clock.advance(seconds: 82_700)
        }
        #expect(runs.allSatisfy { $0.backup?.result == .completed && $0.savedAt != nil })
        let names = try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
        #expect(names.count == 4 && names.contains("other-2020-01-01.sqlite"), "\(names)")
        let last = try #require(names.filter { $0.hasPrefix("library-2") }.last)
        #expect(
            try StoreFile.openForReading("\(folder)/\(last)").canonicalDump() == sample.dump("library.sqlite")
        )
        let metrics = try running.request("GET", "/metrics").text
        #expect(metrics.contains("etl_backup_bytes \(runs[2].savedBytes)\n"))
        // What cannot be written deletes nothing, and is reported.
        try FileManager.default.moveItem(atPath: folder, toPath: folder + ".gone")
        let failed = try await pass(running, after: runs[2].startedAt)
        #expect(failed.backup?.result == .failed && failed.hasFailed && failed.savedAt == runs[2].savedAt)
        #expect(try running.request("GET", "/metrics").text.contains("etl_nightly_failed 1\n"))
        await running.server.stop()
    }

    @Test func `a folder that cannot be written to is refused at once`() throws {
        let folder = try TemporaryFolder()
        #expect(throws: ETLError.self) {
            try BackupFolder(folder.file("nothing"), of: "library.sqlite", keeping: 7)
        }
    }

    @Test func `results are in the log`() async throws {
        let lines = Guarded("")
        let log = try AccessLog { bytes in lines.withLock { $0 += String(decoding: bytes, as: UTF8.self) } }
        let running = try await server { $0.log = log }
        _ = try await pass(running)
        await running.server.stop()
        let text = lines.withLock(\.self)
        #expect(
            text.contains(#""event":"nightly.refresh","result":"skipped","message":"No book is due."}"#),
            "\(text)")
    }
}
