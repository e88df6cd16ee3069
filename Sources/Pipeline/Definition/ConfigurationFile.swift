/// The configuration of a user or machine (`/etc/etl/config.yaml`, `$XDG_CONFIG_HOME/etl/config.yaml`):
/// `run:`, `providers:` and `stages:` for every pipeline. A pipeline definition overrides it key by key.
///
/// `stages:` is a mapping from the registered names of stages, because the file does not decide which stages a
/// pipeline has: `stages: { NormalizeGenres: { settings: { limit: 20 } } }`. Pipelines without the stage ignore
/// it.
package struct ConfigurationFile: Sendable, Hashable {
    /// The keys it may have.
    static let keys = ["run", "providers", "stages"]
    /// The keys of a stage.
    private static let stageKeys = ["workers", "capacity", "settings"]

    /// Its keys except `stages:`.
    let root: DefinitionNode
    /// The entries of `stages:`.
    let stages: [DefinitionNode.Entry]
    /// Its name and text.
    let file: DefinitionSource.File

    /// Parses a configuration file. An empty file is allowed.
    ///
    /// - Parameters:
    ///   - bytes: Its text in UTF-8.
    ///   - file: Its name in errors and origins.
    package init(_ bytes: [UInt8], named file: String) throws(DefinitionError) {
        let nothing = DefinitionNode(.mapping([]), at: .file(file, line: 1, column: 1))
        let content = try YAMLReader.read(bytes, named: file) ?? nothing
        let root = content.isAbsent ? nothing : content
        var reader = MappingReader(root, "a configuration file", keys: Self.keys)
        reader.refuseUnknownKeys()
        let stages = reader.node("stages")
        if let stages {
            var stageReader = MappingReader(
                stages, "`stages` of a configuration file",
                keys: stages.entries?.map(\.key) ?? ["NameOfTheStage"])
            for stage in stages.entries ?? [] where !stage.value.isAbsent {
                var settings = MappingReader(stage.value, "a stage", keys: Self.stageKeys)
                settings.refuseUnknownKeys()
                stageReader.add(settings.problems)
            }
            reader.add(stageReader.problems)
        }
        guard reader.problems.isEmpty else { throw DefinitionError(reader.problems) }
        self.root = root.without("stages")
        self.stages = stages?.entries ?? []
        self.file = DefinitionSource.File(name: file, text: String(decoding: bytes, as: UTF8.self))
    }
}

extension DefinitionNode {
    /// A mapping without one of its keys.
    fileprivate func without(_ key: String) -> DefinitionNode {
        guard let entries else { return self }
        return DefinitionNode(.mapping(entries.filter { $0.key != key }), at: origin)
    }

    /// Adds a configuration's values for stages to the steps of a definition that have their registered names.
    mutating func fill(stages configured: [Entry]) {
        guard case .mapping(var entries) = content else { return }
        for index in entries.indices where ["source", "stages", "sink"].contains(entries[index].key) {
            switch entries[index].value.content {
            case .sequence(var steps):
                for step in steps.indices { steps[step].fillStep(from: configured) }
                entries[index].value.content = .sequence(steps)
            case .mapping: entries[index].value.fillStep(from: configured)
            case .scalar: break
            }
        }
        content = .mapping(entries)
    }

    private mutating func fillStep(from configured: [Entry]) {
        for entry in configured where entry.key == self["stage"]?.text { fill(from: entry.value) }
    }

    /// Adds the values of `lower` that are missing here.
    mutating func fill(from lower: DefinitionNode) {
        guard let theirs = lower.entries else { return }
        guard !isAbsent else {
            self = lower
            return
        }
        guard case .mapping(var ours) = content else { return }
        for entry in theirs {
            if let index = ours.firstIndex(where: { $0.key == entry.key }) {
                ours[index].value.fill(from: entry.value)
            } else {
                ours.append(entry)
            }
        }
        content = .mapping(ours)
    }
}
