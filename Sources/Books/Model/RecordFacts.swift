/// What shows whether a library has a record already, and whether the same person has added both.
package struct RecordFacts: Sendable, Hashable {
    /// The program's id; empty if the record has none.
    package var sourceID = ""
    package var title = ""
    /// The first author, as the record has the name.
    package var author = ""
    package var isbn: ISBN?
    package var dateAdded: CalendarDate?
    package var dateRead: CalendarDate?

    package init() {}
}

extension CalendarDate {
    /// Whether another date is at most one day apart, as programs of different time zones write one day. A date whose
    /// month or day is unknown is near everything that it can be.
    package func isNear(_ other: CalendarDate) -> Bool {
        if month == 0 || other.month == 0 { return year == other.year }
        if day == 0 || other.day == 0 { return (year, month) == (other.year, other.month) }
        return abs(dayNumber - other.dayNumber) <= 1
    }

    /// Days of a date with month and day since a fixed day.
    private var dayNumber: Int {
        // The year begins with March, so the leap day is its last one.
        let (year, month) = month > 2 ? (year, month - 3) : (year - 1, month + 9)
        return 365 * year + year / 4 - year / 100 + year / 400 + (153 * month + 2) / 5 + day
    }
}
