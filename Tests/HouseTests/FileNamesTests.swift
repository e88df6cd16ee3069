import Testing

/// Files and types have names that say something.
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
