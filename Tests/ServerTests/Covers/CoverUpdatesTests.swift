import Contract
import FakeServices
import Foundation
import Services
import System
import TestSupport
import Testing

@testable import Jobs
@testable import Server

/// Hosts that have a different image at each address, and do not answer before they may.
private final class CoverHosts: HTTPTransport {
    let asked = StopSignal()
    let opened = StopSignal()
    let requests = Guarded<[String]>([])

    init(isOpen: Bool = true) { if isOpen { opened.raise() } }

    func send(_ request: HTTPRequest) async throws(HTTPFailure) -> HTTPResponse {
        requests.withLock { $0.append(request.url) }
        asked.raise()
        await opened.wait()
        let number = request.url.utf8.reduce(0) { ($0 &* 31 &+ Int($1)) & 0xFFF }
        return HTTPResponse(status: 200, body: ImageFixture.jpeg(count: 500 + number))
    }
}

/// A server that fetches covers itself.
@Suite(.ownThread) struct CoverUpdatesTests {
    private let clock = SetClock()
    private let folder: TemporaryFolder
    private var path: String { folder.file("covers") }

    init() throws { folder = try TemporaryFolder() }

    private func server(_ hosts: CoverHosts, importing: Bool = true) async throws -> RunningServer {
        try await RunningServer(clock: clock, importing: importing) { [path] in
            $0.covers = CoverFiles(folder: path)
            $0.coverUpdates = .init(folder: path, .fake(over: hosts))
        }
    }

    /// Lets the server do what is due, until a run has ended.
    ///
    /// - Parameter earlier: When the run before ended; nil if it is the first one.
    private func pass(_ running: RunningServer, after earlier: Int64? = nil) async throws -> CoverRun {
        let covers = try #require(running.server.backend.covers)
        repeat {
            running.server.backend.tick()
            await Task.yield()
        } while covers.run.endedAt == earlier || covers.run.isRunning
        return covers.run
    }

    @Test func `missing covers are fetched, and the pages show them`() async throws {
        let hosts = CoverHosts()
        let running = try await server(hosts)
        let run = try await pass(running)
        let saved = try #require(run.counts?.saved)
        #expect(saved > 0 && run.failure.isEmpty)
        #expect(hosts.requests.withLock { $0.count == Set($0).count }, "each address was asked once")
        let browser = PageBrowser(running)
        #expect(try browser.open("/page/library?view=covers").text.contains("src=\"/page/covers/"))
        #expect(try browser.open("/page/admin").text.contains("<dd>\(saved) of "))
        let metrics = try running.request("GET", "/metrics").text
        #expect(metrics.contains("etl_covers_saved \(saved)\n") && metrics.contains("etl_covers_running 0\n"))
        await running.server.stop()
    }

    @Test func `an import leads to another run, which asks only for what is new`() async throws {
        let hosts = CoverHosts()
        let running = try await server(hosts)
        let first = try await pass(running)
        let asked = hosts.requests.withLock { $0.count }
        let browser = PageBrowser(running)
        _ = try browser.done(try browser.importFile("Title,Author\nReef,Bo Ek\n"))
        clock.advance(seconds: 61)
        let second = try await pass(running, after: first.endedAt)
        #expect(second.counts?.editions == (first.counts?.editions ?? 0) + 1)
        #expect(second.counts?.saved == first.counts?.saved)
        #expect(hosts.requests.withLock { $0.count } == asked)
        await running.server.stop()
    }

    @Test func `a server without a store fetches nothing`() async throws {
        let hosts = CoverHosts()
        let running = try await server(hosts, importing: false)
        let run = try await pass(running)
        #expect(run.counts?.editions == 0 && hosts.requests.withLock(\.isEmpty))
        #expect(!FileManager.default.fileExists(atPath: path))
        await running.server.stop()
    }

    @Test func `it ends with the server, and keeps what has arrived`() async throws {
        let hosts = CoverHosts(isOpen: false)
        let running = try await server(hosts)
        running.server.backend.tick()
        await hosts.asked.wait()
        #expect(try running.request("GET", "/metrics").text.contains("etl_covers_running 1\n"))
        let covers = try #require(running.server.backend.covers)
        async let stop: Void = running.server.stop()
        hosts.opened.raise()
        await stop
        #expect(!covers.run.isRunning && covers.run.endedAt != nil)
        #expect(FileManager.default.fileExists(atPath: "\(path)/covers.csv"))
    }

    @Test func `it leaves a folder alone that another process writes`() async throws {
        let other = try CoverCollection(path: path)
        let running = try await server(CoverHosts())
        let run = try await pass(running)
        #expect(run.failure.contains("Another process is fetching covers"), "\(run.failure)")
        #expect(try PageBrowser(running).open("/page/admin").text.contains("Another process"))
        #expect(try running.request("GET", "/metrics").text.contains("etl_covers_failed 1\n"))
        withExtendedLifetime(other) {}
        await running.server.stop()
    }
}
