/// The fields that expressions can use in some place, such as the rows of a file.
///
/// The fields are declared once. Records return their values by index (``ExpressionRecord``).
package struct ExpressionSchema: Sendable, Hashable {
    /// A field: its name in expressions and the type of its values.
    package struct Field: Sendable, Hashable {
        /// Letters, digits and `_`, starting with a letter.
        package let name: String
        /// The type of its values.
        package let type: ExpressionType

        /// A field.
        package init(_ name: String, _ type: ExpressionType) {
            self.name = name
            self.type = type
        }
    }

    /// The fields. An expression refers to them by index.
    package let fields: [Field]
    /// Whether `[Name]` is the column of that name, as the file spells it.
    package let hasColumns: Bool
    private let indexes: [String: Int]

    /// - Parameters:
    ///   - fields: The fields, with different names.
    ///   - hasColumns: Whether expressions can also use columns by name, as `[My Rating]`.
    package init(_ fields: [Field], hasColumns: Bool = false) {
        self.fields = fields
        self.hasColumns = hasColumns
        indexes = Dictionary(fields.indices.map { (fields[$0].name, $0) }) { first, _ in first }
    }

    /// The index of a field.
    package func index(of name: String) -> Int? { indexes[name] }

    /// Advice for an unknown field.
    func advice(for name: String) -> String? {
        if let nearest = Spelling.nearest(to: name, among: fields.map(\.name)) {
            return "Did you mean `\(nearest)`?"
        }
        return hasColumns ? "Put a text in quotes, or write a column of the file as `[\(name)]`." : nil
    }
}

/// A record that an expression is evaluated on.
package protocol ExpressionRecord {
    /// The value of a field by its index in the schema. It must have the type declared there, or be missing.
    func value(ofField index: Int) -> ExpressionValue
    /// The text of a column by its index in ``RecordExpression/columns``; missing if the record has none.
    func value(ofColumn index: Int) -> ExpressionValue
}

extension ExpressionRecord {
    /// Missing: there are no columns.
    package func value(ofColumn index: Int) -> ExpressionValue { .missing }
}

/// An expression that cannot be used: where and why.
package struct ExpressionError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The character of the text at which the problem is, from 1.
    package let column: Int
    /// The problem, in one sentence.
    package let message: String
    /// The remedy, in one sentence; nil if the message says enough.
    package let advice: String?

    init(_ column: Int, _ message: String, advice: String? = nil) {
        self.column = column
        self.message = message
        self.advice = advice
    }

    /// `column 7: what is wrong. What to do.`
    package var description: String { "column \(column): \(message)" + (advice.map { " \($0)" } ?? "") }
}
