import Testing

/// Imports point in one direction: each module imports only what is listed for it, and each C target is used
/// by one folder.
@Suite struct ImportsTests {
    /// The modules of this package that each target may import, lowest first, as in Package.swift.
    private static let ours: [String: Set<String>] = {
        let stages = ["Bytes", "Syntax", "Database", "Services", "Books", "Application", "FakeServices"]
        return [
            "Pipeline": ["CYAML"],
            "Bytes": ["CICU"],
            "Syntax": [
                "Bytes", "Pipeline", "CScan", "CXML", "CZlib", "CZip", "CZstd", "CLzma", "CXLSXWriter",
            ],
            "Database": ["Bytes", "Pipeline", "CSQLite"],
            "Services": ["Bytes", "Syntax", "Database", "Pipeline", "CCurl"],
            "Books": ["Bytes", "Syntax", "Database", "Services", "Pipeline", "CSpawn", "CXAttr"],
            "Application": ["Bytes", "Syntax", "Database", "Services", "Books", "Pipeline"],
            "FakeServices": ["Bytes", "Books", "Services", "Pipeline"],
            "Server": [
                "Bytes", "Syntax", "Services", "Books", "Application", "Pipeline", "WebSocket", "CMicroHTTPD",
                "CEpoll",
            ],
            "WebSocket": ["CWslay"],
            // A package of its own for apps. It is not in the tool, so it may use all of Foundation.
            "Client": ["Foundation"],
            "etl": Set(stages + ["Pipeline", "Server", "CBuild", "CMalloc"]),
        ]
    }()

    /// System modules that any target may import. Foundation is not one: it adds 34 MB of ICU data to the binary (Decision
    /// 0023). Neither is FoundationNetworking, whose crashes cannot be caught (Decision 0011).
    private static let system: Set = ["FoundationEssentials", "Glibc", "Musl", "Dispatch", "Synchronization"]

    /// The only folder that uses each C target.
    private static let folders = [
        "CYAML": "Sources/Pipeline/Definition", "CSQLite": "Sources/Stages/Database",
        "CZlib": "Sources/Stages/Syntax/Zlib", "CZip": "Sources/Stages/Syntax/Zip",
        "CZstd": "Sources/Stages/Syntax/Zstd", "CLzma": "Sources/Stages/Syntax/LZMA",
        "CXML": "Sources/Stages/Syntax/XML", "CCurl": "Sources/Stages/Services/HTTP",
        "CScan": "Sources/Stages/Syntax/CSV", "CXLSXWriter": "Sources/Stages/Syntax/XLSX",
        "CICU": "Sources/Stages/Bytes", "CBuild": "Sources/etl/Text",
        "CMalloc": "Sources/etl/Run", "CSpawn": "Sources/Stages/Books/Rows",
        "CXAttr": "Sources/Stages/Books/Catalog",
        "CMicroHTTPD": "Sources/Server/HTTP", "CEpoll": "Sources/Server/WebSocket",
        "CWslay": "Sources/WebSocket",
    ]

    @Test func `the list is the one of Package.swift`() throws {
        let manifest = Tree.text("Package.swift")
        for (module, imports) in Self.ours where module != "etl" && module != "Client" {
            let target = try #require(
                manifest.firstMatch(
                    of: try Regex(
                        #"name: "\#(module)",\s*dependencies: \[([^\]]*)\]"#, as: (Substring, Substring).self)
                ))
            let named = target.output.1.matches(of: #/"(\w+)"/#).map { String($0.output.1) }
            #expect(Set(named) == imports, "\(module)")
        }
    }

    @Test func `no target imports one above it`() {
        for file in Tree.sources {
            guard let allowed = Self.ours[file.module] else {
                Issue.record("\(file.path) is in no target that this test knows")
                continue
            }
            for module in file.imports where !allowed.contains(module) && !Self.system.contains(module) {
                Issue.record("\(file.path) imports \(module)")
            }
        }
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
        "Sources/Pipeline/", "Sources/Stages/Syntax/", "Sources/Stages/Database/", "Sources/Stages/Services/",
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
