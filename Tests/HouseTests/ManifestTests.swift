import Testing

/// Package.swift: no Swift package but this one, a target for every folder.
@Suite struct ManifestTests {
    private let manifest = SwiftCode.blank(Tree.text("Package.swift"))

    @Test func `no Swift package is depended on`() {
        #expect(!manifest.isEmpty)
        #expect(!manifest.contains(".package("))
        #expect(!Tree.names(in: ".").contains("Package.resolved"))
    }

    @Test func `every folder of Sources is a target, and every target of Swift is strict`() {
        let text = Tree.text("Package.swift")
        let folders = Tree.names(in: "Sources").filter { $0 != "Stages" } + Tree.names(in: "Sources/Stages")
        for folder in folders {
            #expect(text.contains("name: \"\(folder)\""), "\(folder) is no target")
        }
        let targets = text.matches(of: #/\.(?:target|executableTarget|testTarget)\(/#).count
        #expect(targets == text.matches(of: #/swiftSettings: strict/#).count)
    }
}
