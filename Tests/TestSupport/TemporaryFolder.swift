import Foundation

/// A folder of a test's own that is gone with it.
public final class TemporaryFolder: Sendable {
    /// Where it is, without a slash at the end.
    public let path: String

    /// Makes it where the system keeps temporary files.
    public init() throws {
        let url = FileManager.default.temporaryDirectory.appending(path: "etl-test-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
        path = url.path
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    /// The path of a file in it.
    public func file(_ name: String) -> String { path + "/" + name }

    /// Writes a file and returns its path.
    public func write(_ bytes: [UInt8], to name: String) throws -> String {
        try Data(bytes).write(to: URL(filePath: file(name)))
        return file(name)
    }

    /// Writes a file of text and returns its path.
    public func write(_ text: String, to name: String) throws -> String {
        try write(Array(text.utf8), to: name)
    }

    /// Names of the files in it, sorted.
    public var names: [String] {
        ((try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []).sorted()
    }
}
