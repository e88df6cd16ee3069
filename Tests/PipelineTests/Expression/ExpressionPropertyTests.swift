import TestSupport
import Testing

@testable import Pipeline

/// Random expressions against a second, independent way to compute them.
@Suite struct ExpressionPropertyTests {
    /// A random condition: its text, and its value for ``BookRecord``.
    private struct Condition {
        var text: String
        var value: Bool
    }

    private static func condition(_ depth: Int, _ random: inout SeededGenerator) -> Condition {
        guard depth > 0 else { return comparison(&random) }
        switch Int.random(in: 0..<4, using: &random) {
        case 0:
            let inner = condition(depth - 1, &random)
            return Condition(text: "not (\(inner.text))", value: !inner.value)
        case 1, 2:
            let isAnd = Bool.random(using: &random)
            let (a, b) = (condition(depth - 1, &random), condition(depth - 1, &random))
            return Condition(
                text: "(\(a.text)) \(isAnd ? "and" : "or") (\(b.text))",
                value: isAnd ? a.value && b.value : a.value || b.value)
        default:
            return comparison(&random)
        }
    }

    private static func comparison(_ random: inout SeededGenerator) -> Condition {
        let (a, b) = (sum(2, &random), sum(2, &random))
        let operations: [(String, (Int, Int) -> Bool)] = [
            ("=", ==), ("!=", !=), ("<", <), ("<=", <=), (">", >), (">=", >=),
        ]
        let operation = operations[Int.random(in: 0..<6, using: &random)]
        return Condition(
            text: "\(a.text) \(operation.0) \(b.text)", value: operation.1(a.value, b.value))
    }

    private static func sum(_ depth: Int, _ random: inout SeededGenerator) -> (text: String, value: Int) {
        guard depth > 0, Bool.random(using: &random) else {
            let isField = Int.random(in: 0..<3, using: &random) == 0
            let number = Int.random(in: 0..<9, using: &random)
            return isField ? ("pageCount", 320) : ("\(number)", number)
        }
        let (a, b) = (sum(depth - 1, &random), sum(depth - 1, &random))
        switch Int.random(in: 0..<3, using: &random) {
        case 0: return ("(\(a.text) + \(b.text))", a.value + b.value)
        case 1: return ("(\(a.text) - \(b.text))", a.value - b.value)
        default: return ("\(a.text) * \(b.text)", a.value * b.value)
        }
    }

    @Test(arguments: [1, 2, 3, 4] as [UInt64])
    func `a random condition has the value that is computed independently`(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        for _ in 0..<400 {
            let condition = Self.condition(4, &random)
            guard condition.text.utf8.count <= RecordExpression.maximumBytes else { continue }
            #expect(
                try BookRecord.value(condition.text) == .truth(condition.value), "\(condition.text)")
        }
    }

    /// Pieces of which random texts are made, so that they get past the first token.
    private static let pieces = [
        "title", "pageCount", "language", "[x]", "[", "]", "(", ")", ",", "'", "\"", "=", "!=", "<", ">=",
        "and",
        "or", "not", "is", "missing", "in", "contains", "starts", "with", "1", "2024-05", "2024-05-1", "9.5",
        "1e9", "%", "-", "+", "*", "/", "length(", "if(", "true", "é", "👩‍👧", "\u{0}", "\n", "==", "expect",
        "reject", "or warn",
    ]

    @Test(arguments: [11, 12, 13] as [UInt64])
    func `any text is an expression or an error within it`(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var accepted = 0
        for _ in 0..<3_000 {
            let count = Int.random(in: 0...12, using: &random)
            let text = (0..<count).map { _ in Self.pieces.randomElement(using: &random) ?? "" }
                .joined(separator: Bool.random(using: &random) ? " " : "")
            do throws(ExpressionError) {
                let expression = try RecordExpression(text, over: BookRecord.schema)
                _ = expression.value(of: BookRecord())
                // An expression's own text is the same expression.
                let again = try RecordExpression(expression.text, over: BookRecord.schema)
                #expect(again == expression)
                accepted += 1
            } catch {
                #expect((1...text.count + 1).contains(error.column), "\(text): \(error)")
            }
            _ = try? Expectation(text, over: BookRecord.schema)
            _ = try? Assignment(text, over: BookRecord.schema) { _ in true }
        }
        #expect(accepted > 50)
    }
}
