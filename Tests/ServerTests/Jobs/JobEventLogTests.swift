import Store
import System
import Testing

@testable import Jobs
@testable import Server

@Suite struct JobEventLogTests {
    private static func log() -> JobEventLog { JobEventLog(.csvImport, sentence: "Waiting", at: 0) }

    private static func texts(_ events: [JobEvent]) -> [String] {
        events.map { "\($0.kind.rawValue) \(String(decoding: $0.message, as: UTF8.self))" }
    }

    @Test func `a watcher is told the start, the latest progress, and the end`() {
        var log = Self.log()
        #expect(log.events(after: 0).isEmpty)
        log.begin(run: 1)
        _ = log.add(.started, Array("s".utf8), at: 1)
        for number in 1...100 { _ = log.add(.progress, Array("\(number)".utf8), at: 2) }
        #expect(Self.texts(log.events(after: 0)) == ["started s", "progress 100"])
        let seen = log.events(after: 0).last?.id ?? 0
        #expect(log.events(after: seen).isEmpty && !log.isOver(after: seen))
        _ = log.add(.progress, Array("101".utf8), at: 2)
        _ = log.add(.completed, Array("c".utf8), at: 3)
        #expect(Self.texts(log.events(after: seen)) == ["progress 101", "completed c"])
        #expect(log.isOver(after: log.events(after: seen).last?.id ?? 0))
        #expect(log.state == .completed)
    }

    @Test func `ids grow over the runs of a job, also in a process that knows only their number`() {
        var first = Self.log()
        first.begin(run: 1)
        for _ in 0..<1_000 { _ = first.add(.progress, [], at: 1) }
        let last = first.events(after: 0).last?.id ?? 0
        var second = Self.log()
        second.begin(run: 2)
        let next = second.add(.started, [], at: 2)
        #expect(next.id > last)
        #expect(second.events(after: last).map(\.id) == [next.id])
    }

    @Test func `a job that ended in an earlier process tells its end under the same id`() {
        let ending = JobEnding(
            state: .failed, endedAt: 5, expiresAt: 9, lastEvent: 1_000_000_007, message: Array("e".utf8))
        let log = JobEventLog(.batchEnrichment, ending)
        #expect(log.events(after: 0).map(\.id) == [1_000_000_007])
        #expect(Self.texts(log.events(after: 1_000_000_006)) == ["failed e"])
        #expect(log.isOver(after: 1_000_000_007) && !log.isOver(after: 1_000_000_006))
        #expect(log.state == .failed)
    }
}

@Suite struct EventHubTests {
    @Test func `watchers are woken by news about their job only, until they leave`() {
        let hub = EventHub()
        for job in ["a", "b"] { hub.open(job, JobEventLog(.csvImport, sentence: "", at: 0)) }
        let woken = Guarded<[String]>([])
        let first = hub.watch("a") { woken.withLock { $0.append("first") } }
        _ = hub.watch("a") { woken.withLock { $0.append("second") } }
        _ = hub.watch("b") { woken.withLock { $0.append("third") } }
        #expect(hub.watch("c") {} == nil)
        _ = hub.update("a") { $0.begin(run: 1) }
        #expect(woken.withLock { $0.sorted() } == ["first", "second"])
        if let first { hub.leave("a", first) }
        _ = hub.update("a") { $0.begin(run: 2) }
        #expect(woken.withLock { $0.sorted() } == ["first", "second", "second"])
        #expect(hub.watcherCount == 2)
        hub.close("a")
        #expect(hub["a"] == nil && hub.update("a") { _ in 1 } == nil)
    }

    @Test func `clients that have not said they are ready are counted`() {
        let hub = EventHub()
        hub.open("a", JobEventLog(.csvImport, sentence: "", at: 0))
        #expect(!hub.awaitsReady("a"))
        hub.expectReady("a")
        hub.expectReady("a")
        hub.noteReady("a")
        #expect(hub.awaitsReady("a"))
        hub.noteReady("a")
        hub.noteReady("a")
        #expect(!hub.awaitsReady("a"))
    }
}

@Suite struct JobNameTests {
    @Test func `new names are UUIDs`() {
        for _ in 0..<100 {
            let name = JobName.make()
            #expect(
                name.wholeMatch(of: #/[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}/#)
                    != nil)
            #expect(JobName.isValid(name))
        }
    }

    @Test(arguments: [
        "", ".", "..", "../x", "a/b", "-a", ".a", "a b", "a\0", "ä", String(repeating: "a", count: 65),
        "%2e%2e",
    ])
    func `what could lead out of a folder is no name`(text: String) { #expect(!JobName.isValid(text)) }
}
