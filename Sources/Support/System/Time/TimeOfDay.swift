/// A time of day in UTC: `03:30`. UTC has no daylight saving time, so each day has it exactly once.
package struct TimeOfDay: Sendable, Hashable {
    /// Milliseconds of a day.
    package static let day: Int64 = 86_400_000

    /// Minutes since midnight, 0…1439.
    package let minutes: Int

    /// Nil if the text is not two digits for the hour, a colon, and two digits for the minute.
    package init?(_ text: String) {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 2,
            parts.allSatisfy({ $0.utf8.count == 2 && $0.utf8.allSatisfy { (48...57).contains($0) } }),
            let hour = Int(parts[0]), let minute = Int(parts[1]), hour < 24, minute < 60
        else { return nil }
        minutes = hour * 60 + minute
    }

    /// The latest moment that has this time and is not after another one. Both are milliseconds since 1970.
    package func latest(notAfter moment: Int64) -> Int64 {
        let offset = Int64(minutes) * 60_000
        let (days, rest) = (moment - offset).quotientAndRemainder(dividingBy: Self.day)
        return (rest < 0 ? days - 1 : days) * Self.day + offset
    }
}
