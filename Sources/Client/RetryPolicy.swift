/// When a failed request is sent again: three attempts, with pauses of 1 s, 2 s, 4 s and so on up to 30 s. What the
/// service says about its own pause wins. A request that is wrong or refused is not sent again.
public struct RetryPolicy: Sendable, Hashable {
    /// The most attempts, the first included.
    public var attempts: Int
    /// The pause after the first attempt.
    public var firstPause: Duration
    /// The longest pause.
    public var longestPause: Duration

    /// The contract's policy.
    public init(
        attempts: Int = 3, firstPause: Duration = .seconds(1), longestPause: Duration = .seconds(30)
    ) {
        self.attempts = attempts
        self.firstPause = firstPause
        self.longestPause = longestPause
    }

    /// The pause before the next attempt; nil if the request is not sent again.
    ///
    /// - Parameter attempt: The number of the attempt that failed, from 1.
    func pause(
        after error: BooksTrackError, attempt: Int, using random: inout any RandomNumberGenerator & Sendable
    ) -> Duration? {
        guard attempt < attempts, error.isRetryable else { return nil }
        if case .service(let error) = error, let pause = error.retryAfter { return pause }
        let doubled = firstPause * Int(1 << min(attempt - 1, 16))
        // Between half and all of it.
        let share = 0.5 + Double.random(in: 0..<0.5, using: &random)
        return min(doubled, longestPause) * share
    }
}
