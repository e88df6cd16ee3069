import FoundationEssentials

/// A calendar date in four bytes, `yyyymmdd`. The user's dates are stored and compared in this form.
///
/// Month and day can be unknown and are then 0. 20200000 is the year 2020 and sorts before every day of it.
package struct CalendarDate: Sendable, Hashable, Comparable {
    /// The digits `yyyymmdd` as a number.
    package let value: Int32

    /// 1…9999.
    package var year: Int { Int(value) / 10_000 }
    /// 1…12, or 0 if only the year is known.
    package var month: Int { Int(value) / 100 % 100 }
    /// 1…31, or 0 if unknown.
    package var day: Int { Int(value) % 100 }

    /// Returns nil for a date that does not exist. Years are 1…9999. Month and day can be 0 for unknown.
    package init?(year: Int, month: Int = 0, day: Int = 0) {
        guard (1...9999).contains(year), (0...12).contains(month), day >= 0 else { return nil }
        guard day == 0 || (month > 0 && day <= Self.days(inMonth: month, of: year)) else { return nil }
        value = Int32(year * 10_000 + month * 100 + day)
    }

    /// Parses a date as exports write it: `2015/07/15`, `2026-04-02`, `2026-04-02 18:49:25`, `2026-04`,
    /// `2026`, with the year last `15/07/2015`, `15.7.2015`, and with a name `July 15, 2015` (``NamedMonthDate``).
    /// Blanks around the date and a time of day after it are ignored.
    ///
    /// Nil for everything else, such as `########`. Whether a text is a date does not depend on the order.
    ///
    /// - Parameters:
    ///   - bytes: The text in UTF-8.
    ///   - order: First component if the year is last. It is ignored if only the other order is possible, or
    ///     if periods show that the day comes first.
    package init?(_ bytes: UnsafeRawBufferPointer, _ order: DateOrder = .dayFirst) {
        guard let date = DateText(bytes)?.date(order) else { return nil }
        self = date
    }

    /// The same for a text.
    package init?(_ text: String, _ order: DateOrder = .dayFirst) {
        var text = text
        guard let date = text.withUTF8({ CalendarDate(UnsafeRawBufferPointer($0), order) }) else {
            return nil
        }
        self = date
    }

    /// Whether `a` is earlier. A year without month and day is earlier than all its days.
    package static func < (a: CalendarDate, b: CalendarDate) -> Bool { a.value < b.value }

    private static func days(inMonth month: Int, of year: Int) -> Int {
        switch month {
        case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }
}

extension CalendarDate: CustomStringConvertible {
    /// `2015-07-15`, `2015-07` or `2015`.
    package var description: String {
        var bytes: [UInt8] = []
        append(to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Appends the ``description``.
    package func append(to bytes: inout [UInt8]) {
        Self.append(year, digits: 4, to: &bytes)
        guard month > 0 else { return }
        bytes.append(UInt8(ascii: "-"))
        Self.append(month, digits: 2, to: &bytes)
        guard day > 0 else { return }
        bytes.append(UInt8(ascii: "-"))
        Self.append(day, digits: 2, to: &bytes)
    }

    private static func append(_ number: Int, digits: Int, to bytes: inout [UInt8]) {
        var power = digits == 4 ? 1_000 : 10
        while power > 0 {
            bytes.append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: number / power % 10))
            power /= 10
        }
    }
}

extension CalendarDate {
    /// The day after a moment's date in UTC. In no time zone is the date later.
    ///
    /// - Parameter now: Milliseconds since 1970.
    /// - Returns: Nil for a moment after the year 9999.
    package static func tomorrow(of now: Int64) -> CalendarDate? {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = .gmt
        let tomorrow = Date(timeIntervalSince1970: Double(now) / 1_000 + 86_400)
        let day = calendar.dateComponents([.year, .month, .day], from: tomorrow)
        return CalendarDate(year: day.year ?? 0, month: day.month ?? 0, day: day.day ?? 0)
    }
}
