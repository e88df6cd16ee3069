import Foundation

/// Real files beside the package, which tests try in place and never copy. Tests that need one are skipped
/// without it.
public enum SharedData {
    /// The folder `../shared/data` beside the package; nil where it is absent.
    private static let folder: URL? = {
        var folder = URL(fileURLWithPath: #filePath)
        repeat {
            folder.deleteLastPathComponent()
            guard folder.path != "/" else { return nil }
        } while !FileManager.default.fileExists(atPath: folder.appendingPathComponent("Package.swift").path)
        let data = folder.deletingLastPathComponent().appendingPathComponent("shared/data")
        return FileManager.default.fileExists(atPath: data.path) ? data : nil
    }()

    /// Whether the folder is there.
    public static var isPresent: Bool { folder != nil }

    /// The bytes of one of its files; empty where it cannot be read.
    public static func bytes(_ path: String) -> [UInt8] {
        guard let folder, let data = try? Data(contentsOf: folder.appendingPathComponent(path)) else {
            return []
        }
        return Array(data)
    }
}
