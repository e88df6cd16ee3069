import Foundation

/// Files of a test's own, gone when the test is.
final class WrittenFiles {
    let directory: URL

    init() throws {
        directory = FileManager.default.temporaryDirectory.appendingPathComponent(
            "reading-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(at: directory) }

    /// Writes a file and returns its path.
    func write(_ bytes: some Collection<UInt8>, as name: String = "library.csv") throws -> String {
        let url = directory.appendingPathComponent(name)
        try Data(bytes).write(to: url)
        return url.path
    }

    func write(_ text: String, as name: String = "library.csv") throws -> String {
        try write(Array(text.utf8), as: name)
    }
}
