/// Condition for each record, and what happens to one that does not fulfill it.
///
///     expect title is not missing or reject
///     expect pageCount < 5000 or warn "Is it a boxed set?"
package struct Expectation: Sendable, Hashable {
    /// Action for a record that does not fulfill the condition.
    package enum Action: String, Sendable, Hashable, CaseIterable {
        /// The record becomes a reject.
        case reject
        /// The record is stored with a warning.
        case warn
        /// The run ends with a failure.
        case stop
    }

    /// The condition that records should fulfill.
    package let condition: RecordExpression
    /// Action if they do not.
    package let action: Action
    /// A sentence for the user, instead of the condition; nil if there is none.
    package let message: String?
    /// The text it was parsed from.
    package let text: String

    /// Parses an expectation.
    package init(_ text: String, over schema: ExpressionSchema) throws(ExpressionError) {
        var parser = try ExpressionParser(text, schema)
        guard parser.take(word: "expect") else {
            throw ExpressionError(
                parser.current.column, "An expectation begins with `expect`.",
                advice: "Write `expect CONDITION or reject`, `warn` or `stop`.")
        }
        let condition = try parser.expression(as: .condition)
        let isFollowed = parser.take(word: "or")
        guard isFollowed, case .word(let word) = parser.current.token, let action = Action(rawValue: word)
        else {
            throw ExpressionError(
                parser.current.column, "The action is missing here.",
                advice: "Write `or reject`, `or warn` or `or stop`.")
        }
        parser.advance()
        var message: String?
        if case .quoted(let text) = parser.current.token {
            message = text
            parser.advance()
        }
        try parser.expectEnd()
        self.condition = parser.finished(condition)
        self.action = action
        self.message = message
        self.text = text
    }
}

/// A value that a field or column is set to: `title = trim(title)`, `[Shelf] = 'owned'`.
package struct Assignment: Sendable, Hashable {
    /// Target of an assignment.
    package enum Target: Sendable, Hashable {
        /// A field, by its index in the schema.
        case field(Int)
        /// A column, as the file spells it.
        case column(String)
    }

    /// Target of an assignment.
    package let target: Target
    /// Its new value. If it is missing, the field is emptied.
    package let value: RecordExpression

    /// Parses an assignment.
    ///
    /// - Parameters:
    ///   - text: The assignment, such as `rating = 5`.
    ///   - schema: The fields that it can name.
    ///   - isSettable: Whether a field can be set, by its index in the schema.
    package init(
        _ text: String, over schema: ExpressionSchema, where isSettable: (Int) -> Bool
    ) throws(ExpressionError) {
        var parser = try ExpressionParser(text, schema)
        let place = parser.current.column
        switch parser.current.token {
        case .word(let name):
            guard let field = schema.index(of: name) else {
                throw ExpressionError(
                    place, "There is no field `\(name)`.", advice: schema.advice(for: name))
            }
            guard isSettable(field) else {
                throw ExpressionError(place, "`\(name)` is computed and cannot be set.")
            }
            target = .field(field)
        case .column(let name) where schema.hasColumns: target = .column(name)
        default:
            throw ExpressionError(
                place, "An assignment begins with a field or a column.",
                advice: "Write `FIELD = VALUE` or `[COLUMN] = VALUE`.")
        }
        parser.advance()
        guard parser.take("=") else {
            throw ExpressionError(
                parser.current.column, "A `=` is missing here.", advice: "Write `FIELD = VALUE`.")
        }
        let parsed = try parser.expression(as: nil)
        guard parsed.type != .condition else {
            throw ExpressionError(
                parsed.column, "A condition is not a value.",
                advice: "Choose between two values with `if(condition, value, otherwise)`.")
        }
        try parser.expectEnd()
        value = parser.finished(parsed)
    }
}
