import Formats
import Glibc
package import Pipeline
import Queries
package import System

/// Runs a pipeline definition on the fixtures beside it: `etl test`.
///
/// The fixtures of `mine.yaml` are the files in the folder `mine.tests`. Each has its expected output beside
/// it, in `FILE.expected`: the canonical dump of a new store into which only this file was imported, without
/// catalogs and services.
package struct PipelineTest: Sendable {
    /// An input and its expected output.
    package struct Fixture: Sendable, Hashable {
        /// The input's name without its folder.
        package let name: String
        /// The input's path.
        package let input: String
        /// Path of the expected output, which may not exist yet.
        package let expected: String
    }

    /// Comparison of a fixture's actual output with the expected one.
    package enum Verdict: Sendable, Hashable {
        case same
        /// Lines of the difference: `-` only expected, `+` only actual.
        case different([String])
        /// There is no expected output yet.
        case unknown
    }

    private let definition: PipelineDefinition

    /// - Parameter definition: A definition that ends in a store.
    package init(_ definition: PipelineDefinition) { self.definition = definition }

    private static let suffix = ".expected"

    /// The folder with the fixtures of a definition.
    package static func folder(of path: String) -> String {
        for ending in [".yaml", ".yml"] where path.hasSuffix(ending) {
            return path.dropLast(ending.count) + ".tests"
        }
        return path + ".tests"
    }

    /// The fixtures in a folder, sorted by name.
    ///
    /// - Throws: `missing` if there is no such folder, or no fixture in it.
    package static func fixtures(in folder: String) throws(ETLError) -> [Fixture] {
        guard let names = Folder.names(in: folder) else {
            throw ETLError(
                .missing, "There is no folder `\(folder)`.",
                advice: "Create it, and put input files for the pipeline into it.")
        }
        let inputs = names.filter { !$0.hasSuffix(suffix) && !$0.hasPrefix(".") }.sorted()
        guard !inputs.isEmpty else {
            throw ETLError(
                .missing, "There is no input file in `\(folder)`.",
                advice: "Put input files for the pipeline into it.")
        }
        return inputs.map {
            Fixture(name: $0, input: "\(folder)/\($0)", expected: "\(folder)/\($0)\(suffix)")
        }
    }

    /// The output of the pipeline for a fixture. The store is temporary.
    ///
    /// - Throws: What the import throws or ends with.
    package func output(for fixture: Fixture, stop: StopSignal = StopSignal()) async throws(ETLError)
        -> [UInt8]
    {
        let reading = ReadSettings(files: [fixture.input])
        return try await TemporaryImport(reading, definition).run(stop: stop) {
            (store, _) throws(ETLError) in
            var bytes: [UInt8] = []
            try Export(store).write(.all, as: .ndjson) { bytes += $0 }
            return bytes
        }
    }

    /// Compares the output of a fixture with the expected one.
    package static func verdict(on output: [UInt8], of fixture: Fixture) -> Verdict {
        guard let expected = try? ReadableFile.contents(of: fixture.expected) else { return .unknown }
        guard expected != output else { return .same }
        let (old, new) = (lines(expected), lines(output))
        let changes = new.difference(from: old).sorted { $0.line < $1.line }
        return .different(changes.map(\.text))
    }

    private static func lines(_ bytes: [UInt8]) -> [String] {
        bytes.split(separator: UInt8(ascii: "\n")).map { String(decoding: $0, as: UTF8.self) }
    }

    /// Writes the output of a fixture as the expected one.
    package static func accept(_ output: [UInt8], of fixture: Fixture) throws(ETLError) {
        guard PartFile.replace(fixture.expected, with: output) == 0 else {
            throw ETLError(
                .cannotCreate, "`\(fixture.expected)` cannot be written.",
                advice: "Check the permissions of its folder.")
        }
    }
}

extension CollectionDifference<String>.Change {
    /// Line number, which sorts removals and insertions together.
    fileprivate var line: Int {
        switch self {
        case .remove(let offset, _, _): 2 * offset
        case .insert(let offset, _, _): 2 * offset + 1
        }
    }

    fileprivate var text: String {
        switch self {
        case .remove(_, let line, _): "- \(line)"
        case .insert(_, let line, _): "+ \(line)"
        }
    }
}
