/// Splits an expression into tokens.
struct ExpressionScanner {
    /// A token of an expression.
    enum Token: Hashable {
        /// A field, a function, a keyword, or a text without quotes.
        case word(String)
        /// A text in quotes.
        case quoted(String)
        /// A number, with its spelling.
        case number(Double, String)
        /// `2024-05-18` or `2024-05`: a text that needs no quotes.
        case date(String)
        /// A column of the file: `[My Rating]`.
        case column(String)
        case symbol(Character)
        /// `<=`, `>=`, `!=`.
        case pair(String)
        case end
    }

    /// A token, the character at which it begins, from 1, and the one at which it ends.
    struct Placed: Hashable {
        var token: Token
        var column: Int
        var end: Int
    }

    private let characters: [Character]
    private var next = 0

    private init(_ text: String) { characters = Array(text) }

    /// All tokens, the last of which is ``Token/end``.
    static func tokens(of text: String) throws(ExpressionError) -> [Placed] {
        var scanner = ExpressionScanner(text)
        var tokens: [Placed] = []
        repeat { tokens.append(try scanner.token()) } while tokens.last?.token != .end
        return tokens
    }

    private var current: Character? { next < characters.count ? characters[next] : nil }

    private mutating func token() throws(ExpressionError) -> Placed {
        while let character = current, character.isWhitespace { next += 1 }
        let column = next + 1
        guard let first = current else { return Placed(token: .end, column: column, end: column) }
        let token: Token
        if first.isLetter || first == "_" {
            token = .word(take { $0.isLetter || $0.isNumber || $0 == "_" })
        } else if first.isASCIIDigit {
            token = try number(column)
        } else if first == "\"" || first == "'" {
            token = .quoted(try quoted(first, column))
        } else if first == "[" {
            token = .column(try bracketed(column))
        } else {
            token = try symbol(first, column)
        }
        return Placed(token: token, column: column, end: next)
    }

    private mutating func take(_ belongs: (Character) -> Bool) -> String {
        let start = next
        while let character = current, belongs(character) { next += 1 }
        return String(characters[start..<next])
    }

    private mutating func number(_ column: Int) throws(ExpressionError) -> Token {
        if let date = date() { return .date(date) }
        var spelling = take(\.isASCIIDigit)
        if current == ".", next + 1 < characters.count, characters[next + 1].isASCIIDigit {
            next += 1
            spelling += "." + take(\.isASCIIDigit)
        }
        if let character = current, character.isLetter || character == "_" {
            let word = spelling + take { $0.isLetter || $0.isNumber || $0 == "_" }
            throw ExpressionError(
                column, "`\(word)` is neither a number nor a name.", advice: "Put a text in quotes.")
        }
        guard let value = Double(spelling), value.isFinite else {
            throw ExpressionError(column, "The number is too large.")
        }
        return .number(value, spelling)
    }

    /// A date such as `2024-05-18` or `2024-05` at the current place; nil if there is none.
    private mutating func date() -> String? {
        func areDigits(_ range: Range<Int>) -> Bool {
            range.upperBound <= characters.count && characters[range].allSatisfy(\.isASCIIDigit)
        }
        func isDash(_ index: Int) -> Bool { index < characters.count && characters[index] == "-" }
        func ends(_ index: Int) -> Bool {
            index == characters.count || !(characters[index].isNumber || characters[index].isLetter)
        }
        guard areDigits(next..<next + 4), isDash(next + 4), areDigits(next + 5..<next + 7) else { return nil }
        var length = 7
        if isDash(next + 7), areDigits(next + 8..<next + 10) { length = 10 }
        guard ends(next + length), !isDash(next + length) else { return nil }
        defer { next += length }
        return String(characters[next..<next + length])
    }

    /// A text in quotes. A doubled quote stands for one.
    private mutating func quoted(_ quote: Character, _ column: Int) throws(ExpressionError) -> String {
        next += 1
        var text = ""
        while let character = current {
            next += 1
            if character != quote {
                text.append(character)
            } else if current == quote {
                text.append(quote)
                next += 1
            } else {
                return text
            }
        }
        throw ExpressionError(
            column, "The quote is not closed.",
            advice: "Close it, or double a quote that belongs to the text."
        )
    }

    /// A column's name in brackets. A doubled `]` stands for one.
    private mutating func bracketed(_ column: Int) throws(ExpressionError) -> String {
        next += 1
        var name = ""
        while let character = current {
            next += 1
            if character != "]" {
                name.append(character)
            } else if current == "]" {
                name.append("]")
                next += 1
            } else {
                guard !name.isEmpty else { throw ExpressionError(column, "The name of the column is empty.") }
                return name
            }
        }
        throw ExpressionError(column, "The bracket `[` is not closed.")
    }

    private mutating func symbol(_ first: Character, _ column: Int) throws(ExpressionError) -> Token {
        let pair = next + 1 < characters.count ? "\(first)\(characters[next + 1])" : ""
        if ["<=", ">=", "!="].contains(pair) {
            next += 2
            return .pair(pair)
        }
        let instead = ["==": "=", "<>": "!=", "&&": "and", "||": "or"]
        if let instead = instead[pair] {
            throw ExpressionError(column, "`\(pair)` is not an operator.", advice: "Write `\(instead)`.")
        }
        guard "=<>+-*/(),%".contains(first) else {
            throw ExpressionError(
                column, "`\(first)` cannot be used here.",
                advice: first == "!" ? "Write `not` or `!=`." : "Put a text in quotes.")
        }
        next += 1
        return .symbol(first)
    }
}

extension Character {
    fileprivate var isASCIIDigit: Bool { ("0"..."9").contains(self) && isASCII }
}
