import Foundation

extension CalendarDate {
    /// The day after the one, in UTC, in which a moment lies: nowhere on earth is it later.
    ///
    /// - Parameter now: Milliseconds since 1970.
    /// - Returns: Nil for a moment beyond the year 9999.
    package static func tomorrow(of now: Int64) -> CalendarDate? {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = .gmt
        let tomorrow = Date(timeIntervalSince1970: Double(now) / 1_000 + 86_400)
        let day = calendar.dateComponents([.year, .month, .day], from: tomorrow)
        return CalendarDate(year: day.year ?? 0, month: day.month ?? 0, day: day.day ?? 0)
    }
}
