import Bytes

/// Numbers and dates of a sheet as text.
enum SheetValue {
    /// The serial number of 1970-01-01.
    private static let epoch = 25_569

    /// A number with all its digits: `9780439023481` for `9.780439023481E+12`, `4.5`, `0439023481` if ten digits
    /// are to be shown.
    ///
    /// - Parameter digits: Minimum number of digits, as in the number format `0000000000`.
    static func number(_ text: String, digits: Int = 0) -> [UInt8] {
        let bare = text.filter { !$0.isWhitespace }
        guard let value = Double(bare), value.isFinite else { return Array(text.utf8) }
        // Beyond this, a sheet itself has lost digits.
        guard let whole = Int64(exactly: value), abs(value) < 1e15 else {
            return Array((abs(value) < 1e15 ? "\(value)" : bare).utf8)
        }
        let written = String(whole.magnitude)
        let zeros = String(repeating: "0", count: max(0, min(digits, 32) - written.count))
        return Array((whole < 0 ? "-" : "").utf8) + Array((zeros + written).utf8)
    }

    /// The date of a serial number, with the time of day if there is one: `2026-04-02`, `2026-04-02 18:30:00`. A
    /// number below one is a time of day.
    ///
    /// - Returns: Nil for a number that is no date.
    static func date(_ text: String, startsIn1904: Bool) -> [UInt8]? {
        guard let serial = Double(text), serial >= 0, serial < 2_958_466 else { return nil }
        var days = Int(serial)
        var seconds = Int(((serial - Double(days)) * 86_400).rounded())
        if seconds == 86_400 { (days, seconds) = (days + 1, 0) }
        let time = [seconds / 3_600, seconds / 60 % 60, seconds % 60].map { padded($0, 2) }.joined(
            separator: ":")
        guard days > 0 || startsIn1904 else { return Array(time.utf8) }
        // Excel counts a 29 February 1900, which did not exist.
        let since1900 = startsIn1904 ? days + 1_462 : days < 60 ? days + 1 : days
        let day = GregorianDate(daysSinceEpoch: since1900 - epoch)
        let date = "\(padded(day.year, 4))-\(padded(day.month, 2))-\(padded(day.day, 2))"
        return Array((seconds == 0 ? date : "\(date) \(time)").utf8)
    }

    /// The serial number of a day; nil before 1 March 1900, because Excel counts a day that did not exist.
    static func serial(year: Int, month: Int, day: Int) -> Int? {
        let serial = GregorianDate(year: year, month: month, day: day).daysSinceEpoch + epoch
        return serial > 60 && serial < 2_958_466 ? serial : nil
    }

    /// Whether a number format of Excel shows a date or a time (ECMA-376, 18.8.30 and 18.8.31).
    static func isDate(format: String) -> Bool {
        var isQuoted = false
        var isEscaped = false
        var bracket: String?
        for character in format.lowercased() {
            if isEscaped {
                isEscaped = false
            } else if character == "\"" {
                isQuoted.toggle()
            } else if isQuoted {
                continue
            } else if character == "\\" || character == "_" || character == "*" {
                isEscaped = true
            } else if character == "[" {
                bracket = ""
            } else if character == "]", let inside = bracket {
                // [h]:mm is a duration; [red] and [$-409] are not.
                if !inside.isEmpty, inside.allSatisfy({ "hms".contains($0) }) { return true }
                bracket = nil
            } else if bracket != nil {
                bracket?.append(character)
            } else if "ydmhs".contains(character) {
                return true
            }
        }
        return false
    }

    /// Whether a number format that comes with Excel shows a date or a time.
    static func isDate(builtin number: Int) -> Bool {
        (14...22).contains(number) || (27...36).contains(number) || (45...47).contains(number)
            || (50...58).contains(number)
    }

    /// The digits that a number format of zeros only shows: 10 for `0000000000`; 0 for any other format.
    static func digits(format: String) -> Int {
        let bare = format.filter { $0 != "-" && $0 != "\\" && $0 != "\"" }
        return bare.count > 1 && bare.allSatisfy({ $0 == "0" }) ? bare.count : 0
    }

    private static func padded(_ number: Int, _ digits: Int) -> String {
        let text = String(number)
        return String(repeating: "0", count: max(0, digits - text.count)) + text
    }
}
