import System

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// Reads pipeline files.
package enum DefinitionFile {
    /// Parses a definition.
    ///
    /// - Parameters:
    ///   - bytes: Its text in UTF-8.
    ///   - file: Its name in errors and origins.
    ///   - configurations: Configuration files that the definition overrides; later ones override earlier
    ///     ones.
    ///   - overrides: Values that override the definition; later ones override earlier ones.
    ///   - variables: The environment variables that `${NAME}` stands for; nil if it has no meaning.
    package static func read(
        _ bytes: [UInt8], named file: String, over configurations: [ConfigurationFile] = [],
        overrides: [DefinitionOverride] = [], variables: ((String) -> String?)? = nil
    ) throws(DefinitionError) -> PipelineDefinition {
        guard var root = try YAMLReader.read(bytes, named: file), !root.isAbsent else {
            throw DefinitionError(
                DefinitionProblem(
                    .missingKey, at: .file(file, line: 1, column: 1), "The file has no pipeline definition.",
                    advice: "A pipeline needs at least `name`, `source` and `sink`."))
        }
        for configuration in configurations.reversed() {
            root.fill(from: configuration.root)
            root.fill(stages: configuration.stages)
        }
        for override in overrides { try root.apply(override) }
        var substitution = variables.map { VariableSubstitution(value: $0) }
        if substitution != nil { try substitution?.replace(in: &root) }
        var definition = try PipelineDefinition(root)
        definition.configuredStages = configurations.flatMap(\.stages)
        definition.definitionSource = DefinitionSource(
            definition: DefinitionSource.File(name: file, text: String(decoding: bytes, as: UTF8.self)),
            configurations: configurations.map(\.file), overrides: overrides.map(\.text),
            variables: substitution?.used)
        return definition
    }

    /// Reads the bytes of a definition or configuration file. If the file is larger than allowed, the result
    /// has one byte more than the maximum.
    package static func load(_ path: String) throws(DefinitionError) -> [UInt8] {
        let descriptor: Int32
        do throws(ReadableFile.Refusal) {
            descriptor = try ReadableFile.open(path)
        } catch {
            throw unreadable(path, error)
        }
        guard let file = fdopen(descriptor, "r") else {
            let code = errno
            close(descriptor)
            throw unreadable(path, .system(code))
        }
        defer { fclose(file) }
        // Reading one byte more than allowed detects files that are too large. The file may be a pipe, which
        // has no size.
        var bytes = [UInt8](repeating: 0, count: YAMLReader.maximumBytes + 1)
        let count = bytes.withUnsafeMutableBytes { fread($0.baseAddress, 1, $0.count, file) }
        guard ferror(file) == 0 else { throw unreadable(path, .system(errno)) }
        bytes.removeSubrange(count...)
        return bytes
    }

    static func unreadable(_ path: String, _ refusal: ReadableFile.Refusal) -> DefinitionError {
        let (message, advice): (String, String?) =
            switch refusal {
            case .system(ENOENT): ("There is no file `\(path)`.", "Check its name and folder.")
            case .system where refusal.isForbidden:
                (
                    "`\(path)` cannot be read: permission denied.",
                    "Make it readable, for example with `chmod u+r FILE`."
                )
            case .system(let code): ("`\(path)` cannot be read: \(String(cString: strerror(code))).", nil)
            case .folder: ("`\(path)` cannot be read: \(String(cString: strerror(EISDIR))).", nil)
            case .special:
                (
                    "`\(path)` is a pipe or a device, not a file.",
                    "Save its content to a file, and specify that."
                )
            }
        return DefinitionError(
            DefinitionProblem(
                refusal.isForbidden ? .forbidden : .unreadable, at: .file(path, line: 1, column: 1), message,
                advice: advice))
    }
}

/// The complete text that a definition was read from. It is stored with a job, so that the same definition
/// can be read again after the file was edited or moved.
package struct DefinitionSource: Sendable, Hashable, Codable {
    /// A file's name and text.
    package struct File: Sendable, Hashable, Codable {
        /// Its name in errors and origins.
        package let name: String
        /// Its text.
        package let text: String

        /// A file's name and text.
        package init(name: String, text: String) {
            self.name = name
            self.text = text
        }
    }

    /// The definition itself.
    package let definition: File
    /// Configuration files that it overrides; later ones override earlier ones.
    package let configurations: [File]
    /// Values that override it, as `path=value`; later ones override earlier ones.
    package let overrides: [String]
    /// The environment variables that the definition uses, with their values; nil if it cannot use any.
    package let variables: [String: String]?

    /// A source of all values.
    package init(
        definition: File, configurations: [File] = [], overrides: [String] = [],
        variables: [String: String]? = nil
    ) {
        self.definition = definition
        self.configurations = configurations
        self.overrides = overrides
        self.variables = variables
    }

    /// Parses the definition again.
    package func read() throws(DefinitionError) -> PipelineDefinition {
        var under: [ConfigurationFile] = []
        for file in configurations {
            under.append(try ConfigurationFile(Array(file.text.utf8), named: file.name))
        }
        var over: [DefinitionOverride] = []
        for text in overrides { over.append(try DefinitionOverride(option: text)) }
        return try DefinitionFile.read(
            Array(definition.text.utf8), named: definition.name, over: under, overrides: over,
            variables: variables.map { variables in { variables[$0] } })
    }
}
