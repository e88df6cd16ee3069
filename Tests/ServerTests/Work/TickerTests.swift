import Synchronization
import System
import TestSupport
import Testing

@testable import Server

@Suite struct TickerTests {
    /// Stack address at each tick, and the number of ticks.
    private struct Ticks {
        var count = 0
        var first: UInt?
        var isMoved = false
    }

    @Test func `a million ticks need no more stack than one`() async throws {
        let ticks = Guarded(Ticks())
        let ended = StopSignal()
        let ticker = try Ticker(every: 500, clock: ManualClock()) {
            var local = 0
            let address = withUnsafePointer(to: &local) { UInt(bitPattern: $0) }
            let isLast = ticks.withLock { ticks in
                ticks.count += 1
                ticks.isMoved = address != ticks.first ?? address
                ticks.first = ticks.first ?? address
                return ticks.isMoved || ticks.count == 1_000_000
            }
            if isLast { ended.raise() }
        }
        await ended.wait()
        ticker.stop()
        let (count, isMoved) = ticks.withLock { ($0.count, $0.isMoved) }
        #expect(!isMoved, "the stack had moved at tick \(count)")
        #expect(count >= 1_000_000)
    }

    @Test func `a ticker that has stopped lets its closure go`() async throws {
        final class Owner: Sendable { let ticks = Guarded(0) }
        weak var released: Owner?
        var ticker: Ticker?
        do {
            let owner = Owner()
            released = owner
            ticker = try Ticker(every: 1) { owner.ticks.withLock { $0 += 1 } }
        }
        ticker?.stop()
        while released != nil { await Task.yield() }
        ticker = nil
    }
}
