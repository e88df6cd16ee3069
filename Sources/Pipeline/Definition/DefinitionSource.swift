/// What a definition was read from, whole: kept with a job, it gives the same definition again when the file has
/// been edited or lies elsewhere.
public struct DefinitionSource: Sendable, Hashable, Codable {
    /// A file's text.
    public struct File: Sendable, Hashable, Codable {
        /// Its name in errors and origins.
        public let name: String
        /// What it holds.
        public let text: String

        /// Takes a text and its name.
        public init(name: String, text: String) {
            self.name = name
            self.text = text
        }
    }

    /// The definition itself.
    public let definition: File
    /// What stands beneath it, the weakest first.
    public let configurations: [File]
    /// What stands above it, as `path=value`, the strongest last.
    public let overrides: [String]

    /// Takes what a definition is read from.
    public init(definition: File, configurations: [File] = [], overrides: [String] = []) {
        self.definition = definition
        self.configurations = configurations
        self.overrides = overrides
    }

    /// Reads the definition again.
    public func read() throws(DefinitionError) -> PipelineDefinition {
        var under: [ConfigurationFile] = []
        for file in configurations {
            under.append(try ConfigurationFile(Array(file.text.utf8), named: file.name))
        }
        var over: [DefinitionOverride] = []
        for text in overrides { over.append(try DefinitionOverride(option: text)) }
        return try DefinitionFile.read(
            Array(definition.text.utf8), named: definition.name, over: under, overrides: over)
    }
}
