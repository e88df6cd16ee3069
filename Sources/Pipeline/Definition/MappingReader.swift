/// Reads the keys of one mapping and collects the problems.
package struct MappingReader {
    /// Name of the mapping for messages, such as `a stage`.
    package let what: String
    /// The keys it may have.
    package let keys: [String]
    private let node: DefinitionNode
    /// The problems found so far.
    package private(set) var problems: [DefinitionProblem] = []

    /// - Parameter what: Name of the mapping for messages, such as `a stage`.
    package init(_ node: DefinitionNode, _ what: String, keys: [String]) {
        self.node = node
        self.what = what
        self.keys = keys
        if node.entries == nil {
            problems.append(
                DefinitionProblem(
                    .wrongValue, at: node.origin,
                    "\(what) must be a mapping, not \(node.words).".capitalizedFirst,
                    advice: "Write `\(keys.first ?? "key"): …` lines."))
        }
    }

    /// A key's value; nil if it is absent.
    package func node(_ key: String) -> DefinitionNode? {
        node[key].flatMap { $0.isAbsent ? nil : $0 }
    }

    /// A key's text; nil if it is absent. Adds a problem if it is not text.
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

    /// A key's text as a name: at most 64 letters, digits and `signs`, starting with a letter or digit. Adds
    /// a problem if it is not one.
    package mutating func name(_ key: String, signs: String) -> (text: String, origin: ValueOrigin)? {
        guard let (text, origin) = text(key) else { return nil }
        let fits =
            text.utf8.count <= 64 && text.first?.isASCIILetterOrDigit == true
            && text.allSatisfy { $0.isASCIILetterOrDigit || signs.contains($0) }
        guard fits else {
            problems.append(
                DefinitionProblem(
                    .wrongValue, at: origin,
                    "\(DefinitionNode.quoted(text)) is not a valid `\(key)` of \(what).",
                    advice: "Use up to 64 letters, digits and `\(signs)`, starting with a letter or digit."))
            return nil
        }
        return (text, origin)
    }

    /// A key's items; empty if it is absent. Adds a problem if it is not a list.
    package mutating func items(_ key: String) -> [DefinitionNode] {
        guard let value = node(key) else { return [] }
        guard case .sequence(let items) = value.content else {
            problems.append(
                DefinitionProblem(
                    .wrongValue, at: value.origin, "`\(key)` must be a list, not \(value.words).",
                    advice: "Start each item with `- `."))
            return []
        }
        return items
    }

    /// Adds a problem if a required key is missing.
    package mutating func demand(_ key: String, example: String) {
        guard node.entries != nil, node(key) == nil else { return }
        problems.append(
            DefinitionProblem(
                .missingKey, at: node[key]?.origin ?? node.origin,
                "\(what) needs the key `\(key)`.".capitalizedFirst,
                advice: "Write `\(example)`."))
    }

    /// Adds a problem for each key that is not in ``keys``, with a suggestion.
    package mutating func refuseUnknownKeys() {
        for entry in node.entries ?? [] where !keys.contains(entry.key) {
            problems.append(
                DefinitionProblem(
                    .unknownKey, at: entry.origin,
                    "There is no key \(DefinitionNode.quoted(entry.key)) in \(what).",
                    advice: Spelling.advice(for: entry.key, among: keys, called: "Allowed keys")))
        }
    }

    /// Adds problems found elsewhere.
    package mutating func add(_ more: [DefinitionProblem]) { problems += more }
}

extension Character {
    fileprivate var isASCIILetterOrDigit: Bool { isASCII && (isLetter || isNumber) }
}

extension String {
    /// The string with its first letter capitalized.
    fileprivate var capitalizedFirst: String { prefix(1).uppercased() + dropFirst() }
}
