/// A year in the free text of a date: `3 March 1950`, `c1999`, `[1987?]`, `70 B.C.` (providers.md 1.7).
enum DumpYear {
    /// The first plausible year: four digits from 1000 to `latest` that stand alone, or a number before `BC`.
    /// Text that is nothing but one to three digits is a year of our era. Nil where there is none.
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
