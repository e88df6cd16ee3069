/// The functions of expressions. Raw values are their names.
enum ExpressionFunction: String, Sendable, Hashable, CaseIterable {
    case lower, upper, trim, length, replace, before, after, concat, number, text, year, round, first
    case choose = "if"

    /// The types of its parameters. The last one may be repeated if ``repeatsLast``. Nil stands for any type,
    /// the same for all.
    var parameters: [ExpressionType?] {
        switch self {
        case .lower, .upper, .trim, .length, .number, .year: [.text]
        case .before, .after: [.text, .text]
        case .replace: [.text, .text, .text]
        case .concat: [.text]
        case .text, .round: [.number]
        case .first: [nil]
        case .choose: [.condition, nil, nil]
        }
    }

    /// Whether the last parameter may be repeated.
    var repeatsLast: Bool { self == .concat || self == .first }

    /// The type of its result; nil if it is the type of its arguments.
    var result: ExpressionType? {
        switch self {
        case .lower, .upper, .trim, .replace, .before, .after, .concat, .text: .text
        case .length, .number, .year, .round: .number
        case .first, .choose: nil
        }
    }

    /// Signature, for messages.
    var signature: String {
        switch self {
        case .lower, .upper, .trim, .length, .number, .year: "\(rawValue)(text)"
        case .before, .after: "\(rawValue)(text, separator)"
        case .replace: "replace(text, old, new)"
        case .concat: "concat(text, …)"
        case .text, .round: "\(rawValue)(number)"
        case .first: "first(value, …)"
        case .choose: "if(condition, value, otherwise)"
        }
    }

    /// Its result for evaluated arguments, of the right number and types. If a text that it needs is missing,
    /// so is the result.
    func callAsFunction(_ arguments: [ExpressionValue]) -> ExpressionValue {
        switch self {
        case .first: return arguments.first { $0 != .missing } ?? .missing
        case .choose: return arguments[0].isTrue ? arguments[1] : arguments[2]
        case .concat: return ExpressionValue(text: arguments.map { $0.text ?? "" }.joined())
        default: break
        }
        guard let text = arguments[0].text else { return .missing }
        switch self {
        case .lower: return ExpressionValue(text: text.lowercased())
        case .upper: return ExpressionValue(text: text.uppercased())
        case .trim: return ExpressionValue(text: String(ExpressionText.trimmed(text)))
        case .length: return .number(Double(text.count))
        case .number: return arguments[0].number.map { .number($0) } ?? .missing
        case .text: return .text(text)
        case .year: return Self.year(of: text)
        case .round: return arguments[0].number.map { .number($0.rounded()) } ?? .missing
        case .before, .after: return part(of: text, at: arguments[1].text ?? "")
        case .replace: return Self.replacing(arguments[1].text ?? "", in: text, by: arguments[2].text ?? "")
        case .first, .choose, .concat: return .missing
        }
    }

    /// The part of a text before or after a separator. Without the separator, the whole text is before it.
    private func part(of text: String, at separator: String) -> ExpressionValue {
        guard let range = ExpressionText.range(of: separator, in: text) else {
            return self == .before ? .text(text) : .missing
        }
        return ExpressionValue(
            text: String(self == .before ? text[..<range.lowerBound] : text[range.upperBound...]))
    }

    private static func replacing(
        _ old: String, in text: String, by new: String
    ) -> ExpressionValue {
        var (result, rest) = ("", text)
        while let range = ExpressionText.range(of: old, in: rest) {
            result += rest[..<range.lowerBound] + new
            rest = String(rest[range.upperBound...])
        }
        return ExpressionValue(text: result + rest)
    }

    /// The first four digits in a row that are not part of a longer number.
    private static func year(of text: String) -> ExpressionValue {
        var digits: [UInt8] = []
        for byte in Array(text.utf8) + [0] {
            if (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) {
                digits.append(byte)
                continue
            }
            if digits.count == 4 { return .number(digits.reduce(0) { $0 * 10 + Double($1 - 48) }) }
            digits.removeAll()
        }
        return .missing
    }
}
