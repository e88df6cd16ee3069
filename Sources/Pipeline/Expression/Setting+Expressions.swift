/// Settings whose values are expressions. They are checked with the definition.
extension Setting<RecordExpression> {
    /// A condition that must be set.
    package static func condition(
        _ name: String, over schema: ExpressionSchema, _ doc: String
    ) -> Setting {
        phrases(
            name, mustBe: "a condition such as `language = fr`", isList: false, isRequired: true,
            fallback: .always, doc
        ) { (texts) throws(PhraseMistake) in
            try PhraseMistake.locating { (text) throws(ExpressionError) in
                try RecordExpression(text, over: schema, as: .condition)
            }(texts)[0]
        }
    }
}

extension Setting<[RecordExpression]> {
    /// Values over the fields of a record.
    package static func values(
        _ name: String, over schema: ExpressionSchema, isRequired: Bool, _ doc: String
    ) -> Setting {
        phrases(
            name, mustBe: "fields or expressions such as `lower(title)`", isRequired: isRequired,
            fallback: [], doc
        ) { (texts) throws(PhraseMistake) in
            try PhraseMistake.locating { (text) throws(ExpressionError) in
                try RecordExpression(text, over: schema)
            }(texts)
        }
    }
}

extension Setting<[Expectation]> {
    /// Expectations that must be set.
    package static func expectations(
        _ name: String, over schema: ExpressionSchema, _ doc: String
    ) -> Setting {
        phrases(
            name, mustBe: "expectations such as `expect title is not missing or reject`", isRequired: true,
            fallback: [], doc
        ) { (texts) throws(PhraseMistake) in
            try PhraseMistake.locating { (text) throws(ExpressionError) in
                try Expectation(text, over: schema)
            }(texts)
        }
    }
}

extension Setting<[Assignment]> {
    /// Assignments that must be set.
    ///
    /// - Parameters:
    ///   - name: The setting's name.
    ///   - schema: The fields that can be used.
    ///   - isSettable: Whether a field can be set, by its index.
    ///   - doc: Description, in one sentence for the user.
    package static func assignments(
        _ name: String, over schema: ExpressionSchema, where isSettable: @escaping @Sendable (Int) -> Bool,
        _ doc: String
    ) -> Setting {
        phrases(
            name, mustBe: "assignments such as `title = trim(title)`", isRequired: true, fallback: [], doc
        ) { (texts) throws(PhraseMistake) in
            try PhraseMistake.locating { (text) throws(ExpressionError) in
                try Assignment(text, over: schema, where: isSettable)
            }(texts)
        }
    }
}

extension PhraseMistake {
    /// Applies a parser of one text to a list of texts. Its errors become mistakes with the text's index.
    package static func locating<Parsed>(
        _ parse: @escaping (String) throws(ExpressionError) -> Parsed
    ) -> ([String]) throws(PhraseMistake) -> [Parsed] {
        { (texts) throws(PhraseMistake) in
            var parsed: [Parsed] = []
            for (index, text) in texts.enumerated() {
                do throws(ExpressionError) {
                    parsed.append(try parse(text))
                } catch {
                    throw PhraseMistake(
                        at: index, column: error.column, error.message, advice: error.advice)
                }
            }
            return parsed
        }
    }
}
