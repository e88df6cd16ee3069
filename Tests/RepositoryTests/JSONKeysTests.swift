import Testing

/// JSON keys that users see are spelled in few places: the contract, and the reports of queries and jobs.
@Suite struct JSONKeysTests {
    /// Other files with JSON keys, and why.
    private static let others: [String: String] = [
        "Sources/Support/Syntax/JSON/JSONWriter.swift": "its documentation shows how keys are written",
        "Sources/Application/Queries/Export/AnswerExport.swift":
            "answers go from store to store and are read only by etl",
        "Sources/Application/Queries/Export/ExportRow.swift":
            "keys are the names of the table's columns",
        "Sources/Application/Queries/Export/OtherColumns.swift":
            "keys are the names of the file's columns",
        "Sources/Application/Queries/Listing/LibraryList.swift": "keys are the names of the fields",
        "Sources/Stages/Formats/Layouts/CSLJSON.swift": "keys of a format of other programs",
        "Sources/Stages/Formats/Calibre/CalibreColumnDefinition.swift": "keys of another program",
        "Sources/Stages/Sources/Providers/ISBNdb.swift": "a request in the service's format",
        "Sources/Application/Queries/Search/SimilarBook+JSON.swift":
            "reports are below searches, and cannot know what a search finds",
        "Sources/Application/Jobs/Embed/EmbeddingService.swift": "a request in the service's format",
        "Sources/Application/Queries/Export/CanonicalDump.swift":
            "a dump is not a message, it is compared with another dump",
        "Sources/Stages/Rows/RunProgram.swift":
            "keys are the names of the file's columns, for the user's own program",
        "Sources/etl/CommandLineTool/Run/HealthCheck.swift":
            "a report about this machine is not part of the contract",
        "Sources/etl/CommandLineTool/Console/RunLog.swift":
            "lines of a log are for whoever runs etl from a timer",
        "Sources/Server/Log/AccessLog.swift": "lines about requests are for the server's administrator",
        "Sources/Application/Jobs/Scan/Detection.swift":
            "what a model has read in a photo is kept in a file and read only by etl",
        "Sources/Application/Jobs/Scan/VisionEndpoint.swift": "requests to models have the models' keys",
        "Sources/Books/Model/ReviewCandidate.swift":
            "options of a review are stored as they are shown",
        "Sources/Stages/Store/Results/StoredSeries.swift": "series are stored like this and read only by etl",
        "Sources/Stages/Store/Write/ResultComposer.swift": "series are stored like this and read only by etl",
    ]

    /// A key with its value, a key of a writer, literal or computed, and a key in a string literal.
    private static var spelling: Regex<Substring> {
        #/\.field\("|\b(?:out|json|writer|self)\.key\(|[{,]\\"\w+\\":/#
    }

    @Test func `only the contract and reports spell JSON keys`() {
        var spellers: Set<String> = []
        let contract = [
            "Sources/Application/Contract/", "Sources/Application/Queries/Reports/",
            "Sources/Application/Jobs/Reports/", "Sources/Server/Records/", "Sources/Server/OpenAPI/",
        ]
        for file in Tree.sources where !contract.contains(where: { file.path.hasPrefix($0) }) {
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
