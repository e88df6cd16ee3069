import Bytes

/// Names of months in English, German, French, Spanish, Italian, Portuguese and Dutch.
package enum MonthNames {
    /// The month of a name that is written in full or shortened to three or more of its letters, with or without
    /// accents: `June`, `Sept`, `févr`, `Oktober`. Nil for other words, and for `jui`, which begins two months.
    package static func month(_ word: UnsafeRawBufferPointer) -> Int? {
        guard (3...12).contains(word.count) else { return nil }
        return english(word) ?? other(word)
    }

    /// English alone, without allocating: it is what providers write.
    private static func english(_ word: UnsafeRawBufferPointer) -> Int? {
        // The first three letters distinguish the twelve months.
        let key = UInt32(word[0] | 0x20) << 16 | UInt32(word[1] | 0x20) << 8 | UInt32(word[2] | 0x20)
        let month: Int? =
            switch key {
            case 0x6A616E: 1
            case 0x666562: 2
            case 0x6D6172: 3
            case 0x617072: 4
            case 0x6D6179: 5
            case 0x6A756E: 6
            case 0x6A756C: 7
            case 0x617567: 8
            case 0x736570: 9
            case 0x6F6374: 10
            case 0x6E6F76: 11
            case 0x646563: 12
            default: nil
            }
        guard let month, word.count > 3 else { return month }
        if month == 9, word.count == 4, word[3] | 0x20 == UInt8(ascii: "t") { return 9 }
        return names[month - 1].withUTF8Buffer { letters in
            word.count == letters.count && zip(word, letters).allSatisfy { $0 | 0x20 == $1 } ? month : nil
        }
    }

    private static func other(_ word: UnsafeRawBufferPointer) -> Int? {
        var folded: [UInt8] = []
        Folding.fold(word, into: &folded)
        guard folded.count >= 3 else { return nil }
        var found: Int?
        for (index, forms) in others.enumerated() where forms.contains(where: { $0.starts(with: folded) }) {
            guard found == nil else { return nil }
            found = index + 1
        }
        return found
    }

    private static let names: [StaticString] = [
        "january", "february", "march", "april", "may", "june", "july", "august", "september", "october",
        "november", "december",
    ]

    /// Folded, by month.
    private static let others: [[[UInt8]]] = [
        ["januar", "janner", "janvier", "enero", "gennaio", "janeiro", "januari"],
        ["februar", "fevrier", "febrero", "febbraio", "fevereiro", "februari"],
        ["marz", "mrz", "mars", "marzo", "marco", "maart", "mrt"],
        ["avril", "abril", "aprile"],
        ["mai", "mayo", "maggio", "maio", "mei"],
        ["juni", "juin", "junio", "giugno", "junho"],
        ["juli", "juillet", "julio", "luglio", "julho"],
        ["aout", "agosto", "augustus"],
        ["septembre", "septiembre", "setiembre", "settembre", "setembro"],
        ["oktober", "octobre", "octubre", "ottobre", "outubro"],
        ["novembre", "noviembre", "novembro"],
        ["dezember", "decembre", "diciembre", "dicembre", "dezembro"],
    ].map { forms in forms.map { Array($0.utf8) } }
}
