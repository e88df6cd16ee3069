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

    @Test func `a silent stream gets a comment`() {
        let clock = ManualClock()
        let hub = EventHub()
        hub.open("job", JobEventLog(.csvImport, sentence: "Waiting", at: 0))
        let feed = EventFeed(of: "job", token: nil, after: 0, hub: hub, clock: clock, ended: { _ in })
        var texts: [String] = []
        func read() {
            withUnsafeTemporaryAllocation(byteCount: 4_096, alignment: 1) { buffer in
                while case .bytes(let count) = feed.read(into: buffer) {
                    texts.append(String(decoding: buffer[..<count], as: UTF8.self))
                }
            }
        }
        read()
        texts = []
        clock.block(nanoseconds: EventFeed.silence - 1)
        feed.keepAlive()
        read()
        #expect(texts.isEmpty)
        clock.block(nanoseconds: 1)
        feed.keepAlive()
        read()
        #expect(texts == [": \n\n"])
    }
}
