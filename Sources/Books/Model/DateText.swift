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
    private let year: Int
    /// The other two numbers in order of appearance; 0 if missing.
    private let numbers: (Int, Int)

    /// Parses a date as exports write it. Blanks around it and a time of day after it are ignored.
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
        guard let first = scan.number() else { return nil }
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
            guard first.value > 0, scan.separator() == separator, let year = scan.number(),
                year.digits == 4, scan.isAtEndOrTime
            else { return nil }
            form = separator == UInt8(ascii: ".") ? .dotted : .ambiguous
            (self.year, numbers) = (year.value, (first.value, second.value))
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
