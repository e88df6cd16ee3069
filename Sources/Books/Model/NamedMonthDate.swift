import Bytes

/// A date with the name of a month: `June 3, 2023`, `3. Juni 2023`, `Sat Jun 03 2023 10:15`, `Jun 2023`,
/// `13-Jan-19`.
///
/// It is read only if nothing else is in the text, except the name of a weekday before it, words such as `de`
/// and `of` between its parts, and a time of day after it.
struct NamedMonthDate {
    private(set) var year = 0
    private(set) var month = 0
    /// 0 if the text has none.
    private(set) var day = 0

    init?(_ bytes: UnsafeRawBufferPointer) {
        var at = 0
        while at < bytes.count, year == 0 || month == 0 || day == 0 {
            let start = at
            if bytes[at].isDigit {
                at = bytes[at...].firstIndex { !$0.isDigit } ?? bytes.count
                // A time of day.
                if at < bytes.count, bytes[at] == UInt8(ascii: ":") { break }
                let value = bytes[start..<at].prefix(5).reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) }
                guard take(value, digits: at - start) else { return nil }
                at = Self.endOfOrdinal(bytes, at)
            } else if Self.isLetter(bytes[at]) {
                at = bytes[at...].firstIndex { !Self.isLetter($0) } ?? bytes.count
                guard take(UnsafeRawBufferPointer(rebasing: bytes[start..<at])) else { return nil }
            } else {
                guard Self.separators.contains(bytes[at]) else { return nil }
                at += 1
            }
        }
        guard year > 0, month > 0, Self.isTime(bytes[at...]) else { return nil }
    }

    /// Whether nothing follows the date but a time of day.
    private static func isTime(_ rest: Slice<UnsafeRawBufferPointer>) -> Bool {
        let time = rest.drop { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: ",") }
        if time.isEmpty { return true }
        let digits = time.prefix { $0.isDigit }
        return time.startIndex > rest.startIndex && (1...2).contains(digits.count)
            && digits.endIndex < time.endIndex && time[digits.endIndex] == UInt8(ascii: ":")
    }

    private mutating func take(_ number: Int, digits: Int) -> Bool {
        switch digits {
        case 1...2 where day == 0 && number > 0: day = number
        // After day and month, as spreadsheets write it.
        case 2 where year == 0 && month > 0: year = ShortYear.full(number)
        case 4 where year == 0: year = number
        default: return false
        }
        return true
    }

    private mutating func take(_ word: UnsafeRawBufferPointer) -> Bool {
        if let month = MonthNames.month(word) {
            guard self.month == 0 else { return false }
            self.month = month
            return true
        }
        let isFirst = day == 0 && month == 0 && year == 0
        return (isFirst ? Self.weekdays : Self.fillers).contains { known in
            known.withUTF8Buffer { letters in
                letters.count <= word.count && zip(word, letters).allSatisfy { $0 | 0x20 == $1 }
                    && (isFirst || letters.count == word.count)
            }
        }
    }

    /// End of `st`, `nd`, `rd` or `th`; the same offset if none is there.
    private static func endOfOrdinal(_ bytes: UnsafeRawBufferPointer, _ at: Int) -> Int {
        guard bytes.count - at >= 2 else { return at }
        let isOrdinal = ordinals.contains { known in
            known.withUTF8Buffer { $0[0] == bytes[at] | 0x20 && $0[1] == bytes[at + 1] | 0x20 }
        }
        return isOrdinal && (bytes.count == at + 2 || !isLetter(bytes[at + 2])) ? at + 2 : at
    }

    private static func isLetter(_ byte: UInt8) -> Bool { (byte | 0x20) &- 97 < 26 || byte >= 0x80 }

    private static let separators = Set(" ,.-/".utf8)
    private static let ordinals: [StaticString] = ["st", "nd", "rd", "th"]
    private static let fillers: [StaticString] = ["of", "de", "del", "do"]
    private static let weekdays: [StaticString] = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"]
}
