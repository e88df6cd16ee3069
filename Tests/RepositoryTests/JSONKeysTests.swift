import Testing

/// JSON keys that users see are spelled in one place: the folder Contract.
@Suite struct JSONKeysTests {
    /// Other files with JSON keys, and why.
    private static let others: [String: String] = [
        "Sources/Stages/Syntax/JSON/JSONWriter.swift": "its documentation shows how keys are written",
        "Sources/Stages/Application/Results/Export/AnswerExport.swift":
            "answers go from store to store and are read only by etl",
        "Sources/Stages/Application/Results/Export/ExportRow.swift":
            "keys are the names of the table's columns",
        "Sources/Stages/Application/Results/Export/OtherColumns.swift":
            "keys are the names of the file's columns",
        "Sources/Stages/Application/Results/Listing/LibraryList.swift": "keys are the names of the fields",
        "Sources/Stages/Books/Read/Layouts/CSLJSON.swift": "keys of a format of other programs",
        "Sources/Stages/Books/Read/Calibre/CalibreColumnDefinition.swift": "keys of another program",
        "Sources/Stages/Books/Providers/ISBNdb.swift": "a request in the service's format",
        "Sources/Stages/Application/Results/Export/CanonicalDump.swift":
            "a dump is not a message, it is compared with another dump",
        "Sources/Stages/Books/Rows/RunProgram.swift":
            "keys are the names of the file's columns, for the user's own program",
        "Sources/etl/Run/HealthCheck.swift": "a report about this machine is not part of the contract",
        "Sources/etl/Console/RunLog.swift": "lines of a log are for whoever runs etl from a timer",
        "Sources/Server/Log/AccessLog.swift": "lines about requests are for the server's administrator",
        "Sources/Stages/Books/Model/ReviewCandidate.swift":
            "options of a review are stored as they are shown",
        "Sources/Stages/Books/Store/StoredSeries.swift": "series are stored like this and read only by etl",
        "Sources/Stages/Books/Write/ResultComposer.swift": "series are stored like this and read only by etl",
    ]

    /// A key with its value, a key of a writer, literal or computed, and a key in a string literal.
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
        #expect(
            spellers.isSuperset(of: Self.others.keys), "Some of the other files no longer have JSON keys.")
    }
}
