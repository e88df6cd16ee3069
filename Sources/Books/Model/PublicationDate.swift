/// A publication date as libraries, shops and people write it: `2001-03-05`, `March 2001`, `c1999`,
/// `[1987?]`, `December 31, 1994`, `31.12.1994`.
///
/// Only an unambiguous day, month and year is a full date; every other text is reduced to its year. The year
/// has four digits, 1000–2199.
package struct PublicationDate: Equatable, CustomStringConvertible {
    package var year: Int
    /// Month and day of a full date.
    package var monthDay: MonthDay?
    /// Offset of the year's four digits in the text.
    var yearOffset: Int
    /// Whether the text at ``yearOffset`` continues as `-MM-DD`, so that the date can be sliced from it.
    var standsAsISO: Bool

    /// Month and day, from 1.
    package struct MonthDay: Equatable {
        package var month: Int
        package var day: Int
    }

    /// Parses the bytes of a date; nil if they contain no year.
    package init?(_ bytes: UnsafeRawBufferPointer) {
        if let plain = Self.plainYear(bytes) {
            self = plain
            return
        }
        var scan = FreeTextDateScan(bytes)
        guard let year = scan.takeYear() else { return nil }
        self.init(year: year.value, offset: year.offset)
        guard let found = scan.monthDay(year: year), Self.exists(year.value, found) else { return }
        monthDay = found
        standsAsISO = scan.isISO(from: year.offset)
    }

    /// Parses a date; nil if the text has no year.
    package init?(_ text: String) {
        guard let date = Array(text.utf8).withUnsafeBytes({ PublicationDate($0) }) else { return nil }
        self = date
    }

    /// A date in digits, or a year with the signs that catalogers add (`c2006`, `[2006?]`), as `YYYY-MM-DD` or `YYYY`;
    /// nil for anything else.
    package static func canonical(_ text: String) -> String? {
        let digits = text.filter { !" c©p?[]()".contains($0) }
        guard [4, 8].contains(digits.utf8.count), digits.utf8.allSatisfy({ $0 &- 48 < 10 }),
            let date = PublicationDate(digits), date.yearOffset == 0,
            (date.monthDay == nil) == (digits.utf8.count == 4)
        else { return nil }
        return date.description
    }

    /// Whether a date in its canonical form says more than a year: it is a full date in that year.
    package static func refines(_ date: UnsafeRawBufferPointer, _ year: UnsafeRawBufferPointer) -> Bool {
        year.count == 4 && date.count > 4 && date[4] == UInt8(ascii: "-") && date.starts(with: year)
    }

    /// The same for texts.
    package static func refines(_ date: String, _ year: String) -> Bool {
        year.utf8.count == 4 && date.hasPrefix("\(year)-")
    }

    private init(year: Int, offset: Int) {
        self.year = year
        yearOffset = offset
        standsAsISO = false
    }

    /// The most common case: exactly four digits.
    private static func plainYear(_ bytes: UnsafeRawBufferPointer) -> PublicationDate? {
        guard bytes.count == 4 else { return nil }
        var value = 0
        for byte in bytes {
            guard byte &- 48 < 10 else { return nil }
            value = value * 10 + Int(byte - 48)
        }
        return years.contains(value) ? PublicationDate(year: value, offset: 0) : nil
    }

    package static let years = 1000...2199

    private static func exists(_ year: Int, _ date: MonthDay) -> Bool {
        let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
        let days = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
        return (1...12).contains(date.month) && (1...days[date.month - 1]).contains(date.day)
    }

    /// `YYYY-MM-DD` or `YYYY`.
    package var description: String {
        var bytes: [UInt8] = []
        append(to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Appends ``description``.
    package func append(to bytes: inout [UInt8]) {
        bytes.append(contentsOf: String(year).utf8)
        guard let monthDay else { return }
        for part in [monthDay.month, monthDay.day] {
            bytes.append(UInt8(ascii: "-"))
            bytes.append(UInt8(48 + part / 10))
            bytes.append(UInt8(48 + part % 10))
        }
    }
}

/// The numbers and month names of a date text, scanned without allocating, except for month names that are not
/// English, because dates are parsed for every book.
struct FreeTextDateScan {
    struct Number {
        var value = 0
        var offset = 0
        var length = 0
    }

    private let bytes: UnsafeRawBufferPointer
    /// The first three numbers; a date needs no more.
    private var first = Number()
    private var second = Number()
    private var third = Number()
    private var count = 0
    /// The first month name.
    private var month = 0
    private var monthOffset = 0
    private var monthCount = 0

    init(_ bytes: UnsafeRawBufferPointer) {
        // A longer text is a sentence, so only its beginning is scanned.
        self.bytes = UnsafeRawBufferPointer(rebasing: bytes.prefix(64))
        var index = 0
        while index < self.bytes.count {
            let byte = self.bytes[index]
            if byte &- 48 < 10 {
                index = scanNumber(from: index)
            } else if (byte | 0x20) &- 97 < 26 || byte >= 0x80 {
                index = scanWord(from: index)
            } else {
                index += 1
            }
        }
    }

    private mutating func scanNumber(from start: Int) -> Int {
        var index = start
        var value = 0
        while index < bytes.count, bytes[index] &- 48 < 10 {
            value = min(value * 10 + Int(bytes[index] - 48), 999_999_999)
            index += 1
        }
        let number = Number(value: value, offset: start, length: index - start)
        switch count {
        case 0: first = number
        case 1: second = number
        case 2: third = number
        default: break
        }
        count += 1
        return index
    }

    private mutating func scanWord(from start: Int) -> Int {
        var index = start
        while index < bytes.count, (bytes[index] | 0x20) &- 97 < 26 || bytes[index] >= 0x80 { index += 1 }
        if let month = MonthNames.month(UnsafeRawBufferPointer(rebasing: bytes[start..<index])) {
            if monthCount == 0 { (self.month, monthOffset) = (month, start) }
            monthCount += 1
        }
        return index
    }

    /// The first number that can be a year. A single number of eight digits is split into year, month and
    /// day.
    mutating func takeYear() -> Number? {
        if count == 1, first.length == 8, PublicationDate.years.contains(first.value / 10_000) {
            third = Number(value: first.value % 100, offset: first.offset + 6, length: 2)
            second = Number(value: first.value / 100 % 100, offset: first.offset + 4, length: 2)
            first = Number(value: first.value / 10_000, offset: first.offset, length: 4)
            count = 3
        }
        if count > 0, isYear(first) { return first }
        if count > 1, isYear(second) { return second }
        return count > 2 && isYear(third) ? third : nil
    }

    private func isYear(_ number: Number) -> Bool {
        number.length == 4 && PublicationDate.years.contains(number.value)
    }

    /// Month and day, if both are unambiguous.
    func monthDay(year: Number) -> PublicationDate.MonthDay? {
        if monthCount == 1 { return dayOfNamedMonth(year) }
        guard monthCount == 0, count >= 3 else { return nil }
        if first.offset == year.offset {
            // A time of day after the date is ignored.
            guard second.length <= 2, third.length <= 2 else { return nil }
            return .init(month: second.value, day: third.value)
        }
        guard count == 3, third.offset == year.offset, first.length <= 2, second.length <= 2 else {
            return nil
        }
        // With periods (31.12.1994) the day comes first; 01/02/1994 is ambiguous.
        let isDotted = bytes[first.offset + first.length] == UInt8(ascii: ".")
        if isDotted || first.value > 12 || first.value == second.value {
            return .init(month: second.value, day: first.value)
        }
        return second.value > 12 ? .init(month: first.value, day: second.value) : nil
    }

    /// `31 December 1994`, `December 31, 1994`, `1994 Dec 31`. The 2 in `May 1998, 2nd edition` is not a day.
    private func dayOfNamedMonth(_ year: Number) -> PublicationDate.MonthDay? {
        guard count == 2 else { return nil }
        let day = first.offset == year.offset ? second : first
        let isInOrder = day.offset < year.offset || year.offset < monthOffset && monthOffset < day.offset
        return day.length <= 2 && isInOrder ? .init(month: month, day: day.value) : nil
    }

    /// Whether `YYYY-MM-DD` is at an offset, with no digit after it.
    func isISO(from offset: Int) -> Bool {
        guard offset + 10 <= bytes.count else { return false }
        for place in 0..<10 {
            let byte = bytes[offset + place]
            guard place == 4 || place == 7 ? byte == UInt8(ascii: "-") : byte &- 48 < 10 else { return false }
        }
        return offset + 10 == bytes.count || bytes[offset + 10] &- 48 >= 10
    }
}
