import Testing

/// Folders depend on each other in one direction only, as modules do, so that a folder can be read without
/// those that use it.
@Suite struct FolderGraphTests {
    /// A use of one folder by another: the file, and the name it uses.
    private struct Use {
        var file: String
        var name: String
    }

    private static func folder(_ file: SwiftFile) -> String { file.folders.joined(separator: "/") }

    /// The folder that declares each name; names declared in several folders are left out.
    private static func owners(_ names: (SwiftFile) -> [String], in files: [SwiftFile]) -> [String: String] {
        var owners: [String: Set<String>] = [:]
        for file in files { for name in names(file) { owners[name, default: []].insert(folder(file)) } }
        return owners.compactMapValues { $0.count == 1 ? $0.first : nil }
    }

    /// Names that the standard library and Foundation use too.
    private static let common: Set = [
        "utf8", "count", "description", "hash", "index", "first", "last", "path",
    ]

    /// Which folder uses which other of its module, with an example. Between modules the compiler checks
    /// imports.
    private static let graph: [String: [String: Use]] = {
        let declared = owners(\.declared, in: Tree.sources)
        let members = Set(Tree.sources.flatMap(\.extensionMembers) + Tree.sources.flatMap(\.types))
        // Only unambiguous names count.
        let names = declared.filter { members.contains($0.key) && !common.contains($0.key) }
        let modules = Dictionary(Tree.sources.map { (folder($0), $0.module) }) { first, _ in first }
        var graph: [String: [String: Use]] = [:]
        for file in Tree.sources {
            let home = folder(file)
            for word in file.words {
                guard let owner = names[word], owner != home, modules[owner] == file.module,
                    graph[home]?[owner] == nil
                else { continue }
                graph[home, default: [:]][owner] = Use(file: file.path, name: word)
            }
        }
        return graph
    }()

    @Test func `the graph has types and members of extensions`() {
        #expect(
            Self.graph["Sources/Application/Jobs/Runs"]?["Sources/Application/Jobs/Duplicates"] != nil)
        #expect(Self.graph["Sources/Stages/Formats/Programs"]?["Sources/Stages/Formats/Values"] != nil)
    }

    @Test func `no two folders use each other, directly or indirectly`() { Self.expectNoCycle(Self.graph) }

    /// Dependencies of a folder, and of all folders in it, on its siblings.
    private static let siblings: [String: [String: Use]] = {
        var siblings: [String: [String: Use]] = [:]
        for (home, uses) in graph {
            for (owner, use) in uses {
                let (from, to) = (home.split(separator: "/"), owner.split(separator: "/"))
                let shared = zip(from, to).prefix { $0 == $1 }.count
                // A folder and one within it are no siblings.
                guard shared < min(from.count, to.count) else { continue }
                let (user, used) = (
                    from[...shared].joined(separator: "/"), to[...shared].joined(separator: "/")
                )
                if siblings[user]?[used] == nil { siblings[user, default: [:]][used] = use }
            }
        }
        return siblings
    }()

    @Test func `at every level, no two folders use each other with what is in them`() {
        #expect(
            Self.siblings["Sources/Server/Routes"]?["Sources/Server/Records"] != nil
        )
        Self.expectNoCycle(Self.siblings)
    }

    private static func expectNoCycle(_ graph: [String: [String: Use]]) {
        var finished: Set<String> = []
        var path: [String] = []
        func visit(_ folder: String) {
            guard !finished.contains(folder) else { return }
            if let start = path.firstIndex(of: folder) {
                let cycle = path[start...] + [folder]
                let uses = zip(cycle, cycle.dropFirst()).compactMap { graph[$0]?[$1] }
                Issue.record("a cycle: \(uses.map { "\($0.file) uses \($0.name)" }.joined(separator: ", "))")
                return
            }
            path.append(folder)
            for next in (graph[folder] ?? [:]).keys.sorted() { visit(next) }
            path.removeLast()
            finished.insert(folder)
        }
        for folder in graph.keys.sorted() { visit(folder) }
    }

    /// The steps in `docs/architecture.md`, which share only the model.
    private static let steps = ["Validate", "LookUp", "Merge", "Genres", "Enrich"]

    @Test func `no step uses another step`() {
        let folders = Self.steps.map { "Sources/Stages/Sources/\($0)" }
        for folder in folders {
            for other in folders where other != folder {
                if let use = Self.graph[folder]?[other] {
                    Issue.record("\(use.file) uses \(use.name) of \(other)")
                }
            }
        }
    }
}
