/// A part of the program that a message can refer to: a command or a setting.
///
/// Lower modules refer to commands and settings; only the program knows how they are written on a command
/// line or shown on a page. See ``UserText``.
package protocol UserReference: Sendable, Hashable {}

/// Text for the user with references to commands and settings.
///
///     failure.advice = "Wait for it to end, or stop it with \(UserCommand.cancel(job: "spring"))."
///
/// The program turns the references into text with ``rendered(_:)``.
package struct UserText: Sendable, Hashable, ExpressibleByStringInterpolation, CustomStringConvertible {
    fileprivate enum Part: Sendable {
        case text(String)
        case reference(any UserReference)
    }

    private var parts: [Part]

    /// Text without references.
    package init(_ text: String) { parts = [.text(text)] }

    /// Text without references.
    package init(stringLiteral text: String) { self.init(text) }

    /// Text with literals, values and references.
    package init(stringInterpolation: StringInterpolation) { parts = stringInterpolation.parts }

    /// The text as one string.
    ///
    /// - Parameter spell: Returns the text of a reference.
    package func rendered(_ spell: (any UserReference) -> String) -> String {
        parts.map { part in
            switch part {
            case .text(let text): text
            case .reference(let reference): spell(reference)
            }
        }.joined()
    }

    /// For tests and debugging: references have their names in code.
    package var description: String { rendered { String(describing: $0) } }

    /// Whether the text contains a reference.
    package func refers(to reference: some UserReference) -> Bool { parts.contains(.reference(reference)) }

    /// The concatenation of two texts.
    package static func + (first: UserText, second: UserText) -> UserText {
        var text = first
        for part in second.parts { text.parts.append(joining: part) }
        return text
    }

    /// Collects the parts of an interpolated literal.
    package struct StringInterpolation: StringInterpolationProtocol {
        fileprivate var parts: [Part] = []

        /// Reserves no memory, because texts are short.
        package init(literalCapacity: Int, interpolationCount: Int) {}

        /// Appends a piece of the literal.
        package mutating func appendLiteral(_ literal: String) { parts.append(joining: .text(literal)) }

        /// Appends a value as text.
        package mutating func appendInterpolation(_ value: some CustomStringConvertible) {
            parts.append(joining: .text(value.description))
        }

        /// Appends a reference.
        package mutating func appendInterpolation(_ reference: some UserReference) {
            parts.append(.reference(reference))
        }
    }
}

extension [UserText.Part] {
    /// Appends a part. Adjacent pieces of text are joined, so that equal texts have equal parts.
    fileprivate mutating func append(joining part: UserText.Part) {
        guard case .text(let new) = part else { return append(part) }
        guard case .text(let old)? = last else {
            if !new.isEmpty { append(part) }
            return
        }
        self[count - 1] = .text(old + new)
    }
}

extension UserText.Part: Hashable {
    static func == (a: Self, b: Self) -> Bool {
        switch (a, b) {
        case (.text(let a), .text(let b)): a == b
        case (.reference(let a), .reference(let b)): AnyHashable(a) == AnyHashable(b)
        default: false
        }
    }

    func hash(into hasher: inout Hasher) {
        switch self {
        case .text(let text): hasher.combine(text)
        case .reference(let reference): reference.hash(into: &hasher)
        }
    }
}

/// Counts in texts for people. Programs get plain digits.
package enum CountText {
    /// The digits in groups of three: `1,234,567`.
    package static func grouped(_ number: Int) -> String {
        let digits = String(number.magnitude)
        var grouped = ""
        for (index, digit) in digits.enumerated() {
            if index > 0, (digits.count - index).isMultiple(of: 3) { grouped.append(",") }
            grouped.append(digit)
        }
        return number < 0 ? "-\(grouped)" : grouped
    }

    /// A count and its noun: `1 book`, `2,000 books`.
    ///
    /// - Parameter plural: The plural; nil for the noun with `s`.
    package static func count(_ number: Int, _ noun: String, plural: String? = nil) -> String {
        "\(grouped(number)) \(number == 1 ? noun : plural ?? noun + "s")"
    }
}
