/// A value that overrides the definition file: an option such as `stages.LookUpBooks.workers=4`, or an
/// environment variable that sets a path.
package struct DefinitionOverride: Sendable, Hashable {
    /// The keys from the top. A stage is addressed by its name.
    let path: [String]
    let value: DefinitionNode
    let origin: ValueOrigin
    /// Path and value as `path=value`.
    let text: String

    /// Parses `path=value` as the user wrote it. A value in `[ ]` or `{ }` is parsed as YAML. Any other value
    /// is used literally, so that a URL needs no quotes.
    ///
    /// - Parameters:
    ///   - text: Path and value as `path=value`.
    ///   - spelling: A prefix for messages: the name of the option and a space.
    package init(option text: String, after spelling: String = "") throws(DefinitionError) {
        let origin = ValueOrigin.option(spelling + Self.shown(text))
        guard let equals = text.firstIndex(of: "=") else {
            throw DefinitionError(
                DefinitionProblem(
                    .syntax, at: origin, "The `=` is missing.",
                    advice: "Write PATH=VALUE, such as run.window=8."))
        }
        try self.init(
            path: String(text[..<equals]), value: String(text[text.index(after: equals)...]), origin: origin)
    }

    /// The option's text for messages and the effective configuration, without possible passwords.
    private static func shown(_ text: String) -> String {
        guard DefinitionNode.mayHoldSecret(text) else { return text }
        let path = text.prefix { $0 != "=" }
        let isPath =
            path.endIndex != text.endIndex
            && path.allSatisfy { $0.isLetter || $0.isNumber || "._-".contains($0) }
        return isPath ? "\(path)=…" : "…"
    }

    /// An override of a path, with the origin of its value.
    package init(path: String, value: String, origin: ValueOrigin) throws(DefinitionError) {
        self.path = path.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        self.origin = origin
        text = "\(path)=\(value)"
        guard !self.path.contains("") else {
            throw DefinitionError(
                DefinitionProblem(
                    .syntax, at: origin, "`\(path)` is not a valid path.",
                    advice: "A path has keys separated by dots, such as `stages.LookUpBooks.workers`."))
        }
        guard value.hasPrefix("[") || value.hasPrefix("{") else {
            self.value = DefinitionNode(.scalar(value, quoted: !value.isEmpty), at: origin)
            return
        }
        do {
            let node = try YAMLReader.read(Array(value.utf8), named: "value")
            self.value = (node ?? DefinitionNode(.scalar("", quoted: false), at: origin)).placed(at: origin)
        } catch {
            // Line and column are useless for a value on the command line.
            throw DefinitionError(
                error.problems.map { DefinitionProblem($0.code, at: origin, $0.message, advice: $0.advice) })
        }
    }
}

extension DefinitionNode {
    /// Sets the value at the override's path. Missing mappings on the way are created. Unknown keys are
    /// reported when the definition is read.
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
                        .unknownKey, at: override.origin, "There is no stage `\(key)` in the definition.",
                        advice: Spelling.advice(
                            for: key, among: items.compactMap(\.stepName), called: "Its stages")))
            }
            try items[index].set(path.dropFirst(), override)
            content = .sequence(items)
        case .scalar:
            throw DefinitionError(
                DefinitionProblem(
                    .unknownKey, at: override.origin,
                    "\(words) is not a mapping, so it has no settings."))
        }
    }

    /// The name of a step: its own, or else its stage's.
    private var stepName: String? { self["name"]?.text ?? self["stage"]?.text }

    /// The same tree with `origin` as the origin of all values.
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
