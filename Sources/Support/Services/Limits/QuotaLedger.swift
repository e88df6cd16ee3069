/// The number of calls spent of a daily budget, and when the next day begins. Times are microseconds since
/// 1970 (UTC).
package struct QuotaLedger: Sendable, Hashable {
    /// A daily budget.
    package struct Budget: Sendable, Hashable {
        /// Calls per day.
        package var calls: Int64
        /// Microseconds after midnight UTC at which a day begins, such as 8 hours for midnight Pacific
        /// Standard Time.
        package var dayBegins: Int64

        /// A number of calls per day. By default, a day begins at midnight UTC.
        package init(calls: Int, dayBegins: Int64 = 0) {
            self.calls = Int64(max(0, calls))
            self.dayBegins = dayBegins % QuotaLedger.day
        }
    }

    private static let day: Int64 = 86_400_000_000

    /// Calls spent in the day that ends at ``endsAt``.
    package private(set) var spent: Int64
    /// The end of the day that ``spent`` belongs to.
    package private(set) var endsAt: Int64
    /// No calls are allowed before this time, because the service said that the budget is spent.
    package private(set) var exhaustedUntil: Int64

    /// A ledger in a stored state; empty by default.
    package init(spent: Int64 = 0, endsAt: Int64 = 0, exhaustedUntil: Int64 = 0) {
        self.spent = spent
        self.endsAt = endsAt
        self.exhaustedUntil = exhaustedUntil
    }

    /// Spends calls of the daily budget.
    ///
    /// - Returns: nil if there were enough, otherwise the time at which the next day begins.
    package mutating func take(_ calls: Int, at now: Int64, budget: Budget?) -> Int64? {
        if isExhausted(at: now) { return exhaustedUntil }
        guard let budget else { return nil }
        roll(at: now, budget)
        guard spent <= budget.calls, Int64(calls) <= budget.calls - spent else { return endsAt }
        spent += Int64(calls)
        return nil
    }

    /// Records that the service says the budget is spent, whatever was counted here.
    package mutating func exhausted(at now: Int64, budget: Budget?) {
        exhaustedUntil = Self.nextDay(after: now, begins: budget?.dayBegins ?? 0)
    }

    /// Number of calls left today; nil without a budget.
    package func left(at now: Int64, budget: Budget?) -> Int64? {
        guard let budget else { return nil }
        var ledger = self
        ledger.roll(at: now, budget)
        return isExhausted(at: now) ? 0 : max(0, budget.calls - min(ledger.spent, budget.calls))
    }

    /// Whether the service has said that the budget of the current day is spent. If that day ends more than a
    /// day from now, the clock was set back, and the service may state it again.
    package func isExhausted(at now: Int64) -> Bool {
        exhaustedUntil > now && exhaustedUntil <= now + Self.day
    }

    private mutating func roll(at now: Int64, _ budget: Budget) {
        if endsAt <= now {
            spent = 0
        } else if endsAt <= now + Self.day {
            return
        }
        // If the day ends more than a day from now, the clock was set back. Its calls count in the current day.
        endsAt = Self.nextDay(after: now, begins: budget.dayBegins)
    }

    private static func nextDay(after now: Int64, begins: Int64) -> Int64 {
        let since = now - begins
        let days = since >= 0 ? since / day : (since - day + 1) / day
        return (days + 1) * day + begins
    }
}
