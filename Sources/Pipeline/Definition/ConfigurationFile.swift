/// The configuration of a user or machine (`/etc/etl/config.yaml`, `$XDG_CONFIG_HOME/etl/config.yaml`):
/// `run:` and `providers:` for every pipeline. A pipeline definition overrides it key by key.
public struct ConfigurationFile: Sendable, Hashable {
    /// The keys it may have.
    static let keys = ["run", "providers"]

    let root: DefinitionNode
    /// Its name and text.
    let file: DefinitionSource.File

    /// Parses a configuration file. An empty file is allowed.
    ///
    /// - Parameters:
    ///   - bytes: Its text in UTF-8.
    ///   - file: Its name in errors and origins.
    public init(_ bytes: [UInt8], named file: String) throws(DefinitionError) {
        let nothing = DefinitionNode(.mapping([]), at: .file(file, line: 1, column: 1))
        let content = try YAMLReader.read(bytes, named: file) ?? nothing
        let root = content.isAbsent ? nothing : content
        var reader = MappingReader(root, "a configuration file", keys: Self.keys)
        reader.refuseUnknownKeys()
        guard reader.problems.isEmpty else { throw DefinitionError(reader.problems) }
        self.root = root
        self.file = DefinitionSource.File(name: file, text: String(decoding: bytes, as: UTF8.self))
    }
}

extension DefinitionNode {
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
