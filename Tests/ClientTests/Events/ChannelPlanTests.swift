import Testing

@testable import BooksTrack

/// Which channel comes next, as a script of what happens.
@Suite struct ChannelPlanTests {
    private static let cut = BooksTrackError.unreachable("cut")

    private func plan(_ channels: Set<EventChannel> = Set(EventChannel.allCases)) -> ChannelPlan {
        ChannelPlan(channels, retries: RetryPolicy(), pollInterval: .seconds(2))
    }

    @Test func `the best channel is first, and worse ones follow after three attempts each`() throws {
        var plan = plan()
        var taken: [EventChannel?] = []
        for _ in 0..<6 {
            taken.append(plan.next)
            _ = try plan.fail(Self.cut, hadNews: false, at: .zero, share: 1)
        }
        #expect(taken == [.webSocket, .webSocket, .webSocket, .stream, .stream, .stream])
        #expect(plan.next == .polling)
    }

    @Test func `after half a minute the best channel is tried again, unless it does not exist`() throws {
        for (error, later) in [
            (Self.cut, EventChannel.webSocket), (.closed(.tryAgainLater), .webSocket),
            (.malformed("no WebSocket"), .polling),
        ] as [(BooksTrackError, EventChannel)] {
            var plan = plan([.webSocket, .polling])
            while plan.next == .webSocket {
                _ = try plan.fail(error, hadNews: false, at: .zero, share: 1)
            }
            #expect(plan.pollAgain(at: .seconds(10)) == .seconds(2))
            #expect(plan.next == .polling)
            #expect(plan.pollAgain(at: .seconds(28)) == .seconds(2))
            #expect(plan.next == later, "\(error)")
        }
    }

    @Test func `pauses grow, and begin again after news`() throws {
        var plan = plan([.webSocket])
        #expect(try plan.fail(Self.cut, hadNews: false, at: .zero, share: 1) == .seconds(1))
        #expect(try plan.fail(Self.cut, hadNews: false, at: .zero, share: 0.5) == .seconds(1))
        #expect(try plan.fail(Self.cut, hadNews: true, at: .zero, share: 1) == .zero)
        #expect(try plan.fail(Self.cut, hadNews: false, at: .zero, share: 1) == .seconds(1))
    }

    @Test func `a plan without channels has none, and the last one that fails is the error`() throws {
        #expect(plan([]).next == nil)
        var polling = plan([.polling])
        let refusal = BooksTrackError.malformed("no status")
        #expect(throws: refusal) { try polling.fail(refusal, hadNews: false, at: .zero, share: 1) }
        var socket = plan()
        #expect(throws: BooksTrackError.canceled) {
            try socket.fail(.canceled, hadNews: false, at: .zero, share: 1)
        }
    }
}
