import Testing

/// Steps of the pipeline meet in Model: a folder of Stages names no type of another one, but for what is written here.
@Suite struct StepFoldersTests {
    /// Folders that any folder may use: they are no steps.
    private static let open: Set = ["Model", "JSON"]

    /// Which further folders a folder uses, and why.
    private static let allowed: [String: Set<String>] = [
        // Files are records of some syntax before they are rows of a library, and may be packed.
        "Read": ["CSV", "Structured", "MARC", "XML", "SQLite", "Zlib"],
        // Records of any syntax are cut out of the same windows, and handed out in the same shape.
        "Structured": ["CSV"],
        "MARC": ["CSV", "Structured", "XML"],
        // The agency's table of ranges comes as XML.
        "Validate": ["XML"],
        "XML": ["CSV", "Structured"],
        // The catalog is the first provider; it answers EnrichAuthors too, and keeps facts in its form.
        // Both ask the matcher which book is meant where no ISBN says so.
        "LookUp": ["Catalog", "HTTP", "Services", "Matching"],
        // Services are asked for people as they are for books, at desks of one kind. A title may tell namesakes apart.
        "Enrich": ["HTTP", "Services", "Matching"],
        "Services": ["HTTP", "SQLite"],
        "Fake": ["HTTP"],
        "Catalog": ["SQLite", "Zlib", "Enrich", "FullText", "Matching"],
        // A title that is typed is cut as those of rows are, and its article counts as little.
        "FullText": ["SQLite", "Matching"],
        // A search reads stores and catalogs and answers in the contract's words.
        "Search": [
            "SQLite", "Store", "Catalog", "FullText", "Contract", "Results", "Merge", "Genres", "Enrich",
        ],
        // The contract's reports show what an inspection, a catalog, a job's rows and what became of them are.
        "Contract": ["Read", "Catalog", "Results", "Store"],
        // One transaction holds the sink's records and the store's checkpoint, so the two call each other.
        // What services said is kept in the store, packed; it is taken in line by line, as dumps are.
        "Store": ["SQLite", "Contract", "Write", "Services", "Zlib", "Catalog"],
        "Write": ["SQLite", "Store"],
        // A job ties everything together, and is tied to by nothing. It says how other programs' locks are waited for.
        "Jobs": [
            "Read", "Validate", "LookUp", "Merge", "Genres", "Enrich", "Write", "Catalog", "Store",
            "Contract", "HTTP", "Services", "Results", "SQLite",
        ],
        // What reads a store: results in the contract's words, rejected rows taken apart again, ISBNs as people type them.
        "Results": ["SQLite", "Store", "Contract", "CSV", "Read", "Validate", "Zlib"],
    ]

    private static let stages = Tree.sources.filter { $0.path.hasPrefix("Sources/Stages/") }

    private static func folder(of file: SwiftFile) -> String { String(file.folders.dropFirst(2).first ?? "") }

    /// The folder that declares each type; a name that two folders declare tells nothing.
    private static let owners: [String: String] = {
        var owners: [String: Set<String>] = [:]
        for file in stages { for type in file.types { owners[type, default: []].insert(folder(of: file)) } }
        return owners.compactMapValues { $0.count == 1 ? $0.first : nil }
    }()

    @Test func `no step's folder uses another step's`() {
        #expect(Self.owners["ISBN"] == "Model" && Self.owners["ReadLibrary"] == "Read")
        for file in Self.stages {
            let home = Self.folder(of: file)
            for word in file.typeWords.sorted() {
                guard let owner = Self.owners[word], owner != home, !Self.open.contains(owner) else {
                    continue
                }
                let isAllowed = Self.allowed[home]?.contains(owner) == true
                #expect(isAllowed, "\(file.path) uses \(word), which belongs to \(owner)")
            }
        }
    }

    @Test func `nothing is allowed that nobody does any more`() {
        var used: [String: Set<String>] = [:]
        for file in Self.stages {
            used[Self.folder(of: file), default: []].formUnion(file.typeWords.compactMap { Self.owners[$0] })
        }
        for (home, others) in Self.allowed {
            let idle = others.subtracting(used[home] ?? [])
            #expect(idle.isEmpty, "\(home) no longer uses \(idle.sorted().joined(separator: ", "))")
        }
    }
}
