import Foundation

/// The project's files for the repository tests.
enum Tree {
    /// The folder with Package.swift.
    static let root: URL = {
        var folder = URL(filePath: #filePath).deletingLastPathComponent()
        while !FileManager.default.fileExists(atPath: folder.appending(path: "Package.swift").path),
            folder.path != "/"
        {
            folder.deleteLastPathComponent()
        }
        return folder
    }()

    /// Paths of all files below a folder, relative to the root, sorted, without hidden folders.
    static func paths(under folder: String) -> [String] {
        let start = root.appending(path: folder)
        guard
            let walk = FileManager.default.enumerator(
                at: start, includingPropertiesForKeys: [.isRegularFileKey], options: [.skipsHiddenFiles])
        else { return [] }
        let prefix = root.path + "/"
        return walk.compactMap { $0 as? URL }
            .filter { (try? $0.resourceValues(forKeys: [.isRegularFileKey]).isRegularFile) == true }
            .map { String($0.path.dropFirst(prefix.count)) }.sorted()
    }

    /// The text of a file; empty if it cannot be read, so that tests that expect content fail.
    static func text(_ path: String) -> String {
        (try? String(contentsOf: root.appending(path: path), encoding: .utf8)) ?? ""
    }

    /// Names of the entries of a folder, sorted.
    static func names(in folder: String) -> [String] {
        let path = root.appending(path: folder).path
        return ((try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []).sorted()
    }

    /// All Swift files of the sources and of the tests, read once. Manifests of packages are not among them.
    static let sources = swift(under: "Sources")
    static let tests = swift(under: "Tests")

    private static func swift(under folder: String) -> [SwiftFile] {
        paths(under: folder).filter { $0.hasSuffix(".swift") && !$0.hasSuffix("/Package.swift") }.map {
            SwiftFile($0, text($0))
        }
    }
}
