import Bytes

/// The faults of the fake services. A share of all requests fails. The seed, the request and the number of
/// earlier attempts decide which and how. So runs are reproducible, and retries can succeed.
package struct FakeFaults: Sendable, Hashable {
    /// A kind of fault.
    package enum Kind: String, Sendable, Hashable, CaseIterable {
        /// Status 429, without and with a `Retry-After`.
        case throttled, throttledWithPause
        case serverError
        /// A body shorter than its `Content-Length`.
        case cutOff
        /// The first half of a response, with the correct length.
        case brokenJSON
        /// An HTML page with status 200.
        case page
        /// The connection is reset.
        case reset
        /// The response arrives very slowly.
        case dripping
        /// No response arrives.
        case silent
        /// A response about another book.
        case mismatch
        /// Status 403 because of a rate limit, as Google sends it.
        case limit403
        /// Status 403 because access is denied.
        case blocked403
    }

    /// The share of requests that fail, 0–1.
    package var share: Double
    package var kinds: [Kind]
    /// Decides which requests fail, and how. The same seed gives the same faults.
    package var seed: UInt64
    /// Maximum delay of a response in milliseconds. The seed decides the actual delay.
    package var latencyMilliseconds: Int

    /// The faults of a service by default. Only Google sends a 403 because of a rate limit.
    package static func kinds(of service: String) -> [Kind] {
        Kind.allCases.filter { $0 != .limit403 || service == "google-books" }
    }

    package init(
        share: Double = 0, kinds: [Kind] = Kind.allCases, seed: UInt64 = 1, latencyMilliseconds: Int = 0
    ) {
        self.share = kinds.isEmpty ? 0 : share
        self.kinds = kinds
        self.seed = seed
        self.latencyMilliseconds = latencyMilliseconds
    }

    /// The fault of an attempt of a request, nil for none, and its delay.
    func fault(_ request: String, attempt: Int) -> (kind: Kind?, delayMilliseconds: Int) {
        let hash = KeyHash.hash(Array(request.utf8), seed: seed &+ UInt64(attempt) &* 0x9E37_79B9_7F4A_7C15)
        let delay = latencyMilliseconds > 0 ? Int(hash >> 40) % (latencyMilliseconds + 1) : 0
        guard Double(hash % 10_000) < share * 10_000 else { return (nil, delay) }
        return (kinds[Int((hash >> 20) % UInt64(kinds.count))], delay)
    }
}
