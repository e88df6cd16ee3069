import Testing

@testable import Bytes

@Suite struct GregorianDateTests {
    @Test(arguments: [
        (0, 1970, 1, 1), (-1, 1969, 12, 31), (59, 1970, 3, 1), (11_016, 2000, 2, 29), (11_017, 2000, 3, 1),
        (-25_567, 1900, 1, 1), (-25_508, 1900, 3, 1), (2_932_896, 9999, 12, 31), (-719_528, 0, 1, 1),
        (-719_529, -1, 12, 31),
    ])
    func `a number of days is a date, and the date that number`(days: Int, year: Int, month: Int, day: Int) {
        let date = GregorianDate(year: year, month: month, day: day)
        #expect(GregorianDate(daysSinceEpoch: days) == date)
        #expect(date.daysSinceEpoch == days)
    }

    @Test func `each day of an era follows the one before`() {
        var last = GregorianDate(daysSinceEpoch: -146_098)
        for days in -146_097...146_097 {
            let date = GregorianDate(daysSinceEpoch: days)
            let isNextDay = date.month == last.month && date.day == last.day + 1
            let isNextMonth =
                date.day == 1 && (date.month == last.month + 1 || last.month == 12 && date.month == 1)
            let isKept = date.daysSinceEpoch == days
            if !isKept || !isNextDay && !isNextMonth { Issue.record("\(date) follows \(last)") }
            last = date
        }
    }
}
