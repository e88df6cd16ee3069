/// Parses expressions: tokens to a typed tree.
///
///     condition  = conjunction { "or" conjunction }
///     conjunction = negation { "and" negation }
///     negation   = "not" negation | comparison
///     comparison = sum [ operator sum | [ "not" ] "in" "(" sum { "," sum } ")" | "is" [ "not" ] "missing" ]
///     operator   = "=" | "!=" | "<" | "<=" | ">" | ">=" | "contains" | "starts with" | "ends with"
///     sum        = product { ( "+" | "-" ) product }
///     product    = factor { ( "*" | "/" ) factor }
///     factor     = "-" factor | number [ "%" ] | text | date | "true" | "false" | field | "[" column "]"
///                | function "(" condition { "," condition } ")" | "(" condition ")"
struct ExpressionParser {
    /// A part of an expression with its type.
    struct Typed {
        var node: ExpressionNode
        var type: ExpressionType
        /// Column of its start, from 1.
        var column: Int
        /// Spelling of a number, to compare it with a text.
        var spelling: String?
        /// Whether it is a column of the file, which can contain texts or numbers.
        var isColumn = false
    }

    let text: String
    let schema: ExpressionSchema
    private let tokens: [ExpressionScanner.Placed]
    private var next = 0
    private var depth = 0
    /// The number of the first token of the expression.
    private var start = 0
    /// The number of the token after the expression.
    private var end = 0
    private var columns: [String] = []
    private var fields: [Int] = []

    init(_ text: String, _ schema: ExpressionSchema) throws(ExpressionError) {
        guard text.utf8.count <= RecordExpression.maximumBytes else {
            throw ExpressionError(1, "The expression has more than \(RecordExpression.maximumBytes) bytes.")
        }
        self.text = text
        self.schema = schema
        tokens = try ExpressionScanner.tokens(of: text)
    }

    var current: ExpressionScanner.Placed { tokens[min(next, tokens.count - 1)] }
    private var following: ExpressionScanner.Token { tokens[min(next + 1, tokens.count - 1)].token }

    mutating func advance() { next += 1 }

    /// Takes a keyword if it is next.
    mutating func take(word: String) -> Bool {
        guard current.token == .word(word) else { return false }
        advance()
        return true
    }

    /// Takes a symbol if it is next.
    mutating func take(_ symbol: Character) -> Bool {
        guard current.token == .symbol(symbol) else { return false }
        advance()
        return true
    }

    /// A whole expression of a type.
    mutating func expression(as type: ExpressionType?) throws(ExpressionError) -> Typed {
        start = next
        let parsed = try condition()
        end = next
        guard let type, parsed.type != type else { return parsed }
        throw ExpressionError(
            parsed.column, "This must be \(type.words), not \(parsed.type.words).",
            advice: type == .condition ? "Compare it, for example with `=` or `is missing`." : nil)
    }

    func expectEnd() throws(ExpressionError) {
        guard current.token != .end else { return }
        throw ExpressionError(
            current.column, "\(Self.words(current.token)) is not expected here.",
            advice: "Put a text in quotes, and `and` or `or` between conditions.")
    }

    /// The expression that was parsed last.
    func finished(_ parsed: Typed) -> RecordExpression {
        let characters = Array(text)
        let range = (tokens[start].column - 1)..<(end > start ? tokens[end - 1].end : characters.count)
        return RecordExpression(
            text: String(characters[range]), type: parsed.type, columns: columns, fields: fields,
            root: parsed.node)
    }

    static func words(_ token: ExpressionScanner.Token) -> String {
        switch token {
        case .word(let word): "`\(word)`"
        case .quoted(let text), .date(let text): "The text `\(text)`"
        case .number(_, let spelling): "The number `\(spelling)`"
        case .column(let name): "The column `[\(name)]`"
        case .symbol(let symbol): "`\(symbol)`"
        case .pair(let pair): "`\(pair)`"
        case .end: "The end"
        }
    }

    // MARK: Conditions

    /// `or` before one of these words belongs to the expectation, not to its condition.
    private static let actions = Set(Expectation.Action.allCases.map(\.rawValue))

    mutating func condition() throws(ExpressionError) -> Typed {
        var left = try conjunction()
        while current.token == .word("or") {
            if case .word(let word) = following, Self.actions.contains(word), schema.index(of: word) == nil {
                return left
            }
            advance()
            try demandCondition(left)
            let right = try conjunction()
            try demandCondition(right)
            left = Typed(node: .or(left.node, right.node), type: .condition, column: left.column)
        }
        return left
    }

    private mutating func conjunction() throws(ExpressionError) -> Typed {
        var left = try negation()
        while take(word: "and") {
            try demandCondition(left)
            let right = try negation()
            try demandCondition(right)
            left = Typed(node: .and(left.node, right.node), type: .condition, column: left.column)
        }
        return left
    }

    private mutating func negation() throws(ExpressionError) -> Typed {
        let column = current.column
        guard take(word: "not") else { return try comparison() }
        let inner = try nested { (parser) throws(ExpressionError) in try parser.negation() }
        try demandCondition(inner)
        return Typed(node: .not(inner.node), type: .condition, column: column)
    }

    private func demandCondition(_ part: Typed) throws(ExpressionError) {
        guard part.type != .condition else { return }
        throw ExpressionError(
            part.column, "This must be a condition, not \(part.type.words).",
            advice: "Compare it, for example with `=` or `is missing`.")
    }

    private mutating func comparison() throws(ExpressionError) -> Typed {
        let left = try sum(isRightSide: false)
        let result: Typed
        if take(word: "is") {
            let isNegated = take(word: "not")
            guard take(word: "missing") else {
                throw ExpressionError(current.column, "After `is` there must be `missing` or `not missing`.")
            }
            let test = ExpressionNode.isMissing(left.node)
            result = Typed(node: isNegated ? .not(test) : test, type: .condition, column: left.column)
        } else if current.token == .word("in") || current.token == .word("not") && following == .word("in") {
            result = try membership(of: left)
        } else if let comparison = try takeComparison() {
            let right = try sum(isRightSide: true)
            let asNumbers = try compareAsNumbers(comparison, left, right)
            result = Typed(
                node: .compare(
                    comparison, Self.operand(left, asNumbers), Self.operand(right, asNumbers),
                    asNumbers: asNumbers), type: .condition, column: left.column)
        } else {
            return left
        }
        let place = current.column
        guard try takeComparison() == nil else {
            throw ExpressionError(
                place, "A comparison has two sides only.", advice: "Join two comparisons with `and`.")
        }
        return result
    }

    private mutating func membership(of left: Typed) throws(ExpressionError) -> Typed {
        let isNegated = take(word: "not")
        advance()
        guard take("(") else {
            throw ExpressionError(current.column, "After `in` there must be a list in brackets.")
        }
        var items: [Typed] = []
        repeat { items.append(try sum(isRightSide: true)) } while take(",")
        try demandClosing()
        var asNumbers = false
        for item in items {
            let isNumeric = try compareAsNumbers(.equal, left, item)
            asNumbers = asNumbers || isNumeric
        }
        let test = ExpressionNode.isIn(
            left.node, items.map { Self.operand($0, asNumbers) }, asNumbers: asNumbers)
        return Typed(node: isNegated ? .not(test) : test, type: .condition, column: left.column)
    }

    private mutating func takeComparison() throws(ExpressionError) -> ExpressionNode.Comparison? {
        let spelling: String
        switch current.token {
        case .symbol(let symbol): spelling = String(symbol)
        case .pair(let pair): spelling = pair
        case .word(let word) where word == "starts" || word == "ends":
            guard following == .word("with") else {
                throw ExpressionError(current.column, "After `\(word)` there must be `with`.")
            }
            advance()
            spelling = word + " with"
        case .word(let word): spelling = word
        default: return nil
        }
        guard let comparison = ExpressionNode.Comparison(rawValue: spelling) else { return nil }
        advance()
        return comparison
    }

    /// Whether two sides are compared as numbers. Throws if they cannot be compared.
    private func compareAsNumbers(
        _ comparison: ExpressionNode.Comparison, _ left: Typed, _ right: Typed
    ) throws(ExpressionError) -> Bool {
        for side in [left, right] where side.type == .condition {
            throw ExpressionError(
                side.column, "A condition cannot be compared.", advice: "Use it alone or with `not`.")
        }
        if comparison.isOfTexts {
            for side in [left, right] where side.type == .number && side.spelling == nil {
                throw ExpressionError(
                    side.column, "`\(comparison.rawValue)` compares texts, and this is a number.",
                    advice: "Convert it with `text(…)`.")
            }
            return false
        }
        guard left.type != right.type else { return left.type == .number }
        let (number, text) = left.type == .number ? (left, right) : (right, left)
        if text.isColumn { return true }
        // A number as written is also a text: `isbn13 = 9780441007318`.
        if number.spelling != nil { return false }
        throw ExpressionError(
            text.column, "A number cannot be compared with a text.",
            advice: "Convert the text with `number(…)`.")
    }

    /// A number as written is compared with a text as it is spelled.
    private static func operand(_ part: Typed, _ asNumbers: Bool) -> ExpressionNode {
        guard !asNumbers, let spelling = part.spelling else { return part.node }
        return .literal(.text(spelling))
    }

    // MARK: Values

    private mutating func sum(isRightSide: Bool) throws(ExpressionError) -> Typed {
        var left = try product(isRightSide: isRightSide)
        while case .symbol(let symbol) = current.token, symbol == "+" || symbol == "-" {
            advance()
            left = try calculation(symbol, left, try product(isRightSide: false))
        }
        return left
    }

    private mutating func product(isRightSide: Bool) throws(ExpressionError) -> Typed {
        var left = try factor(isRightSide: isRightSide)
        while case .symbol(let symbol) = current.token, symbol == "*" || symbol == "/" {
            advance()
            left = try calculation(symbol, left, try factor(isRightSide: false))
        }
        return left
    }

    private func calculation(
        _ symbol: Character, _ left: Typed, _ right: Typed
    ) throws(ExpressionError) -> Typed {
        for side in [left, right] where side.type != .number && !side.isColumn {
            throw ExpressionError(
                side.column, "`\(symbol)` calculates with numbers, and this is \(side.type.words).",
                advice: symbol == "+" ? "Join texts with `concat(…)`." : "Convert it with `number(…)`.")
        }
        let operation = ExpressionNode.Arithmetic(rawValue: symbol) ?? .plus
        return Typed(
            node: .calculate(operation, left.node, right.node), type: .number, column: left.column)
    }

    private mutating func factor(isRightSide: Bool) throws(ExpressionError) -> Typed {
        let (token, column) = (current.token, current.column)
        switch token {
        case .symbol("-"):
            advance()
            let inner = try nested { (parser) throws(ExpressionError) in
                try parser.factor(isRightSide: false)
            }
            guard inner.type == .number || inner.isColumn else {
                throw ExpressionError(inner.column, "`-` needs a number, and this is \(inner.type.words).")
            }
            let spelling = inner.spelling.map { "-" + $0 }
            return Typed(node: .negate(inner.node), type: .number, column: column, spelling: spelling)
        case .symbol("("):
            advance()
            var inner = try nested { (parser) throws(ExpressionError) in try parser.condition() }
            try demandClosing()
            inner.column = column
            return inner
        case .number(let number, let spelling):
            advance()
            guard !take("%") else {
                return Typed(node: .literal(.number(number / 100)), type: .number, column: column)
            }
            return Typed(node: .literal(.number(number)), type: .number, column: column, spelling: spelling)
        case .quoted(let text), .date(let text):
            advance()
            return Typed(node: .literal(ExpressionValue(text: text)), type: .text, column: column)
        case .column(let name):
            advance()
            return try Typed(
                node: .column(index(ofColumn: name, column)), type: .text, column: column, isColumn: true)
        case .word(let word):
            return try named(word, column, isRightSide: isRightSide)
        case .symbol, .pair, .end:
            throw ExpressionError(column, "\(Self.words(token)) is not expected here: a value is missing.")
        }
    }

    private mutating func named(
        _ word: String, _ column: Int, isRightSide: Bool
    ) throws(ExpressionError) -> Typed {
        if following == .symbol("(") { return try call(word, column) }
        advance()
        if let field = schema.index(of: word) {
            fields.append(field)
            return Typed(node: .field(field), type: schema.fields[field].type, column: column)
        }
        if word == "true" || word == "false" {
            return Typed(node: .literal(.truth(word == "true")), type: .condition, column: column)
        }
        let isKeyword = ["and", "or", "not", "in", "is", "missing", "contains", "starts", "ends"].contains(
            word)
        guard isRightSide, !isKeyword else {
            throw ExpressionError(
                column, isKeyword ? "`\(word)` is not expected here." : "There is no field `\(word)`.",
                advice: isKeyword ? "Put it in quotes if it is a text." : schema.advice(for: word))
        }
        return Typed(node: .literal(.text(word)), type: .text, column: column)
    }

    private mutating func index(ofColumn name: String, _ place: Int) throws(ExpressionError) -> Int {
        guard schema.hasColumns else {
            throw ExpressionError(place, "Columns in brackets cannot be used here.", advice: "Use a field.")
        }
        if let index = columns.firstIndex(of: name) { return index }
        columns.append(name)
        return columns.count - 1
    }

    mutating func demandClosing() throws(ExpressionError) {
        guard take(")") else { throw ExpressionError(current.column, "A closing `)` is missing here.") }
    }

    /// Parses a nested part, up to ``RecordExpression/maximumDepth`` levels deep.
    mutating func nested(
        _ part: (inout ExpressionParser) throws(ExpressionError) -> Typed
    ) throws(ExpressionError) -> Typed {
        guard depth < RecordExpression.maximumDepth else {
            throw ExpressionError(
                current.column,
                "The expression is nested more than \(RecordExpression.maximumDepth) levels deep.")
        }
        depth += 1
        defer { depth -= 1 }
        return try part(&self)
    }
}
