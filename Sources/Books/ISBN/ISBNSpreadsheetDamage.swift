/// Parses numbers that a spreadsheet or a floating-point column converted: `9780439023481.0`,
/// `9.78043902348E+12`. Also distinguishes Amazon numbers from other text.
enum ISBNSpreadsheetDamage {
    static func read(_ text: ISBNReader.Characters) -> ISBNReading {
        if let number = FloatText(text) { return read(number) }
        return .impossible(isASIN(text) ? .asin : .notANumber)
    }

    private static func read(_ number: FloatText) -> ISBNReading {
        let missing = number.exponent - number.fraction.count
        if missing == 0 {
            let rule: ISBNRepair = number.exponent == 0 ? .floatTail : .scientificNotation
            return repaired(ISBNDigits.evaluate(number.whole + number.fraction), by: rule)
        }
        guard missing > 0 else {
            guard number.fraction.dropFirst(number.exponent).allSatisfy({ $0 == UInt8(ascii: "0") }) else {
                return .impossible(.notANumber)
            }
            let digits = number.whole + number.fraction.prefix(number.exponent)
            return repaired(ISBNDigits.evaluate(digits), by: .floatTail)
        }
        guard number.whole.count + number.exponent == 13, missing <= 9 else {
            return .impossible(.scientificNotation)
        }
        // The lost digits were rounded or truncated, so the range is half a unit below to one unit above.
        var unit: Int64 = 1
        for _ in 0..<missing { unit *= 10 }
        let value = ISBNDigits.number(number.whole + number.fraction) * unit
        return .impossible(
            .scientificNotation, length: 13, candidates: .within(value - unit / 2...value + unit - 1))
    }

    /// The reading of the restored digits, with the rule that restored them.
    private static func repaired(_ reading: ISBNReading, by rule: ISBNRepair) -> ISBNReading {
        guard case .valid(let isbn) = reading.verdict else { return reading }
        return ISBNReading(
            verdict: .repaired(isbn, rule), length: reading.length, candidates: .oneOf([isbn]))
    }

    /// An Amazon number: ten letters and digits that start with B. The Amazon numbers of printed books are
    /// their ISBN-10s, which never start with a letter.
    private static func isASIN(_ text: ISBNReader.Characters) -> Bool {
        text.count == 10 && text.first == UInt8(ascii: "B") && text.contains(where: isDigit)
            && text.allSatisfy { isDigit($0) || (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) }
    }

    static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }
}

/// A number with a fraction or an exponent: digits, `.` or `,`, digits, `E`, `+`, digits.
private struct FloatText {
    var whole: [UInt8] = []
    var fraction: [UInt8] = []
    /// 0–99.
    var exponent = 0

    init?(_ text: ISBNReader.Characters) {
        guard text.count <= 40 else { return nil }
        var rest = text
        whole = Self.digits(&rest)
        guard !whole.isEmpty, let mark = rest.first else { return nil }
        if mark == UInt8(ascii: ".") || mark == UInt8(ascii: ",") {
            rest = rest.dropFirst()
            fraction = Self.digits(&rest)
            guard !fraction.isEmpty else { return nil }
        }
        guard let letter = rest.first else { return }
        guard letter == UInt8(ascii: "E") else { return nil }
        rest = rest.dropFirst()
        if rest.first == UInt8(ascii: "+") { rest = rest.dropFirst() }
        let exponent = Self.digits(&rest)
        guard rest.isEmpty, (1...2).contains(exponent.count) else { return nil }
        self.exponent = Int(ISBNDigits.number(exponent))
    }

    private static func digits(_ rest: inout ISBNReader.Characters) -> [UInt8] {
        let run = rest.prefix(while: ISBNSpreadsheetDamage.isDigit)
        rest = rest.dropFirst(run.count)
        return Array(run)
    }
}
