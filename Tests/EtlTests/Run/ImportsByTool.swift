import TestSupport

/// A suite whose tests import small files with the built tool, each test into a store of its own.
protocol ImportsByTool {
    var folder: TemporaryFolder { get }
}

extension ImportsByTool {
    var store: String { folder.file("s.sqlite") }

    /// Imports a text as a file, with options, into the store.
    func importing(_ text: String, _ options: String...) throws -> BuiltTool.Ending {
        let file = try folder.write(text, to: "export.csv")
        return try BuiltTool.ending(["import", "--db", store] + options + [file])
    }
}
