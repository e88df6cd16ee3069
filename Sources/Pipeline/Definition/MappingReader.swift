/// Reads the keys of one mapping and collects what is wrong with them.
package struct MappingReader {
    /// What the mapping is, for a sentence: `a stage`.
    package let what: String
    /// The keys it may have.
    package let keys: [String]
    private let node: DefinitionNode
    /// What is wrong, as far as was read.
    package private(set) var problems: [DefinitionProblem] = []

    /// - Parameter what: What the mapping is, for a sentence: `a stage`.
    package init(_ node: DefinitionNode, _ what: String, keys: [String]) {
        self.node = node
        self.what = what
        self.keys = keys
        if node.entries == nil {
            problems.append(
                DefinitionProblem(
                    .wrongValue, at: node.origin, "\(what) is a mapping, not \(node.words).".capitalizedFirst,
                    advice: "Write `\(keys.first ?? "key"): …` lines."))
        }
    }

    /// A key's value; nil where nothing is said.
    package func node(_ key: String) -> DefinitionNode? {
        node[key].flatMap { $0.isAbsent ? nil : $0 }
    }

    /// A key's text; nil, and a problem, where it is something else.
    package mutating func text(_ key: String) -> (text: String, origin: ValueOrigin)? {
        guard let value = node(key) else { return nil }
        guard let text = value.text else {
            problems.append(
                DefinitionProblem(.wrongValue, at: value.origin, "`\(key)` must be text, not \(value.words).")
            )
            return nil
        }
        return (text, value.origin)
    }

    /// A key's text where it is a name: letters, digits and a few signs, at most 64.
    package mutating func name(_ key: String, signs: String) -> (text: String, origin: ValueOrigin)? {
        guard let (text, origin) = text(key) else { return nil }
        let fits =
            text.utf8.count <= 64 && text.first?.isASCIILetterOrDigit == true
            && text.allSatisfy { $0.isASCIILetterOrDigit || signs.contains($0) }
        guard fits else {
            problems.append(
                DefinitionProblem(
                    .wrongValue, at: origin,
                    "\(DefinitionNode.quoted(text)) cannot be the `\(key)` of \(what).",
                    advice: "Use up to 64 letters, digits and `\(signs)`, a letter or digit first."))
            return nil
        }
        return (text, origin)
    }

    /// A key's items where it is a list; none where nothing is said.
    package mutating func items(_ key: String) -> [DefinitionNode] {
        guard let value = node(key) else { return [] }
        guard case .sequence(let items) = value.content else {
            problems.append(
                DefinitionProblem(
                    .wrongValue, at: value.origin, "`\(key)` must be a list, not \(value.words).",
                    advice: "Begin each item with `- `."))
            return []
        }
        return items
    }

    /// Says that a key must be there. A misspelt one beside it is named instead of left for the reader to
    /// find.
    package mutating func demand(_ key: String, example: String) {
        guard node.entries != nil, node(key) == nil else { return }
        problems.append(
            DefinitionProblem(
                .missingKey, at: node[key]?.origin ?? node.origin,
                "\(what) needs a `\(key)`.".capitalizedFirst,
                advice: "Write `\(example)`."))
    }

    /// Says of each key that is not among ``keys`` what it may have been meant to be.
    package mutating func refuseUnknownKeys() {
        for entry in node.entries ?? [] where !keys.contains(entry.key) {
            problems.append(
                DefinitionProblem(
                    .unknownKey, at: entry.origin,
                    "There is no key \(DefinitionNode.quoted(entry.key)) in \(what).",
                    advice: Spelling.advice(for: entry.key, among: keys, called: "Its keys are")))
        }
    }

    /// Notes what somebody else found wrong.
    package mutating func add(_ more: [DefinitionProblem]) { problems += more }
}

extension Character {
    fileprivate var isASCIILetterOrDigit: Bool { isASCII && (isLetter || isNumber) }
}

extension String {
    /// The same with a capital at the beginning, as a sentence has.
    fileprivate var capitalizedFirst: String { prefix(1).uppercased() + dropFirst() }
}
