import Testing

/// The folder that a newcomer sees first holds what design.md lists, and nothing that was left behind.
@Suite struct TopLevelTests {
    private static let listed: Set = [
        "Makefile", "Package.swift", "Pipelines", "README.md", "Sources", "Tests",
    ]

    @Test func `nothing stands there but what is listed`() {
        // A store that somebody made to try the tool is theirs.
        let names = Tree.names(in: ".").filter { !$0.hasPrefix(".") && !$0.contains(".sqlite") }
        #expect(Set(names) == Self.listed)
    }
}
