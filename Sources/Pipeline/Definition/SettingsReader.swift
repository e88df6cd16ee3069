/// Checks a mapping of a definition against a schema and collects the problems.
struct SettingsReader {
    /// The owner of the settings, for messages: ``stage `LookUpBooks` ``.
    let owner: String
    let specs: [SettingSpec]
    private(set) var problems: [DefinitionProblem] = []
    private var explicit: [String: Settings.Placed] = [:]
    /// Settings with a value that cannot be used.
    private var refused: Set<String> = []

    init(_ owner: String, specs: [SettingSpec]) {
        self.owner = owner
        self.specs = specs
    }

    /// Reads a `settings:` mapping. If it is absent, all settings have their defaults.
    ///
    /// - Parameter place: Position of the owner of the settings, for errors about a missing setting.
    mutating func read(_ node: DefinitionNode?, at place: ValueOrigin? = nil) -> Settings {
        if let node, !node.isAbsent { readGroup(node, prefix: "") }
        for spec in specs where spec.isRequired && explicit[spec.name] == nil && !refused.contains(spec.name)
        {
            problems.append(
                DefinitionProblem(
                    .missingKey, at: place ?? node?.origin ?? .builtIn,
                    "\(owner) needs the setting `\(spec.name)`.",
                    advice: "It must be \(spec.kind.words)."))
        }
        return Settings(explicit: explicit, declared: specs)
    }

    private mutating func readGroup(_ node: DefinitionNode, prefix: String) {
        guard let entries = node.entries else {
            let what = prefix.isEmpty ? "The settings of \(owner)" : "`\(prefix.dropLast())`"
            problems.append(
                DefinitionProblem(
                    .wrongValue, at: node.origin, "\(what) must be a mapping, not \(node.words).",
                    advice: "Write `name: value` lines below it."))
            return
        }
        for entry in entries {
            let name = prefix + entry.key
            if entry.key.contains(".") {
                refuse(entry, name: name)
            } else if let spec = specs.first(where: { $0.name == name }) {
                readValue(entry.value, spec)
            } else if specs.contains(where: { $0.name.hasPrefix(name + ".") }) {
                if !entry.value.isAbsent { readGroup(entry.value, prefix: name + ".") }
            } else {
                refuse(entry, name: name)
            }
        }
    }

    private mutating func refuse(_ entry: DefinitionNode.Entry, name: String) {
        problems.append(
            DefinitionProblem(
                .unknownKey, at: entry.origin,
                "There is no setting \(DefinitionNode.quoted(name)) of \(owner).",
                advice: specs.isEmpty
                    ? "It has no settings."
                    : Spelling.advice(for: name, among: specs.map(\.name), called: "Available settings")))
    }

    private mutating func readValue(_ node: DefinitionNode, _ spec: SettingSpec) {
        // A key without a value is the same as no key: the setting has its default.
        guard !node.isAbsent else { return }
        do {
            explicit[spec.name] = Settings.Placed(value: try value(of: node, spec.kind), origin: node.origin)
        } catch {
            refused.insert(spec.name)
            guard let phrase = error.phrase else {
                problems.append(
                    DefinitionProblem(
                        error.isOutOfBounds ? .outOfBounds : .wrongValue, at: node.origin,
                        "`\(spec.name)` of \(owner) must be \(spec.kind.words)\(instead(node, spec.kind)).",
                        advice: error.advice))
                return
            }
            problems.append(problem(phrase, node, spec))
        }
    }

    /// The problem of one phrase, at its own place in the file.
    private func problem(_ phrase: PhraseMistake, _ node: DefinitionNode, _ spec: SettingSpec)
        -> DefinitionProblem
    {
        var place = node
        if case .sequence(let items) = node.content, items.indices.contains(phrase.index) {
            place = items[phrase.index]
        }
        let column = phrase.column.map { ", column \($0)" } ?? ""
        return DefinitionProblem(
            .wrongValue, at: place.origin,
            "`\(spec.name)` of \(owner)\(column): \(phrase.message)", advice: phrase.advice)
    }

    /// The wrong value for a message. An invalid URL may contain a password, so it is never shown.
    private func instead(_ node: DefinitionNode, _ kind: SettingKind) -> String {
        kind == .url && node.text != nil ? "" : ", not \(node.words)"
    }

    private func value(
        of node: DefinitionNode, _ kind: SettingKind
    ) throws(SettingKind.Mistake) -> SettingValue {
        switch node.content {
        case .scalar(let text, _): return try kind.parse(text)
        case .sequence(let items):
            var texts: [String] = []
            for item in items {
                guard let text = item.text else { throw .unreadable }
                texts.append(text)
            }
            return try kind.parse(texts)
        case .mapping: throw .unreadable
        }
    }
}
