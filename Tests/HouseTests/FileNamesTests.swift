import Testing

/// A reader guesses where a thing lives: files are named after what is in them, in words that say something.
@Suite struct FileNamesTests {
    /// Words that say nothing of what is in a file.
    private static let idle = [
        "Manager", "Helper", "Util", "Base", "Impl", "Info", "Handler", "Processor", "Context", "Common",
        "Misc",
    ]

    /// Words of a camel-case name: `JSONReaderValues` is JSON, Reader, Values.
    private func words(_ name: Substring) -> [String] {
        name.matches(of: #/[A-Z]+(?![a-z])|[A-Z][a-z0-9]*|[a-z0-9]+/#).map { String($0.0) }
    }

    /// `ISBN.swift` declares `ISBN`; `JSONReader+Values.swift` extends `JSONReader` by what has to do with values.
    @Test func `a file is named after a type it declares, or after one it extends and a topic`() {
        for file in Tree.sources + Tree.tests where file.name != "main" {
            let parts = file.name.split(separator: "+", maxSplits: 1, omittingEmptySubsequences: false)
            let names = parts.count == 1 ? file.types : file.extended
            #expect(names.contains(String(parts[0])), "\(file.path) has \(names) and nothing of its name")
        }
    }

    @Test func `a test of a type lies in the folder where the type does`() {
        var targets = ["PipelineTests": "Pipeline", "EtlTests": "etl"]
        for module in Tree.names(in: "Sources/Stages") { targets[module + "Tests"] = "Stages/" + module }
        var homes: [String: Set<String>] = [:]
        for file in Tree.sources {
            let name = file.name.filter { $0 != "+" }
            homes[name, default: []].insert(file.folders.dropFirst().joined(separator: "/"))
        }
        for file in Tree.tests where file.name.hasSuffix("Tests") {
            guard let target = file.folders.dropFirst().first, let source = targets[String(target)] else {
                continue
            }
            let tested = homes[String(file.name.dropLast("Tests".count)), default: []]
                .filter { $0.hasPrefix(source + "/") }
            let own = ([source] + file.folders.dropFirst(2).map(String.init)).joined(separator: "/")
            #expect(tested.isEmpty || tested.contains(own), "\(file.path) tests what lies in \(tested)")
        }
    }

    @Test func `no file or type has a name that says nothing`() {
        for file in Tree.sources + Tree.tests {
            for name in [file.name] + file.types.map({ Substring($0) }) {
                // Singular and plural alike; SQLite's own words (a database, a basis) are other words.
                let found = words(name).filter { word in Self.idle.contains { word == $0 || word == $0 + "s" }
                }
                #expect(found.isEmpty, "\(file.path): \(name)")
            }
        }
    }
}
