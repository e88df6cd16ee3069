import Testing

/// The documentation names things that exist.
@Suite struct DocumentedTypesTests {
    /// Types of the sources, including nested and private ones.
    private static let types = Set(Tree.sources.flatMap(\.allTypes))

    /// The capitalized words in backquotes on a page. `LimiterState.Lease` is one of them.
    private func names(on page: String) -> [String] {
        Tree.text(page).matches(of: #/`([A-Z]\w*(?:\.[A-Z]\w*)*)`/#).map { String($0.1) }
    }

    private func isType(_ name: String) -> Bool {
        name.split(separator: ".").allSatisfy { Self.types.contains(String($0)) }
    }

    @Test func `every type in the glossary exists`() {
        let names = names(on: "docs/glossary.md")
        #expect(names.count > 80)
        for name in names { #expect(isType(name), "\(name)") }
    }

    @Test func `the glossary has the words of the domain and the architecture only`() {
        let entries = Tree.text("docs/glossary.md").split(separator: "\n").filter { $0.hasPrefix("- **") }
        #expect(entries.count > 50)
        #expect(entries.count <= 90)
    }

    @Test func `every type, module, folder and test suite in the architecture exists`() {
        let suites = Set(Tree.tests.flatMap(\.allTypes))
        let folders = Set(Tree.sources.flatMap { $0.folders.map(String.init) })
        let names = names(on: "docs/architecture.md")
        #expect(names.count > 60)
        for name in names {
            #expect(isType(name) || suites.contains(name) || folders.contains(name), "\(name)")
        }
    }
}
