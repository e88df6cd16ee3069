import Foundation

/// Files of the project, found relative to this source file.
package enum ProjectFiles {
    /// The folder with Package.swift.
    package static let root: String = {
        var folder = URL(fileURLWithPath: #filePath)
        while folder.path != "/" {
            folder.deleteLastPathComponent()
            if FileManager.default.fileExists(atPath: folder.appendingPathComponent("Package.swift").path) {
                break
            }
        }
        return folder.path
    }()

    /// A file of the sample library.
    package static func sample(_ name: String) -> String { "\(root)/Pipelines/sample/\(name)" }

    /// The sample's catalog dumps.
    package static let catalogSources = [
        "ol_dump_editions.txt", "ol_dump_works.txt", "ol_dump_authors.txt", "wikidata_humans.json",
    ].map { sample("catalog/\($0)") }

    /// The tool that was built next to the running tests.
    package static let tool: String = {
        let tests = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? ""
        return (tests as NSString).deletingLastPathComponent + "/etl"
    }()
}

/// A temporary folder that is deleted with its value.
package final class TemporaryFolder: Sendable {
    /// Its path, without a trailing slash.
    package let path: String

    /// Creates it in the system's temporary folder.
    package init() throws {
        let url = FileManager.default.temporaryDirectory.appending(path: "etl-test-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
        path = url.path
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    /// The path of a file in it.
    package func file(_ name: String) -> String { path + "/" + name }

    /// Writes a file and returns its path.
    package func write(_ bytes: [UInt8], to name: String) throws -> String {
        try Data(bytes).write(to: URL(filePath: file(name)))
        return file(name)
    }

    /// Writes a text file and returns its path.
    package func write(_ text: String, to name: String) throws -> String {
        try write(Array(text.utf8), to: name)
    }

    /// Names of its entries, sorted.
    package var names: [String] {
        ((try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []).sorted()
    }
}

/// Shared by the test targets.
package enum TestSupport {}
