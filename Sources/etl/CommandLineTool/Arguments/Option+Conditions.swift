import Pipeline
import Store

extension Option where Value == RecordExpression? {
    /// `--where`: a condition over the fields of stored books, checked completely when it is parsed.
    static func condition(_ doc: String) -> Option {
        .parsed(
            "where", "CONDITION", mustBe: "a condition", doc,
            explain: { text in
                do throws(ExpressionError) {
                    _ = try RecordExpression(text, over: StoredBookField.schema, as: .condition)
                    return nil
                } catch {
                    let reason =
                        error.message.hasSuffix(".") ? String(error.message.dropLast()) : error.message
                    return ValueMistake("column \(error.column): \(reason)", advice: error.advice)
                }
            },
            parse: { try? RecordExpression($0, over: StoredBookField.schema, as: .condition) })
    }
}
