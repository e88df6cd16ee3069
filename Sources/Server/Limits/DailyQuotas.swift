package import Contract
import Pipeline

/// How much a user may import in 24 hours: a token, or an address without one. What was accepted before a restart counts.
package struct DailyQuotas: Sendable, Hashable {
    /// An accepted job. Times are milliseconds since 1970.
    package struct Use: Sendable, Hashable {
        package let acceptedAt: Int64
        /// Bytes of its upload.
        package let bytes: Int

        package init(acceptedAt: Int64, bytes: Int) {
            self.acceptedAt = acceptedAt
            self.bytes = bytes
        }
    }

    private static let window: Int64 = 24 * 3_600_000

    /// Maximum number of jobs; nil for any.
    package var imports: Int?
    /// Maximum size of all uploads together, in bytes; nil for any.
    package var bytes: Int?

    package init(imports: Int? = nil, bytes: Int? = nil) {
        self.imports = imports
        self.bytes = bytes
    }

    /// Why another job is refused; nil if it is not.
    ///
    /// - Parameters:
    ///   - size: Bytes of its upload.
    ///   - used: The user's jobs, in any order.
    package func refusal(adding size: Int, to used: [Use], now: Int64) -> ResponseError? {
        let used = used.filter { now - $0.acceptedAt < Self.window }.sorted { $0.acceptedAt < $1.acceptedAt }
        if let imports, used.count >= imports {
            // The next one is admitted when fewer than `imports` are younger than a day.
            let end = used.dropFirst(used.count - imports).first.map { $0.acceptedAt + Self.window }
            let quota = imports == 1 ? "1 import" : "\(imports) imports"
            return refusal(quota, imports, until: end ?? now + Self.window, now)
        }
        guard let bytes else { return nil }
        guard size <= bytes else {
            return .payloadTooLarge(
                limitBytes: bytes,
                "The upload is larger than the quota of \(ByteCountText.rounded(bytes)) in 24 hours.")
        }
        var left = used.reduce(0) { $0 + $1.bytes } + size - bytes
        guard left > 0 else { return nil }
        var end = now + Self.window
        for use in used where left > 0 {
            left -= use.bytes
            end = use.acceptedAt + Self.window
        }
        return refusal("\(ByteCountText.rounded(bytes)) of uploads", bytes, until: end, now)
    }

    private func refusal(_ quota: String, _ limit: Int, until end: Int64, _ now: Int64) -> ResponseError {
        let seconds = Int(max(1, (end - now + 999) / 1_000))
        let minutes = (seconds + 59) / 60
        let wait = minutes < 120 ? "\(minutes) min" : "\(minutes / 60) h \(minutes % 60) min"
        return .rateLimited(
            retryAfterSeconds: seconds, limit: limit, window: "24 hours",
            "The quota of \(quota) in 24 hours is used up. Try again in \(wait).")
    }
}
