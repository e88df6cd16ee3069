/// A date of the calendar in four bytes, `yyyymmdd`: what a reader's dates are stored and compared as.
///
/// Month and day may be unknown, as zeros: 20200000 is the year 2020 and comes before every day of it.
public struct CalendarDate: Sendable, Hashable, Comparable {
    /// The digits `yyyymmdd` as a number.
    public let value: Int32

    /// 1…9999.
    public var year: Int { Int(value) / 10_000 }
    /// 1…12, or 0 where only the year is known.
    public var month: Int { Int(value) / 100 % 100 }
    /// 1…31, or 0 where it is not known.
    public var day: Int { Int(value) % 100 }

    /// Takes a date that exists: year 1…9999, month 1…12 or 0, a day that the month has or 0.
    public init?(year: Int, month: Int = 0, day: Int = 0) {
        guard (1...9999).contains(year), (0...12).contains(month), day >= 0 else { return nil }
        guard day == 0 || (month > 0 && day <= Self.days(inMonth: month, of: year)) else { return nil }
        value = Int32(year * 10_000 + month * 100 + day)
    }

    /// Reads a date as exports write it, blanks around it allowed, a time of day behind it ignored:
    /// `2015/07/15`, `2026-04-02`, `2026-04-02 18:49:25`, `2026-04`, `2026`, and with the year last
    /// `15/07/2015`, `15.7.2015`.
    ///
    /// Where the year is last the day is taken to come first, as in the exports seen, unless its second
    /// number can only be a day. Nil for all else, `########` among it.
    public init?(_ bytes: UnsafeRawBufferPointer) {
        var scan = DateScan(bytes)
        guard let first = scan.number() else { return nil }
        guard let separator = scan.separator() else {
            guard first.digits == 4, scan.isAtEnd else { return nil }
            self.init(year: first.value)
            return
        }
        guard let second = scan.number() else { return nil }
        if first.digits == 4 {
            guard second.digits <= 2, second.value > 0 else { return nil }
            if scan.isAtEnd {
                self.init(year: first.value, month: second.value)
                return
            }
            guard scan.separator() == separator, let day = scan.number(), day.digits <= 2, day.value > 0,
                scan.isAtEndOrTime
            else { return nil }
            self.init(year: first.value, month: second.value, day: day.value)
        } else {
            guard first.value > 0, second.value > 0, scan.separator() == separator,
                let year = scan.number(), year.digits == 4, scan.isAtEndOrTime
            else { return nil }
            let monthFirst = second.value > 12
            self.init(
                year: year.value, month: monthFirst ? first.value : second.value,
                day: monthFirst ? second.value : first.value)
        }
    }

    /// Whether `a` is earlier; a year alone is earlier than its days.
    public static func < (a: CalendarDate, b: CalendarDate) -> Bool { a.value < b.value }

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
    public var description: String {
        var bytes: [UInt8] = []
        append(to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Appends the ``description``.
    func append(to bytes: inout [UInt8]) {
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

/// Walks over the numbers and separators of a date.
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

    /// Whether nothing follows but a time of day, which begins with a blank or a T.
    var isAtEndOrTime: Bool { isAtEnd || bytes[at] == UInt8(ascii: " ") || bytes[at] == UInt8(ascii: "T") }

    /// The next one to four digits; nil where there is none, or more.
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
