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
