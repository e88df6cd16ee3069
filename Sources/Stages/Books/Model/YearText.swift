/// A year as a number with a sign: `1813`, `-850`, `800 BC`, `1813.0`, else the year of a date text.
enum YearText {
    /// Years a work may have been first published in.
    static let years = -4000...2199

    /// Reads the bytes of a year; nil where they name none. There is no year 0.
    static func read(_ bytes: UnsafeRawBufferPointer) -> Int? {
        var index = 0
        var isNegative = false
        if bytes.first == UInt8(ascii: "-") {
            isNegative = true
            index = 1
        } else if bytes.starts(with: [0xE2, 0x88, 0x92]) {
            isNegative = true
            index = 3
        }
        let start = index
        var value = 0
        while index < bytes.count, index - start < 5, bytes[index] &- 48 < 10 {
            value = value * 10 + Int(bytes[index] - 48)
            index += 1
        }
        guard index > start, isEnd(bytes, at: index, negates: &isNegative) else {
            return PublicationDate(bytes).map(\.year)
        }
        let year = isNegative ? -value : value
        return year != 0 && years.contains(year) ? year : nil
    }

    /// Whether nothing but a fraction of zero or an era follows.
    private static func isEnd(_ bytes: UnsafeRawBufferPointer, at index: Int, negates: inout Bool) -> Bool {
        if index == bytes.count { return true }
        let rest = bytes[index...]
        if rest.first == UInt8(ascii: ".") {
            return rest.count > 1 && rest.dropFirst().allSatisfy { $0 == UInt8(ascii: "0") }
        }
        let era = rest.filter { $0 != UInt8(ascii: " ") && $0 != UInt8(ascii: ".") }.map { $0 & 0xDF }
        if era == Array("BC".utf8) || era == Array("BCE".utf8) {
            negates = true
            return true
        }
        return era == Array("AD".utf8) || era == Array("CE".utf8)
    }
}
