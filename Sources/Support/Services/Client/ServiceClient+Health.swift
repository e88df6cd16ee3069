package import System

/// Evaluation of a ``ServiceClient``'s requests: the service's health in this run, and the figures for reports.
extension ServiceClient {
    func noteCall() {
        metrics.calls += 1
        pausedUntil = nil
    }

    func notePause(until instant: Int64) {
        pausedUntil = instant / 1_000
        reportStatus()
    }

    func noteAnswer(to kind: ServiceKey.Kind, _ lease: Int64, after nanoseconds: UInt64) {
        health.answered(kind, lease)
        metrics.throttledUntil = nil
        metrics.noteLatency(nanoseconds: nanoseconds, of: kind)
    }

    /// Records a failed request.
    func noteFailure(_ outcome: LookupOutcome, _ error: ServiceError, _ lease: Int64) {
        health.failed(outcome, lease)
        metrics.noteFailed(outcome, error)
    }

    /// Whether a few keys that were refused, each alone, are keys that the service does not have.
    func settlesRefusal(of kind: ServiceKey.Kind) -> Bool { health.settlesRefusal(of: kind) }

    /// Records an error response that says nothing about the requested keys.
    ///
    /// - Parameter count: Number of keys that were refused.
    func noteError(_ error: ServiceError, to kind: ServiceKey.Kind, count: Int) {
        metrics.noteFailed(.requestRejected, error)
        health.refused(kind, count: count)
    }

    /// Number of throttled responses since the last answer. Those to requests that were under way at the same
    /// time count as one.
    var throttlingsInARow: Int { health.throttlingsInARow }

    /// Records a throttled request.
    ///
    /// - Parameters:
    ///   - lease: The request's lease.
    ///   - last: The latest lease that was granted before the pause.
    ///   - instant: Until when the service is not asked, in microseconds since 1970.
    func noteThrottling(
        _ lease: Int64, grantedBeforePause last: Int64, isOverloaded: Bool, until instant: Int64
    ) {
        metrics.throttled += 1
        let now = dependencies.clock.nanoseconds()
        let pause = UInt64(max(0, instant - dependencies.instant)) * 1_000
        health.throttled(
            lease, grantedBeforePause: last, now: now, pause: pause, isOverloaded: isOverloaded)
        guard health.refusal(at: now) != nil else { return }
        noteThrottled(until: instant)
        admissionQueue.wake()
    }

    func noteThrottled(until instant: Int64) {
        metrics.throttledUntil = max(metrics.throttledUntil ?? 0, instant / 1_000)
    }

    /// Records why the service's rate limits cannot be read or changed.
    func noteLimiterFailure(_ failure: ETLError) {
        metrics.limiterFailure = metrics.limiterFailure ?? failure.message
    }

    func noteQuota(until instant: Int64) { metrics.resumeAt = instant / 1_000 }

    /// Records until when the service is not asked because it failed too often.
    ///
    /// - Returns: The outcome of keys that are left for that reason: how the last request of the run failed,
    ///   if there was one.
    func noteSuspended(until instant: Int64) -> LookupOutcome {
        metrics.suspendedUntil = instant / 1_000
        return health.lastFailure ?? .down
    }

    /// Records that the service rejected credentials that it has never accepted. It is left alone for as long as
    /// a service that is down.
    func block(_ error: ServiceError) {
        health.blocked(
            until: dependencies.clock.nanoseconds() + UInt64(service.limits.breaker.openTime) * 1_000)
        metrics.noteFailed(.blocked, error)
        admissionQueue.wake()
    }

    /// Whether the service has answered in this run.
    var hasAnswered: Bool { health.hasAnswered }

    /// Why the service is not asked; nil if it may be asked.
    package var refusal: LookupOutcome? {
        if isClosed || dependencies.stop.isRaised { return .stopped }
        return health.refusal(at: dependencies.clock.nanoseconds())
    }

    /// Whether the service refuses all requests for a kind.
    func isRefused(_ kind: ServiceKey.Kind) -> Bool { health.isRefused(kind) }

    /// Whether it is worth waiting until the breaker half-opens.
    var isWorthWaitingFor: Bool { health.isWorthWaitingFor }

    /// Whether asking again for keys that stayed unanswered promises answers: the service has answered
    /// others.
    package var isWorthAskingAgain: Bool { isWorthWaitingFor && refusal == nil }
}
