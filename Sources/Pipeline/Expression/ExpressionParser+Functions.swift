/// Calls of functions in expressions.
extension ExpressionParser {
    /// A call of a function, from its name on.
    mutating func call(_ name: String, _ column: Int) throws(ExpressionError) -> Typed {
        guard let function = ExpressionFunction(rawValue: name) else {
            let all = ExpressionFunction.allCases.map(\.rawValue)
            throw ExpressionError(
                column, "There is no function `\(name)`.",
                advice: Spelling.advice(for: name, among: all, called: "Functions"))
        }
        advance()
        advance()
        var arguments: [Typed] = []
        if current.token != .symbol(")") {
            repeat {
                arguments.append(
                    try nested { (parser) throws(ExpressionError) in try parser.condition() })
            } while take(",")
        }
        try demandClosing()
        let type = try check(arguments, of: function, column)
        return Typed(node: .call(function, arguments.map(\.node)), type: type, column: column)
    }

    /// The type of a function's result.
    private func check(
        _ arguments: [Typed], of function: ExpressionFunction, _ column: Int
    ) throws(ExpressionError) -> ExpressionType {
        let parameters = function.parameters
        guard
            function.repeatsLast
                ? arguments.count >= parameters.count : arguments.count == parameters.count
        else {
            throw ExpressionError(
                column, "`\(function.rawValue)` has the wrong number of values.",
                advice: "Write `\(function.signature)`.")
        }
        var common: ExpressionType?
        for (index, argument) in arguments.enumerated() {
            guard let wanted = parameters[min(index, parameters.count - 1)] else {
                guard common == nil || common == argument.type else {
                    throw ExpressionError(
                        argument.column, "The values of `\(function.rawValue)` must have the same type.",
                        advice: "Convert them with `text(…)` or `number(…)`.")
                }
                common = argument.type
                continue
            }
            // A column may contain numbers, and a number as written is also a text.
            let fits =
                argument.type == wanted || wanted == .number && argument.isColumn
                || wanted == .text && argument.type == .number && argument.spelling != nil
            guard fits else {
                throw ExpressionError(
                    argument.column,
                    "`\(function.rawValue)` needs \(wanted.words) here, not \(argument.type.words).",
                    advice: "Write `\(function.signature)`.")
            }
        }
        return function.result ?? common ?? .text
    }
}
