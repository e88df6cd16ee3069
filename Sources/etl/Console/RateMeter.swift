/// The speed of something that counts up, smoothed: what happened in the last seconds matters, older things
/// fade. It is measured from the first count that rose: what went before was getting ready.
struct RateMeter: Sendable {
    /// Seconds after which a change of speed has come through by two thirds.
    private static let memory = 5.0
    /// Shorter steps are taken together: dividing by next to nothing gives any speed at all.
    private static let shortest: UInt64 = 100_000_000

    private var last: (time: UInt64, count: Int)?
    /// Whether the count has risen, and for how many seconds speed was measured since.
    private var hasRisen = false
    private var measured = 0.0
    /// Things a second; nil before there was time to measure.
    private(set) var perSecond: Double?

    /// Notes the count at a time, in nanoseconds of any clock that does not go back.
    mutating func note(_ count: Int, at time: UInt64) {
        guard let last else {
            self.last = (time, count)
            return
        }
        guard hasRisen else {
            hasRisen = count > last.count
            self.last = (time, count)
            return
        }
        guard time > last.time, time - last.time >= Self.shortest else { return }
        let seconds = Double(time - last.time) / 1e9
        let speed = Double(max(0, count - last.count)) / seconds
        // 1 − e^(−t/memory), near enough and without the exponential: old speed counts memory, new speed its
        // time.
        // At first there is less to remember: then the speed is the mean.
        let weight = seconds / (seconds + min(measured, Self.memory))
        measured += seconds
        perSecond = perSecond.map { $0 + (speed - $0) * weight } ?? speed
        self.last = (time, count)
    }

    /// Seconds until `remaining` more are counted; nil while nobody can tell.
    func secondsLeft(for remaining: Int) -> Double? {
        guard let perSecond, perSecond > 0 else { return nil }
        return Double(max(0, remaining)) / perSecond
    }
}
