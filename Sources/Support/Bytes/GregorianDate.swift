/// A date of the proleptic Gregorian calendar, and its number of days since 1970-01-01.
///
/// By Howard Hinnant's "chrono-Compatible Low-Level Date Algorithms". There, years begin in March, so that the leap day
/// is the last day of a year and an era of 400 years always has 146,097 days.
package struct GregorianDate: Sendable, Hashable {
    package let year: Int
    /// 1 to 12.
    package let month: Int
    /// 1 to 31.
    package let day: Int

    private static let yearsOfEra = 400
    private static let daysOfEra = 146_097
    /// Days from 0000-03-01 to 1970-01-01.
    private static let daysBeforeEpoch = 719_468

    package init(year: Int, month: Int, day: Int) {
        (self.year, self.month, self.day) = (year, month, day)
    }

    /// - Parameter days: Within ±10¹², so that nothing overflows.
    package init(daysSinceEpoch days: Int) {
        let shifted = days + Self.daysBeforeEpoch
        let era = (shifted >= 0 ? shifted : shifted - (Self.daysOfEra - 1)) / Self.daysOfEra
        let dayOfEra = shifted - era * Self.daysOfEra
        let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shiftedMonth = (5 * dayOfYear + 2) / 153
        month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
        year = yearOfEra + era * Self.yearsOfEra + (month <= 2 ? 1 : 0)
        day = dayOfYear - (153 * shiftedMonth + 2) / 5 + 1
    }

    /// Days since 1970-01-01; negative before.
    package var daysSinceEpoch: Int {
        let shifted = month <= 2 ? year - 1 : year
        let era = (shifted >= 0 ? shifted : shifted - (Self.yearsOfEra - 1)) / Self.yearsOfEra
        let yearOfEra = shifted - era * Self.yearsOfEra
        let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        return era * Self.daysOfEra + dayOfEra - Self.daysBeforeEpoch
    }
}
