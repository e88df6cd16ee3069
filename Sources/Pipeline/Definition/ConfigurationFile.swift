/// A user's or machine's standing wishes (`/etc/etl/config.yaml`, `$XDG_CONFIG_HOME/etl/config.yaml`): the
/// `run:` and `providers:` of every pipeline. A pipeline definition has the last word over it, key by key.
public struct ConfigurationFile: Sendable, Hashable {
    /// Keys that it may hold.
    static let keys = ["run", "providers"]

    let root: DefinitionNode
    /// The text it was read from.
    let file: DefinitionSource.File

    /// Reads its text; an empty one is fine.
    ///
    /// - Parameters:
    ///   - bytes: Its text, UTF-8.
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
    /// Takes from `lower` what is not said here.
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
