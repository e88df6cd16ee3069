/// What a day's budget of calls has been spent on, and when there is a new one. Instants are microseconds since
/// 1970 (UTC).
public struct QuotaLedger: Sendable, Hashable {
    /// A budget for each day.
    public struct Budget: Sendable, Hashable {
        /// Calls a day.
        public var calls: Int64
        /// Microseconds after midnight UTC at which a day begins: 8 hours for midnight Pacific standard time.
        public var dayBegins: Int64

        /// So many calls a day, from midnight UTC if not told otherwise.
        public init(calls: Int, dayBegins: Int64 = 0) {
            self.calls = Int64(max(0, calls))
            self.dayBegins = dayBegins
        }
    }

    private static let day: Int64 = 86_400_000_000

    /// Calls taken in the day that ends at ``endsAt``.
    public private(set) var spent: Int64
    /// When the day ends that ``spent`` belongs to.
    public private(set) var endsAt: Int64
    /// What the service itself said: nothing more before this instant.
    public private(set) var exhaustedUntil: Int64

    /// A ledger as it was left; empty, if nothing is given.
    public init(spent: Int64 = 0, endsAt: Int64 = 0, exhaustedUntil: Int64 = 0) {
        self.spent = spent
        self.endsAt = endsAt
        self.exhaustedUntil = exhaustedUntil
    }

    /// Takes calls out of the day's budget.
    ///
    /// - Returns: nil where they were taken, else the instant of the next budget.
    public mutating func take(_ calls: Int, at now: Int64, budget: Budget?) -> Int64? {
        if exhaustedUntil > now, exhaustedUntil - now <= Self.day { return exhaustedUntil }
        guard let budget else { return nil }
        roll(at: now, budget)
        guard spent + Int64(calls) <= budget.calls else { return endsAt }
        spent += Int64(calls)
        return nil
    }

    /// Notes that the service says the budget is spent, whatever we have counted.
    public mutating func exhausted(at now: Int64, budget: Budget?) {
        exhaustedUntil = Self.nextDay(after: now, begins: budget?.dayBegins ?? 0)
    }

    /// Calls left today; nil without a budget.
    public func left(at now: Int64, budget: Budget?) -> Int64? {
        guard let budget else { return nil }
        var ledger = self
        ledger.roll(at: now, budget)
        return exhaustedUntil > now ? 0 : max(0, budget.calls - ledger.spent)
    }

    private mutating func roll(at now: Int64, _ budget: Budget) {
        // Over, or further away than a day: the clock was set.
        guard endsAt <= now || endsAt - now > Self.day else { return }
        spent = 0
        endsAt = Self.nextDay(after: now, begins: budget.dayBegins)
    }

    private static func nextDay(after now: Int64, begins: Int64) -> Int64 {
        let since = now - begins
        let days = since >= 0 ? since / day : (since - day + 1) / day
        return (days + 1) * day + begins
    }
}
