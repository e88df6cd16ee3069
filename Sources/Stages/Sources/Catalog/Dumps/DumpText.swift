import Syntax

/// A string of a dump record in the form the catalog stores: escapes decoded, NULs and surrounding whitespace
/// removed, cut to a maximum length. The buffer is reused.
struct DumpText {
    /// Maximum bytes of a title, a name or another short value.
    static let shortLimit = 2_000
    /// Maximum bytes of a description.
    static let longLimit = 32_768

    private var buffer: [UInt8] = []
    private var range = 0..<0
    /// Number of values cut so far.
    private(set) var cuts = 0

    /// Reads a string and replaces the previous one.
    mutating func read(_ string: JSONString, limit: Int = shortLimit) {
        buffer.removeAll(keepingCapacity: true)
        string.append(to: &buffer)
        // Dumps contain NUL escapes. No text needs them, and some databases reject them.
        if buffer.contains(0) { buffer.removeAll { $0 == 0 } }
        range = 0..<buffer.count
        while let first = range.first, buffer[first] <= 0x20 { range.removeFirst() }
        while let last = range.last, buffer[last] <= 0x20 { range.removeLast() }
        guard range.count > limit else { return }
        cuts += 1
        var end = range.lowerBound + limit
        // Do not cut inside a character: go back over continuation bytes.
        while end > range.lowerBound, buffer[end] & 0xC0 == 0x80 { end -= 1 }
        range = range.lowerBound..<end
    }

    /// Calls `body` with the text, which may be empty.
    func withBytes<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
        buffer.withUnsafeBytes { body(UnsafeRawBufferPointer(rebasing: $0[range])) }
    }

    var bytes: [UInt8] { Array(buffer[range]) }
}

/// A year in a free-text date: `3 March 1950`, `c1999`, `[1987?]`, `70 B.C.`.
enum DumpYear {
    /// The first plausible year, or nil: a separate four-digit number from 1000 to `latest`, or a number
    /// before `BC`, which is negative. Text that is only one to three digits is a year AD.
    static func read(_ text: UnsafeRawBufferPointer, latest: Int32) -> Int32? {
        var at = 0
        while at < text.count {
            guard isDigit(text[at]) else {
                at += 1
                continue
            }
            var end = at
            var number: Int32 = 0
            while end < text.count, isDigit(text[end]) {
                if end - at < 5 { number = number * 10 + Int32(text[end] - 0x30) }
                end += 1
            }
            let digits = end - at
            if digits <= 4, number > 0, isBeforeOurEra(text, from: end) { return -number }
            if digits == 4, number >= 1_000, number <= latest { return number }
            if digits < 4, digits == text.count, number > 0 { return number }
            at = end
        }
        return nil
    }

    private static func isDigit(_ byte: UInt8) -> Bool { byte &- 0x30 < 10 }

    /// Whether `BC`, `B.C.` or `BCE` follows.
    private static func isBeforeOurEra(_ text: UnsafeRawBufferPointer, from start: Int) -> Bool {
        var at = start
        for letter in [UInt8(ascii: "b"), UInt8(ascii: "c")] {
            while at < text.count, text[at] == 0x20 || text[at] == UInt8(ascii: ".") { at += 1 }
            guard at < text.count, text[at] | 0x20 == letter else { return false }
            at += 1
        }
        return at == text.count || text[at] | 0x20 == UInt8(ascii: "e") || text[at] | 0x20 < UInt8(ascii: "a")
    }
}

/// The date of a dump in its file name: `ol_dump_editions_2026-05-31.txt.gz`,
/// `wikidata-20260105-all.json.gz`.
enum DumpDate {
    /// The first date in a name, as `2026-05-31`; nil if there is none.
    static func inName(_ name: String) -> String? {
        let file = name.split(separator: "/").last.map(String.init) ?? name
        for match in file.matches(of: #/(\d+)(?:-(\d+)-(\d+))?/#) {
            let (year, month, day): (Substring, Substring, Substring)
            if let found = match.2, let last = match.3 {
                (year, month, day) = (match.1.suffix(4), found, last.prefix(2))
            } else if match.1.count == 8 {
                (year, month, day) = (match.1.prefix(4), match.1.dropFirst(4).prefix(2), match.1.suffix(2))
            } else {
                continue
            }
            guard let years = Int(year), let months = Int(month), let days = Int(day),
                (1990...2199).contains(years), (1...12).contains(months), (1...31).contains(days)
            else { continue }
            return "\(year)-\(month)-\(day)"
        }
        return nil
    }
}
