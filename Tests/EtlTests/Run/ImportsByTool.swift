import TestSupport

/// A suite whose tests import small files with the built tool, each test into its own store.
protocol ImportsByTool {
    var folder: TemporaryFolder { get }
}

extension ImportsByTool {
    var store: String { folder.file("s.sqlite") }

    /// Writes a text to a file and imports it into the store, with options.
    func importing(_ text: String, _ options: String...) throws -> BuiltTool.Ending {
        let file = try folder.write(text, to: "export.csv")
        return try BuiltTool.ending(["import", "--db", store] + options + [file])
    }
}
