/// Appending words and numbers to a line of bytes.
extension [UInt8] {
    mutating func append(_ text: StaticString) {
        text.withUTF8Buffer { append(contentsOf: $0) }
    }

    mutating func append(number: Int, digits: Int = 1) {
        if number >= 10 || digits > 1 { append(number: number / 10, digits: digits - 1) }
        append(UInt8(ascii: "0") + UInt8(number % 10))
    }

    /// Appends a day as Goodreads writes it: `2021/03/09`.
    mutating func append(day: Day) {
        append(number: day.year, digits: 4)
        append(UInt8(ascii: "/"))
        append(number: day.month, digits: 2)
        append(UInt8(ascii: "/"))
        append(number: day.day, digits: 2)
    }

    /// Appends an invented name: every six bits of a number are one syllable, so that different numbers have
    /// different names.
    mutating func append(nameOf number: Int, syllables: Int) {
        for place in 0..<syllables {
            let bits = number >> (6 * place)
            let consonant = Words.consonants[bits & 15]
            append(place == 0 ? consonant - 0x20 : consonant)
            append(Words.vowels[bits >> 4 & 3])
        }
    }
}
