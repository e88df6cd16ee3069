/// A value set from outside the file: an option such as `stages.LookUpBooks.workers=4`, or an environment variable that
/// stands for a path.
public struct DefinitionOverride: Sendable, Hashable {
    /// Keys from the top; a stage is addressed by its name.
    let path: [String]
    let value: DefinitionNode
    let origin: ValueOrigin
    /// As it is written: `path=value`.
    let text: String

    /// Takes a setting as the user wrote it, `path=value`. A value in `[ ]` or `{ }` is read as YAML, any other
    /// as it stands, so that an address needs no quotes.
    ///
    /// - Parameter spelling: What stands before it where the user wrote it, for messages: the name of an option and a space.
    public init(option text: String, after spelling: String = "") throws(DefinitionError) {
        let origin = ValueOrigin.option(spelling + Self.shown(text))
        guard let equals = text.firstIndex(of: "=") else {
            throw DefinitionError(
                DefinitionProblem(
                    .syntax, at: origin, "There is no `=` in it.",
                    advice: "Write path=value, such as run.window=8."))
        }
        try self.init(
            path: String(text[..<equals]), value: String(text[text.index(after: equals)...]), origin: origin)
    }

    /// The text of an option as messages and the effective configuration show it.
    private static func shown(_ text: String) -> String {
        guard DefinitionNode.mayHoldSecret(text) else { return text }
        let path = text.prefix { $0 != "=" }
        let isPath =
            path.endIndex != text.endIndex
            && path.allSatisfy { $0.isLetter || $0.isNumber || "._-".contains($0) }
        return isPath ? "\(path)=…" : "…"
    }

    /// Takes a path, a value and who said so.
    public init(path: String, value: String, origin: ValueOrigin) throws(DefinitionError) {
        self.path = path.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        self.origin = origin
        text = "\(path)=\(value)"
        guard !self.path.contains("") else {
            throw DefinitionError(
                DefinitionProblem(
                    .syntax, at: origin, "`\(path)` is no path.",
                    advice: "A path is keys with dots between them: `stages.LookUpBooks.workers`."))
        }
        guard value.hasPrefix("[") || value.hasPrefix("{") else {
            self.value = DefinitionNode(.scalar(value, quoted: !value.isEmpty), at: origin)
            return
        }
        do {
            let node = try YAMLReader.read(Array(value.utf8), named: "value")
            self.value = (node ?? DefinitionNode(.scalar("", quoted: false), at: origin)).placed(at: origin)
        } catch {
            // Line and column of a word on the command line tell nobody anything.
            throw DefinitionError(
                error.problems.map { DefinitionProblem($0.code, at: origin, $0.message, advice: $0.advice) })
        }
    }
}

extension DefinitionNode {
    /// Sets the value at the override's path. Missing mappings on the way are made; whether anything reads
    /// them is for the definition to say.
    package mutating func apply(_ override: DefinitionOverride) throws(DefinitionError) {
        try set(override.path[...], override)
    }

    private mutating func set(
        _ path: ArraySlice<String>, _ override: DefinitionOverride
    ) throws(DefinitionError) {
        guard let key = path.first else {
            self = override.value
            return
        }
        if isAbsent { content = .mapping([]) }
        switch content {
        case .mapping(var entries):
            let index = entries.firstIndex { $0.key == key } ?? entries.count
            if index == entries.count {
                let nothing = DefinitionNode(.scalar("", quoted: false), at: override.origin)
                entries.append(Entry(key: key, origin: override.origin, value: nothing))
            }
            try entries[index].value.set(path.dropFirst(), override)
            content = .mapping(entries)
        case .sequence(var items):
            guard let index = items.firstIndex(where: { $0.stepName == key }) else {
                throw DefinitionError(
                    DefinitionProblem(
                        .unknownKey, at: override.origin, "There is no `\(key)` in that list.",
                        advice: Spelling.advice(
                            for: key, among: items.compactMap(\.stepName), called: "It has")))
            }
            try items[index].set(path.dropFirst(), override)
            content = .sequence(items)
        case .scalar:
            throw DefinitionError(
                DefinitionProblem(
                    .unknownKey, at: override.origin, "There is nothing below \(words): it is no mapping."))
        }
    }

    /// The name of a step: its own, else its stage's.
    private var stepName: String? { self["name"]?.text ?? self["stage"]?.text }

    /// The same tree with one origin throughout.
    fileprivate func placed(at origin: ValueOrigin) -> DefinitionNode {
        switch content {
        case .scalar: DefinitionNode(content, at: origin)
        case .sequence(let items): DefinitionNode(.sequence(items.map { $0.placed(at: origin) }), at: origin)
        case .mapping(let entries):
            DefinitionNode(
                .mapping(
                    entries.map { Entry(key: $0.key, origin: origin, value: $0.value.placed(at: origin)) }),
                at: origin)
        }
    }
}
