/// When a failed request is sent again: three attempts, with pauses of 1 s, 2 s, 4 s and so on up to 30 s. The pause
/// that the service requests takes precedence. A request that is wrong or refused is not sent again, and after an
/// error of the server itself (500) it is sent again once.
public struct RetryPolicy: Sendable, Hashable {
    /// Maximum number of attempts, the first included.
    public var attempts: Int
    /// The pause after the first attempt.
    public var firstPause: Duration
    /// Maximum pause that the service does not ask for.
    public var longestPause: Duration

    /// The contract's policy.
    public init(
        attempts: Int = 3, firstPause: Duration = .seconds(1), longestPause: Duration = .seconds(30)
    ) {
        self.attempts = attempts
        self.firstPause = firstPause
        self.longestPause = longestPause
    }
}

extension RetryPolicy {
    /// The failed attempts of one request.
    struct Attempts: Sendable {
        private let policy: RetryPolicy
        private var count = 0
        private var serverErrors = 0

        init(_ policy: RetryPolicy) { self.policy = policy }

        /// An attempt has failed.
        ///
        /// - Parameter share: Varies the pause, from 0.5 to 1, so that many clients do not come back at once.
        /// - Returns: The pause before the next attempt; nil if there is none.
        mutating func pause(after error: BooksTrackError, share: Double) -> Duration? {
            count += 1
            guard count < policy.attempts, error.isRetryable else { return nil }
            switch error {
            case .service(let error):
                if error.status == 500 { serverErrors += 1 }
                guard serverErrors < 2 else { return nil }
                if let pause = error.retryAfter { return pause }
            case .closed(let code):
                if let pause = code.pause { return pause }
            default: break
            }
            let doubled = policy.firstPause * Int(1 << min(count - 1, 16))
            return min(doubled, policy.longestPause) * share
        }
    }

    /// No attempt has failed yet.
    func begin() -> Attempts { Attempts(self) }
}
