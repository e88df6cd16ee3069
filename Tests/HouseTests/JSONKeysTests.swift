import Testing

/// What leaves the house is spelled in one place: no folder but Contract spells a JSON key.
@Suite struct JSONKeysTests {
    /// Who else does, and why.
    private static let others: [String: String] = [
        "Sources/Stages/Syntax/JSON/JSONWriter.swift": "its documentation shows how keys are written",
        "Sources/Stages/Application/Results/Export/AnswerExport.swift":
            "answers go from store to store, read by us alone",
        "Sources/Stages/Application/Results/Export/ExportRow.swift":
            "keys are the names of the table's columns",
        "Sources/Stages/Books/Providers/ISBNdb.swift": "a request in the service's own form",
        "Sources/Stages/Application/Results/Export/CanonicalDump.swift":
            "a dump is no message: two of them are compared",
        "Sources/etl/Run/HealthCheck.swift": "what is well with this machine is nobody's contract",
        "Sources/Stages/Books/Model/ReviewCandidate.swift":
            "what a review offers is stored as it is shown",
        "Sources/Stages/Books/Write/ResultComposer.swift": "series are stored so, and read by us alone",
    ]

    /// A key with its value, a key of a writer, spelled or computed, and a key in a literal.
    private static var spelling: Regex<Substring> {
        #/\.field\("|\b(?:out|json|writer|self)\.key\(|[{,]\\"\w+\\":/#
    }

    @Test func `only Contract spells JSON keys`() {
        var spellers: Set<String> = []
        for file in Tree.sources where !file.path.hasPrefix("Sources/Stages/Application/Contract/") {
            guard file.lines.contains(where: { $0.contains(Self.spelling) }) else {
                continue
            }
            spellers.insert(file.path)
            #expect(Self.others[file.path] != nil, "\(file.path) spells JSON keys")
        }
        #expect(spellers.isSuperset(of: Self.others.keys), "Some no longer do.")
    }
}
