import Bytes

/// The numbers of a date text, before it is decided which of them is the month.
package struct DateText {
    private enum Form {
        /// The order is known: `2020/10/16`, `2020-10`, `2020`, `Oct 16, 2020`.
        case yearFirst
        /// The day comes first in dates with periods: `16.10.2020`.
        case dotted
        /// Day or month comes first: `16/10/2020`, `10-16-2020`.
        case ambiguous
    }

    private let form: Form
    package let year: Int
    /// The other two numbers in order of appearance; 0 if missing.
    private let numbers: (Int, Int)

    /// Parses a date as exports write it. Blanks around it and a time of day after it are ignored.
    ///
    /// A year of two digits is read as spreadsheets do (``ShortYear``), a number of five as the day that a
    /// spreadsheet counts, one of eight as `20190113`.
    package init?(_ bytes: UnsafeRawBufferPointer) {
        if let date = DateText(numbersOf: bytes) {
            self = date
        } else if let named = NamedMonthDate(UnsafeRawBufferPointer(rebasing: bytes[bytes.trimmedBlanks])) {
            (form, year, numbers) = (.yearFirst, named.year, (named.month, named.day))
        } else {
            return nil
        }
    }

    private init?(numbersOf bytes: UnsafeRawBufferPointer) {
        var scan = DateScan(bytes)
        guard let first = scan.number() else {
            guard let date = DateScan(bytes).wholeNumber.flatMap(Self.date(inDigits:)) else { return nil }
            (form, year, numbers) = (.yearFirst, date.year, (date.month, date.day))
            return
        }
        guard let separator = scan.separator() else {
            guard first.digits == 4, scan.isAtEnd else { return nil }
            (form, year, numbers) = (.yearFirst, first.value, (0, 0))
            return
        }
        guard let second = scan.number(), second.value > 0 else { return nil }
        if first.digits == 4 {
            guard second.digits <= 2 else { return nil }
            if scan.isAtEnd {
                (form, year, numbers) = (.yearFirst, first.value, (second.value, 0))
                return
            }
            guard scan.separator() == separator, let day = scan.number(), day.digits <= 2, day.value > 0,
                scan.isAtEndOrTime
            else { return nil }
            (form, year, numbers) = (.yearFirst, first.value, (second.value, day.value))
        } else {
            guard scan.separator() == separator, let year = scan.number(),
                year.digits == 4 || year.digits == 2, scan.isAtEndOrTime
            else { return nil }
            if year.digits == 2, first.digits == 2, second.digits == 2, first.value == 0 || first.value > 31 {
                // `99/12/31`
                guard year.value > 0 else { return nil }
                (form, self.year) = (.yearFirst, ShortYear.full(first.value))
                numbers = (second.value, year.value)
                return
            }
            guard first.value > 0, first.digits <= 2, second.digits <= 2 else { return nil }
            form = separator == UInt8(ascii: ".") ? .dotted : .ambiguous
            self.year = year.digits == 2 ? ShortYear.full(year.value) : year.value
            numbers = (first.value, second.value)
        }
    }

    /// A date without separators: `20190113`, or the number of a day in a spreadsheet.
    private static func date(inDigits number: (value: Int, digits: Int)) -> CalendarDate? {
        switch number.digits {
        case 8:
            let date = CalendarDate(
                year: number.value / 10_000, month: number.value / 100 % 100, day: number.value % 100)
            return date.flatMap { (1800...2199).contains($0.year) && $0.day > 0 ? $0 : nil }
        case 5: return SpreadsheetDay.date(number.value)
        default: return nil
        }
    }

    /// The date; nil if it does not exist.
    package func date(_ order: DateOrder) -> CalendarDate? {
        let isMonthFirst =
            form == .yearFirst || numbers.1 > 12
            || form == .ambiguous && order == .monthFirst && numbers.0 <= 12
        return CalendarDate(
            year: year, month: isMonthFirst ? numbers.0 : numbers.1,
            day: isMonthFirst ? numbers.1 : numbers.0)
    }

    /// Whether either day or month could come first.
    package var hasOrder: Bool { form == .ambiguous }

    /// The order this date proves, because it is a date in no other order.
    package var proof: DateOrder? {
        guard form == .ambiguous, max(numbers.0, numbers.1) > 12, date(.dayFirst) != nil else { return nil }
        return numbers.0 > 12 ? .dayFirst : .monthFirst
    }

    /// Whether the two orders give different dates.
    package var isAmbiguous: Bool {
        form == .ambiguous && max(numbers.0, numbers.1) <= 12 && numbers.0 != numbers.1
            && date(.dayFirst) != nil
    }
}

/// Years of two digits, which spreadsheets write by default.
enum ShortYear {
    /// The full year, as spreadsheets read it: 1930 to 2029.
    static func full(_ year: Int) -> Int { year < 30 ? 2_000 + year : 1_900 + year }
}

/// Days as spreadsheets count them: 1 January 1900 is the first, and 29 February 1900 is one of them.
enum SpreadsheetDay {
    /// The days of 1930 to 2099. Smaller numbers are something else, such as a number of pages.
    private static let days = 10_959...73_050

    /// The date of a day; nil for a number that is none.
    static func date(_ day: Int) -> CalendarDate? {
        guard days.contains(day) else { return nil }
        // From 1970 on the calendar counts, to which 25,569 days lead.
        let date = GregorianDate(daysSinceEpoch: day - 25_569)
        return CalendarDate(year: date.year, month: date.month, day: date.day)
    }
}

/// Scans the numbers and separators of a date.
private struct DateScan {
    private let bytes: UnsafeRawBufferPointer
    private var at: Int
    private let end: Int

    init(_ bytes: UnsafeRawBufferPointer) {
        let trimmed = bytes.trimmedBlanks
        self.bytes = bytes
        at = trimmed.lowerBound
        end = trimmed.upperBound
    }

    var isAtEnd: Bool { at == end }

    /// Whether nothing follows except a time of day, which starts with a blank or a T.
    var isAtEndOrTime: Bool { isAtEnd || bytes[at] == UInt8(ascii: " ") || bytes[at] == UInt8(ascii: "T") }

    /// The next one to four digits; nil if there are none, or more than four.
    mutating func number() -> (value: Int, digits: Int)? {
        var value = 0
        let start = at
        while at < end, bytes[at] &- UInt8(ascii: "0") < 10, at - start < 5 {
            value = value * 10 + Int(bytes[at] &- UInt8(ascii: "0"))
            at += 1
        }
        let digits = at - start
        return (1...4).contains(digits) ? (value, digits) : nil
    }

    /// The number that is the whole text, perhaps with a fraction, which is a time of day.
    var wholeNumber: (value: Int, digits: Int)? {
        let text = bytes[bytes.trimmedBlanks]
        let digits = text.prefix(9).prefix { $0.isDigit }
        let rest = text[digits.endIndex...]
        let isFraction =
            rest.first == UInt8(ascii: ".") && rest.count > 1 && rest.dropFirst().allSatisfy(\.isDigit)
            && digits.count == 5
        guard rest.isEmpty || isFraction else { return nil }
        return (digits.reduce(0) { $0 * 10 + Int($1 &- UInt8(ascii: "0")) }, digits.count)
    }

    mutating func separator() -> UInt8? {
        guard at < end else { return nil }
        switch bytes[at] {
        case UInt8(ascii: "/"), UInt8(ascii: "-"), UInt8(ascii: "."):
            at += 1
            return bytes[at - 1]
        default:
            return nil
        }
    }
}
