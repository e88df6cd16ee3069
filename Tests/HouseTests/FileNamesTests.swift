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

    @Test func `a file is named after a declaration in it`() {
        for file in Tree.sources + Tree.tests where file.name != "main" {
            let declared = Set(file.declarations)
            // A file of an extension adds to the type's name what it is about: GenreNormalizerSplitting.
            let isNamed =
                declared.contains(String(file.name))
                || declared.contains { file.name.hasPrefix($0) && $0.first?.isUppercase == true }
            #expect(isNamed, "\(file.path) declares nothing of its name")
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

    @Test func `a test of a type lies in the folder where the type does`() {
        let targets = ["PipelineTests": "Pipeline", "StagesTests": "Stages", "EtlTests": "etl"]
        let homes = Dictionary(
            Tree.sources.map { (String($0.name), $0.folders.dropFirst().joined(separator: "/")) }
        ) { first, _ in first }
        for file in Tree.tests where file.name.hasSuffix("Tests") {
            guard let target = file.folders.dropFirst().first, let source = targets[String(target)],
                let home = homes[String(file.name.dropLast("Tests".count))], home.hasPrefix(source + "/")
            else { continue }
            let own = ([source] + file.folders.dropFirst(2).map(String.init)).joined(separator: "/")
            #expect(own == home, "\(file.path) tests what lies in Sources/\(home)")
        }
    }
}
