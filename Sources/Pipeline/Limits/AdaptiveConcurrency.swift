/// How many calls may be under way at once: up by one for each round of good answers, halved by a bad one, never
/// over the cap. So a service that begins to choke gets air before it says 429 twice.
public struct AdaptiveConcurrency: Sendable, Hashable {
    /// In thousandths, so that the state is a whole number.
    public private(set) var thousandths: Int64

    /// - Parameter thousandths: 0 for one that has learned nothing: it begins at the cap.
    public init(thousandths: Int64 = 0) { self.thousandths = thousandths }

    /// Calls that may be under way, from 1 to the cap.
    public func limit(cap: Int) -> Int {
        thousandths == 0 ? max(1, cap) : min(max(1, cap), max(1, Int(thousandths / 1_000)))
    }

    /// Notes a good answer.
    public mutating func succeeded(cap: Int) {
        guard thousandths > 0 else { return }
        thousandths = min(Int64(max(1, cap)) * 1_000, thousandths + max(1, 1_000_000 / thousandths))
    }

    /// Notes a failure or a throttling: half as many calls from now on.
    public mutating func choked(cap: Int) {
        thousandths = max(1_000, Int64(limit(cap: cap)) * 500)
    }
}
