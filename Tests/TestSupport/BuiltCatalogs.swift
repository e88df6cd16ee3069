import Books
import Foundation
import Pipeline
import Sources
import System

/// Catalogs that tests have in common. Each is built once in a process, and every test gets its own copy.
///
/// A suite is a new value for each of its tests, so a catalog built in its `init` is built as often as it has
/// tests.
enum BuiltCatalogs {
    private struct Built {
        var bytes: Data
        var report: CatalogBuildReport
    }

    /// By the dumps' paths, or by the lines of the only dump.
    private static let known = Guarded<[[String]: Task<Built, any Error>]>([:])

    /// Writes the catalog of dump files, whose content does not change while the tests run, to `path`.
    ///
    /// - Returns: The report of its build.
    @discardableResult
    static func copy(ofFiles files: [String], to path: String) async throws -> CatalogBuildReport {
        try await copy(of: files, to: path) { _ in files }
    }

    /// Writes the catalog of one dump with these lines to `path`.
    ///
    /// - Returns: The report of its build.
    static func copy(ofLines lines: [String], to path: String) async throws -> CatalogBuildReport {
        try await copy(of: lines, to: path) { folder in
            [try folder.write(lines.map { $0 + "\n" }.joined(), to: "dump.txt")]
        }
    }

    private static func copy(
        of key: [String], to path: String,
        dumps: @escaping @Sendable (TemporaryFolder) throws -> [String]
    ) async throws -> CatalogBuildReport {
        let built = try await known.withLock { known in
            if let task = known[key] { return task }
            let task = Task {
                let folder = try TemporaryFolder()
                let report = try await CatalogFixture.builder(folder).build(from: dumps(folder))
                let bytes = try Data(contentsOf: URL(filePath: folder.file("catalog.sqlite")))
                return Built(bytes: bytes, report: report)
            }
            known[key] = task
            return task
        }.value
        try built.bytes.write(to: URL(filePath: path))
        return built.report
    }
}
