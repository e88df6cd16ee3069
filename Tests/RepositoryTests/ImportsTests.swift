import Testing

/// Imports point in one direction, as Package.swift says, and each C target is used by one folder.
@Suite struct ImportsTests {
    /// System modules that any target may import. Foundation is not one: it adds 34 MB of ICU data to the binary (Decision
    /// 0023). Neither is FoundationNetworking, whose crashes cannot be caught (Decision 0011).
    private static let system: Set = ["FoundationEssentials", "Glibc", "Musl", "Dispatch", "Synchronization"]

    /// The only folder that uses each C target.
    private static let folders = [
        "CYAML": "Sources/Pipeline/Definition", "CSQLite": "Sources/Support/Database",
        "CZlib": "Sources/Support/Syntax/Zlib", "CZip": "Sources/Support/Syntax/Zip",
        "CZstd": "Sources/Support/Syntax/Zstd", "CLzma": "Sources/Support/Syntax/LZMA",
        "CXML": "Sources/Support/Syntax/XML", "CCurl": "Sources/Support/Services/HTTP",
        "CScan": "Sources/Support/Syntax/CSV", "CVectors": "Sources/Support/Vectors",
        "CXLSXWriter": "Sources/Support/Syntax/XLSX",
        "CICU": "Sources/Support/Bytes", "CBuild": "Sources/etl/CommandLineTool/Text",
        "CMalloc": "Sources/etl/CommandLineTool/Run", "CSpawn": "Sources/Stages/Rows",
        "CXAttr": "Sources/Stages/Sources/Catalog",
        "CMicroHTTPD": "Sources/Server/HTTP", "CEpoll": "Sources/Server/WebSocket",
        "CWslay": "Sources/WebSocket",
    ]

    @Test func `a file imports only the dependencies of its target`() {
        #expect(Tree.targets["Formats"]?.dependencies.contains("Books") == true)
        #expect(Tree.targets["etl"]?.dependencies.contains("System") == true)
        for file in Tree.sources {
            guard let target = Tree.targets[file.module] else {
                Issue.record("\(file.path) is in no target")
                continue
            }
            // Apps embed the client, and it is not in the tool, so it may use all of Foundation.
            if target.folder.hasPrefix("Sources/Client") { continue }
            for module in file.imports
            where !target.dependencies.contains(module) && !Self.system.contains(module) {
                Issue.record("\(file.path) imports \(module)")
            }
        }
    }

    /// A module that waits for another one without need is built later.
    @Test func `a target depends only on what its files import`() {
        let files = Dictionary(grouping: Tree.sources, by: \.module)
        for (name, target) in Tree.targets where target.folder.hasPrefix("Sources/") {
            let imports = Set((files[name] ?? []).flatMap(\.imports))
            for module in target.dependencies where files[module] != nil {
                #expect(imports.contains(module), "\(name) does not import \(module)")
            }
        }
    }

    @Test func `only the executable depends on the server`() {
        for (name, target) in Tree.targets where target.dependencies.contains("Server") {
            #expect(name == "etl", "\(name)")
        }
    }

    /// Modules that do not need each other build side by side.
    @Test func `formats, sources and store do not depend on each other`() {
        let side = ["Formats", "Sources", "Store", "Rows"]
        for name in side {
            #expect(Tree.targets[name]?.dependencies.isDisjoint(with: side) == true, "\(name)")
        }
    }

    @Test func `no module has more than 20,000 lines`() {
        let lines = Dictionary(grouping: Tree.sources, by: \.module).mapValues {
            $0.map(\.lineCount).reduce(0, +)
        }
        for (module, count) in lines { #expect(count <= 20_000, "\(module) has \(count) lines") }
    }

    @Test func `each C library is used by one folder`() {
        for file in Tree.sources {
            for module in file.imports {
                guard let folder = Self.folders[module] else { continue }
                #expect(file.path.hasPrefix(folder + "/"), "\(file.path) must not import \(module)")
            }
        }
    }

    @Test(arguments: [
        "Sources/Support/", "Sources/Pipeline/",
    ])
    func `modules below Books have no names about books`(folder: String) {
        for file in Tree.sources where file.path.hasPrefix(folder) {
            for name in file.words {
                let found = name.firstMatch(
                    of: #/ISBN|Goodreads|(?:^b|B)ook(?![a-z])|(?:^a|A)uthor(?![a-z])/#)
                #expect(found == nil, "\(file.path) mentions \(name)")
            }
        }
    }

    @Test func `the runtime has no names about databases`() {
        for file in Tree.sources where file.path.hasPrefix("Sources/Pipeline/") {
            let names = file.words.filter { $0.contains("SQL") || $0.contains("Database") }
            #expect(names.isEmpty, "\(file.path) mentions \(names.sorted())")
        }
    }
}
