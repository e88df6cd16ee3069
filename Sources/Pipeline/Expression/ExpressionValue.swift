/// A value in an expression. A value that a record does not have is ``missing``, whatever its type.
package enum ExpressionValue: Sendable, Hashable {
    case missing
    case text(String)
    case number(Double)
    case truth(Bool)

    /// A text; missing if it is empty.
    package init(text: String) { self = text.isEmpty ? .missing : .text(text) }

    /// A number; missing if it is not finite.
    package init(number: Double) { self = number.isFinite ? .number(number) : .missing }

    /// Whether it is the truth value true.
    package var isTrue: Bool { self == .truth(true) }

    /// The value as a text: a whole number has no decimal point. Nil if it is missing.
    package var text: String? {
        switch self {
        case .missing: nil
        case .text(let text): text
        case .number(let number):
            number.magnitude < 1e15 && number.rounded() == number ? "\(Int64(number))" : "\(number)"
        case .truth(let truth): truth ? "true" : "false"
        }
    }

    /// The value as a number; nil if it is missing or not a number. Blanks around a text are ignored.
    package var number: Double? {
        switch self {
        case .number(let number): number
        case .text(let text): ExpressionText.number(text)
        case .missing, .truth: nil
        }
    }
}

/// The types of values that an expression is checked with.
package enum ExpressionType: String, Sendable, Hashable, CaseIterable {
    case text, number
    /// True or false.
    case condition

    /// With its article, for messages.
    var words: String { "a \(rawValue)" }
}

/// Text operations of expressions.
enum ExpressionText {
    /// A decimal number such as `-3`, `4.5` or ` 320 `; nil for anything else, including `inf` and `0x10`.
    static func number(_ text: String) -> Double? {
        let bytes = trimmed(text)
        let isPlain = bytes.utf8.allSatisfy { byte in
            (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || byte == UInt8(ascii: ".")
                || byte == UInt8(ascii: "-")
        }
        guard isPlain, !bytes.isEmpty, let number = Double(bytes), number.isFinite else { return nil }
        return number
    }

    /// The text without blanks at its ends.
    static func trimmed(_ text: String) -> Substring {
        var rest = text[...]
        while rest.first?.isWhitespace == true { rest.removeFirst() }
        while rest.last?.isWhitespace == true { rest.removeLast() }
        return rest
    }

    /// Whether two texts are equal, ignoring case.
    static func areEqual(_ a: String, _ b: String) -> Bool { a == b || a.lowercased() == b.lowercased() }

    /// The range of the first occurrence of `part`, ignoring case; nil if there is none. An empty part is
    /// nowhere.
    static func range(of part: String, in text: String) -> Range<String.Index>? {
        let wanted = Array(part.lowercased())
        guard !wanted.isEmpty else { return nil }
        var start = text.startIndex
        while start != text.endIndex {
            if let end = end(of: wanted, in: text, from: start) { return start..<end }
            start = text.index(after: start)
        }
        return nil
    }

    /// End of `wanted` if it is at `start`; else nil.
    private static func end(
        of wanted: [Character], in text: String, from start: String.Index
    ) -> String.Index? {
        // Lowercase letters can be several characters, so they are compared one by one.
        var (index, matched) = (start, 0)
        while matched < wanted.count {
            guard index != text.endIndex else { return nil }
            for letter in text[index].lowercased() {
                guard matched < wanted.count, wanted[matched] == letter else { return nil }
                matched += 1
            }
            index = text.index(after: index)
        }
        return index
    }

    /// Whether a text begins with another, ignoring case.
    static func starts(_ text: String, with part: String) -> Bool {
        text.lowercased().hasPrefix(part.lowercased())
    }

    /// Whether a text ends with another, ignoring case.
    static func ends(_ text: String, with part: String) -> Bool {
        text.lowercased().hasSuffix(part.lowercased())
    }
}
