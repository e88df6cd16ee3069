import Bytes

/// How badly the fake services behave: a share of all requests goes wrong, each in a way that the seed, the request
/// and how often it was sent before decide. So a run can be had again, and asking again helps.
package struct FakeFaults: Sendable, Hashable {
    /// A way to go wrong.
    package enum Kind: String, Sendable, Hashable, CaseIterable {
        /// 429 with and without a `Retry-After`.
        case throttled, throttledWithPause
        case serverError
        /// A body shorter than its length says.
        case cutOff
        /// Half an answer, well delivered.
        case brokenJSON
        /// A page for people with status 200.
        case page
        case reset
        case dripping
        case silent
        /// An answer about another book.
        case wrongBook
        /// 403 that speaks of a limit, as Google's does.
        case limit403
        /// 403 that lets nobody in.
        case blocked403
    }

    /// Share of requests that go wrong, 0–1.
    package var share: Double
    package var kinds: [Kind]
    /// Decides which requests go wrong, and how: of the same seed the same ones.
    package var seed: UInt64
    /// Milliseconds before an answer, at the most; the seed decides how many.
    package var latencyMilliseconds: Int

    /// The ways in which a service goes wrong by itself: a 403 that speaks of a limit is Google's manner, and one that
    /// lets nobody in would be the end of it.
    package static func kinds(of service: String) -> [Kind] {
        Kind.allCases.filter { $0 != .blocked403 && ($0 != .limit403 || service == "google-books") }
    }

    package init(
        share: Double = 0, kinds: [Kind] = Kind.allCases.filter { $0 != .blocked403 }, seed: UInt64 = 1,
        latencyMilliseconds: Int = 0
    ) {
        self.share = kinds.isEmpty ? 0 : share
        self.kinds = kinds
        self.seed = seed
        self.latencyMilliseconds = latencyMilliseconds
    }

    /// What goes wrong with a request that was sent so often before; nil: nothing.
    func fault(_ request: String, attempt: Int) -> (kind: Kind?, delayMilliseconds: Int) {
        let hash = KeyHash.hash(Array(request.utf8), seed: seed &+ UInt64(attempt) &* 0x9E37_79B9_7F4A_7C15)
        let delay = latencyMilliseconds > 0 ? Int(hash >> 40) % (latencyMilliseconds + 1) : 0
        guard Double(hash % 10_000) < share * 10_000 else { return (nil, delay) }
        return (kinds[Int((hash >> 20) % UInt64(kinds.count))], delay)
    }
}
