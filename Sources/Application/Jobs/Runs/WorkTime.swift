/// The time in which a job works, without its waits for services, for room on the disk and for other programs. All times are
/// nanoseconds of a monotonic clock.
package struct WorkTime: Sendable, Hashable {
    /// The longest time between two steps that counts while answers of services are awaited.
    package static let longestStep: UInt64 = 1_000_000_000

    /// Time until ``start``.
    private var counted: UInt64
    private var start: UInt64
    /// What owes answers: names of services.
    private var services: Set<String> = []
    private var isWaiting = false

    /// - Parameter counted: Time of earlier turns.
    package init(_ counted: UInt64 = 0, at now: UInt64 = 0) {
        self.counted = counted
        start = now
    }

    /// Whether answers are awaited.
    package var awaitsAnswers: Bool { !services.isEmpty }

    /// The time so far.
    package func spent(at now: UInt64) -> UInt64 {
        guard !isWaiting else { return counted }
        let time = now - min(now, start)
        return counted + (services.isEmpty ? time : min(time, Self.longestStep))
    }

    private mutating func count(at now: UInt64) { (counted, start) = (spent(at: now), now) }

    /// A step is done: records are stored.
    package mutating func step(at now: UInt64) {
        count(at: now)
        isWaiting = false
    }

    /// The job begins, or begins again after a wait.
    package mutating func begin(at now: UInt64) {
        step(at: now)
        services = []
    }

    /// A service owes answers, or no longer.
    package mutating func note(_ service: String, isAwaited: Bool, at now: UInt64) {
        let wasAwaited = !services.isEmpty
        let time = spent(at: now)
        if isAwaited { services.insert(service) } else { services.remove(service) }
        // Between two steps a wait counts once, however often a service answers.
        if services.isEmpty == wasAwaited { (counted, start) = (time, now) }
    }

    /// The job waits for something else, until its next step.
    package mutating func wait(at now: UInt64) {
        count(at: now)
        isWaiting = true
    }
}
