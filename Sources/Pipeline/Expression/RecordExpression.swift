/// A condition or value over the fields of a record, as users write it in pipeline definitions.
///
///     language = fr and (pageCount > 100 or pageCount is missing)
///     concat(trim(title), ' ', [Edition])
///
/// It is checked completely when it is parsed: fields, functions and types. Evaluation never fails. A value
/// that a record does not have is missing: `=`, `<` and the like are then false, `!=` is true, and a
/// calculation with it is missing. Texts are compared without regard to case.
package struct RecordExpression: Sendable, Hashable, CustomStringConvertible {
    /// The text it was parsed from.
    package let text: String
    /// The type of its value.
    package let type: ExpressionType
    /// The columns it uses, as the file spells them.
    package let columns: [String]
    /// The fields it uses, by their index in the schema, in the order of the text.
    package let fields: [Int]
    let root: ExpressionNode

    init(text: String, type: ExpressionType, columns: [String], fields: [Int], root: ExpressionNode) {
        self.text = text
        self.type = type
        self.columns = columns
        self.fields = fields
        self.root = root
    }

    /// Parses an expression.
    ///
    /// - Parameters:
    ///   - text: At most ``maximumBytes`` of UTF-8.
    ///   - schema: The fields it can use.
    ///   - type: The type that its value must have; nil for any.
    package init(
        _ text: String, over schema: ExpressionSchema, as type: ExpressionType? = nil
    ) throws(ExpressionError) {
        var parser = try ExpressionParser(text, schema)
        let parsed = try parser.expression(as: type)
        try parser.expectEnd()
        self = parser.finished(parsed)
    }

    /// The condition that every record fulfills.
    package static let always = RecordExpression(
        text: "true", type: .condition, columns: [], fields: [], root: .literal(.truth(true)))

    /// Maximum size of an expression in bytes.
    package static let maximumBytes = 4_096
    /// Maximum nesting of brackets, functions and `not`.
    package static let maximumDepth = 64

    /// Its value for a record.
    package func value(of record: some ExpressionRecord) -> ExpressionValue { root.value(of: record) }

    /// Whether it is true for a record.
    package func holds(for record: some ExpressionRecord) -> Bool { root.value(of: record).isTrue }

    /// The text it was parsed from.
    package var description: String { text }
}

/// A parsed expression as a tree.
indirect enum ExpressionNode: Sendable, Hashable {
    enum Comparison: String, Sendable, Hashable, CaseIterable {
        case equal = "="
        case unequal = "!="
        case less = "<"
        case atMost = "<="
        case greater = ">"
        case atLeast = ">="
        case contains
        case startsWith = "starts with"
        case endsWith = "ends with"

        /// Whether it compares only texts.
        var isOfTexts: Bool { self == .contains || self == .startsWith || self == .endsWith }
    }

    enum Arithmetic: Character, Sendable, Hashable {
        case plus = "+"
        case minus = "-"
        case times = "*"
        case over = "/"
    }

    case literal(ExpressionValue)
    case field(Int)
    case column(Int)
    case not(ExpressionNode)
    case and(ExpressionNode, ExpressionNode)
    case or(ExpressionNode, ExpressionNode)
    case isMissing(ExpressionNode)
    case compare(Comparison, ExpressionNode, ExpressionNode, asNumbers: Bool)
    case isIn(ExpressionNode, [ExpressionNode], asNumbers: Bool)
    case calculate(Arithmetic, ExpressionNode, ExpressionNode)
    case negate(ExpressionNode)
    case call(ExpressionFunction, [ExpressionNode])

    func value(of record: some ExpressionRecord) -> ExpressionValue {
        switch self {
        case .literal(let value): return value
        case .field(let index): return record.value(ofField: index)
        case .column(let index): return record.value(ofColumn: index)
        case .not(let inner): return .truth(!inner.value(of: record).isTrue)
        case .and(let a, let b): return .truth(a.value(of: record).isTrue && b.value(of: record).isTrue)
        case .or(let a, let b): return .truth(a.value(of: record).isTrue || b.value(of: record).isTrue)
        case .isMissing(let inner): return .truth(inner.value(of: record) == .missing)
        case .compare(let comparison, let a, let b, let asNumbers):
            let (a, b) = (a.value(of: record), b.value(of: record))
            return .truth(Self.compare(comparison, a, b, asNumbers: asNumbers))
        case .isIn(let inner, let list, let asNumbers):
            let value = inner.value(of: record)
            return .truth(
                list.contains { Self.compare(.equal, value, $0.value(of: record), asNumbers: asNumbers) })
        case .calculate(let operation, let a, let b):
            guard let a = a.value(of: record).number, let b = b.value(of: record).number else {
                return .missing
            }
            return Self.calculate(operation, a, b)
        case .negate(let inner):
            return inner.value(of: record).number.map { .number(-$0) } ?? .missing
        case .call(let function, let arguments):
            return function(arguments.map { $0.value(of: record) })
        }
    }

    private static func compare(
        _ comparison: Comparison, _ a: ExpressionValue, _ b: ExpressionValue, asNumbers: Bool
    ) -> Bool {
        if comparison == .unequal { return !compare(.equal, a, b, asNumbers: asNumbers) }
        if asNumbers {
            guard let a = a.number, let b = b.number else { return false }
            return isTrue(comparison, a, b) ?? false
        }
        guard let a = a.text, let b = b.text else { return false }
        switch comparison {
        case .equal: return ExpressionText.areEqual(a, b)
        case .contains: return ExpressionText.range(of: b, in: a) != nil
        case .startsWith: return ExpressionText.starts(a, with: b)
        case .endsWith: return ExpressionText.ends(a, with: b)
        default: return isTrue(comparison, a.lowercased(), b.lowercased()) ?? false
        }
    }

    private static func isTrue<Value: Comparable>(_ comparison: Comparison, _ a: Value, _ b: Value) -> Bool? {
        switch comparison {
        case .equal: a == b
        case .unequal: a != b
        case .less: a < b
        case .atMost: a <= b
        case .greater: a > b
        case .atLeast: a >= b
        case .contains, .startsWith, .endsWith: nil
        }
    }

    private static func calculate(_ operation: Arithmetic, _ a: Double, _ b: Double) -> ExpressionValue {
        switch operation {
        case .plus: ExpressionValue(number: a + b)
        case .minus: ExpressionValue(number: a - b)
        case .times: ExpressionValue(number: a * b)
        case .over: ExpressionValue(number: a / b)
        }
    }
}
