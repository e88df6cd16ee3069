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

    /// A target of Package.swift whose files are in Sources.
    struct Target {
        /// Relative to the root: `Sources/Stages/Formats`.
        var folder: String
        /// The targets that it may import.
        var dependencies: Set<String>
    }

    /// The targets in Sources by name.
    static let targets: [String: Target] = {
        let manifest = text("Package.swift")
        var targets: [String: Target] = [:]
        for part in manifest.split(separator: #/\.(?:target|executableTarget)\(/#).dropFirst() {
            guard let name = part.firstMatch(of: #/name: "(\w+)"/#)?.1 else { continue }
            let settings = part.prefix(
                upTo: part.firstRange(of: "swiftSettings")?.lowerBound ?? part.endIndex)
            let folder = settings.firstMatch(of: #/path: "([^"]+)"/#).map { String($0.1) }
            targets[String(name)] = Target(
                folder: folder ?? "Sources/\(name)",
                dependencies: settings.firstMatch(of: #/dependencies: ([^\]]*\]|[a-z +]*)/#)
                    .map { dependencies($0.1, in: manifest) } ?? [])
        }
        return targets.filter { $0.value.folder.hasPrefix("Sources/") }
    }()

    /// The names in a list of dependencies, with those of the lists that it refers to.
    private static func dependencies(_ list: Substring, in manifest: String) -> Set<String> {
        var names = Set(list.matches(of: #/"(\w+)"/#).map { String($0.1) })
        let literals = list.replacing(#/"\w+"/#, with: "")
        for word in literals.matches(of: #/[a-z]+/#).map(\.output) {
            guard let start = manifest.firstRange(of: "let \(word): [Target.Dependency] = ")?.upperBound
            else { continue }
            names.formUnion(dependencies(manifest[start...].prefix { $0 != "\n" }, in: manifest))
        }
        return names
    }

    private static func swift(under folder: String) -> [SwiftFile] {
        paths(under: folder).filter { $0.hasSuffix(".swift") && !$0.hasSuffix("/Package.swift") }.map {
            SwiftFile($0, text($0))
        }
    }
}
