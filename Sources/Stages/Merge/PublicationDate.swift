/// A date of publication in what libraries, shops and people write: `2001-03-05`, `March 2001`, `c1999`,
/// `[1987?]`, `December 31, 1994`, `31.12.1994`.
///
/// Only a date that names day, month and year in one way is a whole date; everything else is its year
/// (contract.md section 3). The year has four digits, 1000–2199.
struct PublicationDate: Equatable {
    var year: Int
    /// Month and day of a whole date.
    var monthDay: MonthDay?
    /// Where in the text the four digits of the year begin.
    var yearOffset: Int
    /// Whether the text at ``yearOffset`` goes on as `-MM-DD`, so that the date can be cut out of it.
    var standsAsISO: Bool

    struct MonthDay: Equatable {
        var month: Int
        var day: Int
    }

    /// Reads the bytes of a date; nil where they name no year.
    init?(_ bytes: UnsafeRawBufferPointer) {
        if let plain = Self.plainYear(bytes) {
            self = plain
            return
        }
        var scan = DateScan(bytes)
        guard let year = scan.year else { return nil }
        self.init(year: year.value, offset: year.offset)
        guard let found = scan.monthDay(year: year), Self.exists(year.value, found) else { return }
        monthDay = found
        standsAsISO = scan.isISO(from: year.offset)
    }

    private init(year: Int, offset: Int) {
        self.year = year
        yearOffset = offset
        standsAsISO = false
    }

    /// The commonest case: four digits and nothing else.
    private static func plainYear(_ bytes: UnsafeRawBufferPointer) -> PublicationDate? {
        guard bytes.count == 4 else { return nil }
        var value = 0
        for byte in bytes {
            guard byte &- 48 < 10 else { return nil }
            value = value * 10 + Int(byte - 48)
        }
        return years.contains(value) ? PublicationDate(year: value, offset: 0) : nil
    }

    static let years = 1000...2199

    private static func exists(_ year: Int, _ date: MonthDay) -> Bool {
        let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
        let days = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
        return (1...12).contains(date.month) && (1...days[date.month - 1]).contains(date.day)
    }

    /// Appends `YYYY-MM-DD` or `YYYY`.
    func append(to bytes: inout [UInt8]) {
        bytes.append(contentsOf: String(year).utf8)
        guard let monthDay else { return }
        for part in [monthDay.month, monthDay.day] {
            bytes.append(UInt8(ascii: "-"))
            bytes.append(UInt8(48 + part / 10))
            bytes.append(UInt8(48 + part % 10))
        }
    }
}

/// The numbers and words of a date text, at most the first eight of each.
private struct DateScan {
    struct Number {
        var value: Int
        var offset: Int
        var length: Int
    }

    private let bytes: UnsafeRawBufferPointer
    private var numbers: [Number] = []
    /// Months the text names, in English, in full or by their first three letters.
    private var months: [(value: Int, offset: Int)] = []

    init(_ bytes: UnsafeRawBufferPointer) {
        // A date in more bytes than this is a sentence.
        self.bytes = UnsafeRawBufferPointer(rebasing: bytes.prefix(64))
        var index = 0
        while index < self.bytes.count, numbers.count < 8 {
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
        numbers.append(Number(value: value, offset: start, length: index - start))
        return index
    }

    private mutating func scanWord(from start: Int) -> Int {
        var index = start
        while index < bytes.count, (bytes[index] | 0x20) &- 97 < 26 || bytes[index] >= 0x80 { index += 1 }
        if index - start >= 3, let month = Self.month(UnsafeRawBufferPointer(rebasing: bytes[start..<index])) {
            months.append((month, start))
        }
        return index
    }

    private static let names: [StaticString] = [
        "january", "february", "march", "april", "may", "june", "july", "august", "september", "october",
        "november", "december",
    ]

    private static func month(_ word: UnsafeRawBufferPointer) -> Int? {
        let index = names.firstIndex { name in
            name.withUTF8Buffer { letters in
                let isAbbreviation = word.count == 3 || word.count == 4 && letters[0] == UInt8(ascii: "s")
                return (word.count == letters.count || isAbbreviation && word.count < letters.count)
                    && zip(word, letters).allSatisfy { $0 | 0x20 == $1 }
            }
        }
        return index.map { $0 + 1 }
    }

    /// The first number that can be a year; eight digits in a row are one with month and day.
    var year: Number? {
        mutating get {
            if numbers.count == 1, let only = numbers.first, only.length == 8,
                PublicationDate.years.contains(only.value / 10_000)
            {
                numbers = [
                    Number(value: only.value / 10_000, offset: only.offset, length: 4),
                    Number(value: only.value / 100 % 100, offset: only.offset + 4, length: 2),
                    Number(value: only.value % 100, offset: only.offset + 6, length: 2),
                ]
            }
            return numbers.first { $0.length == 4 && PublicationDate.years.contains($0.value) }
        }
    }

    /// Month and day, where the text leaves no doubt of either.
    func monthDay(year: Number) -> PublicationDate.MonthDay? {
        let isYearFirst = numbers.first?.offset == year.offset
        // A time of day behind an ISO date is not counted.
        let others = (isYearFirst ? numbers.prefix(3) : numbers[...]).filter { $0.offset != year.offset }
        guard others.allSatisfy({ $0.length <= 2 }) else { return nil }
        if months.count == 1, others.count == 1 {
            // `May 1998, 2nd edition` has a figure too, but it is no day.
            let (month, day) = (months[0], others[0])
            let isInOrder = day.offset < year.offset || year.offset < month.offset && month.offset < day.offset
            return isInOrder ? .init(month: month.value, day: day.value) : nil
        }
        guard months.isEmpty, others.count == 2 else { return nil }
        let (first, second) = (others[0].value, others[1].value)
        if isYearFirst { return .init(month: first, day: second) }
        guard numbers.count == 3, numbers[2].offset == year.offset else { return nil }
        // 31.12.1994 is written where the day comes first; 01/02/1994 is read both ways.
        let isDotted = bytes[others[0].offset + others[0].length] == UInt8(ascii: ".")
        if isDotted || first > 12 || first == second { return .init(month: second, day: first) }
        return second > 12 ? .init(month: first, day: second) : nil
    }

    /// Whether `YYYY-MM-DD` stands at an offset, with no further digit behind it.
    func isISO(from offset: Int) -> Bool {
        guard offset + 10 <= bytes.count else { return false }
        let isPattern = (0..<10).allSatisfy { place in
            let byte = bytes[offset + place]
            return place == 4 || place == 7 ? byte == UInt8(ascii: "-") : byte &- 48 < 10
        }
        return isPattern && (offset + 10 == bytes.count || bytes[offset + 10] &- 48 >= 10)
    }
}
