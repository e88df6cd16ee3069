import Books
import Pipeline
import Store
import System
import TestSupport
import Testing

@testable import Server

@Suite struct EventFeedTests {
    /// Reads nothing, so that the first bytes stay: each read notes the time and leaves the feed as it was.
    private static func readNothing(_ feed: EventFeed) {
        withUnsafeTemporaryAllocation(byteCount: 0, alignment: 1) { _ = feed.read(into: $0) }
    }

    @Test func `a client that reads while its stream is kept alive does not end the server`() async {
        let feed = EventFeed(
            of: "job", token: nil, after: 0, hub: EventHub(), clock: SystemClock(), ended: { _ in })
        // A time that one thread took before the other took and noted a later one made a difference below zero.
        await withDiscardingTaskGroup { group in
            group.addTask { @concurrent in for _ in 0..<100_000 { feed.keepAlive() } }
            group.addTask { @concurrent in for _ in 0..<100_000 { Self.readNothing(feed) } }
        }
    }

    /// Reads what there is.
    private static func text(_ feed: EventFeed) -> String {
        withUnsafeTemporaryAllocation(byteCount: 4_096, alignment: 1) { buffer in
            var text = ""
            while case .bytes(let count) = feed.read(into: buffer) {
                text += String(decoding: buffer[..<count], as: UTF8.self)
            }
            return text
        }
    }

    @Test func `a silent stream gets a comment`() {
        let clock = ManualClock()
        let hub = EventHub()
        hub.open("job", JobEventLog(.csvImport, sentence: "Waiting", at: 0))
        let feed = EventFeed(of: "job", token: nil, after: 0, hub: hub, clock: clock, ended: { _ in })
        _ = Self.text(feed)
        clock.block(nanoseconds: EventFeed.silence - 1)
        feed.keepAlive()
        #expect(Self.text(feed).isEmpty)
        clock.block(nanoseconds: 1)
        feed.keepAlive()
        #expect(Self.text(feed) == ": \n\n")
    }

    @Test(arguments: [false, true])
    func `after the state a stream tells neither the start again nor, after the end, older progress`(
        hasEnded: Bool
    ) {
        var log = JobEventLog(.csvImport, sentence: "Waiting", at: 0)
        log.begin(run: 1)
        _ = log.add(.started, Array("{}".utf8), at: 1)
        _ = log.add(.progress, Array("{}".utf8), at: 2)
        if hasEnded { _ = log.add(.completed, Array("{}".utf8), at: 3) }
        let hub = EventHub()
        hub.open("job", log)
        let feed = EventFeed(of: "job", token: nil, after: 1, hub: hub, clock: ManualClock(), ended: { _ in })
        let events = Self.text(feed).split(separator: "\n").filter { $0.hasPrefix("event: ") }
        #expect(events == ["event: reconnected", hasEnded ? "event: completed" : "event: progress"])
    }
}
