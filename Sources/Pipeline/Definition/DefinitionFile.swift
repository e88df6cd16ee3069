#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// A pipeline file: YAML in, ``PipelineDefinition`` out.
public enum DefinitionFile {
    /// Reads a definition from a text.
    ///
    /// - Parameters:
    ///   - bytes: The text, UTF-8.
    ///   - file: Its name in errors and origins.
    ///   - configurations: What stands beneath the definition, the weakest first.
    ///   - overrides: What stands above it, the strongest last.
    public static func read(
        _ bytes: [UInt8], named file: String, over configurations: [ConfigurationFile] = [],
        overrides: [DefinitionOverride] = []
    ) throws(DefinitionError) -> PipelineDefinition {
        guard var root = try YAMLReader.read(bytes, named: file), !root.isAbsent else {
            throw DefinitionError(
                DefinitionProblem(
                    .missingKey, at: .file(file, line: 1, column: 1), "There is no definition in this file.",
                    advice: "A pipeline needs at least `name`, `source` and `sink`."))
        }
        for configuration in configurations.reversed() { root.fill(from: configuration.root) }
        for override in overrides { try root.apply(override) }
        var definition = try PipelineDefinition(root)
        definition.definitionSource = DefinitionSource(
            definition: DefinitionSource.File(name: file, text: String(decoding: bytes, as: UTF8.self)),
            configurations: configurations.map(\.file), overrides: overrides.map(\.text))
        return definition
    }

    /// The bytes of a definition or configuration file, no more than one may have.
    public static func load(_ path: String) throws(DefinitionError) -> [UInt8] {
        guard let file = fopen(path, "re") else { throw unreadable(path, errno) }
        defer { fclose(file) }
        // One byte more than allowed tells a file that is too large, whatever it is: a pipe has no size to
        // ask for.
        var bytes = [UInt8](repeating: 0, count: YAMLReader.maximumBytes + 1)
        let count = bytes.withUnsafeMutableBytes { fread($0.baseAddress, 1, $0.count, file) }
        guard ferror(file) == 0 else { throw unreadable(path, errno) }
        bytes.removeSubrange(count...)
        return bytes
    }

    private static func unreadable(_ path: String, _ code: Int32) -> DefinitionError {
        DefinitionError(
            DefinitionProblem(
                .unreadable, at: .file(path, line: 1, column: 1),
                "The file cannot be read: \(String(cString: strerror(code))).",
                advice: code == ENOENT ? "Check its name." : nil))
    }
}

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
