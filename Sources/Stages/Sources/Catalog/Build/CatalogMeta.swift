import Books
import Database
import Pipeline
import System

/// A catalog's metadata: its sources, its build date and its contents.
enum CatalogMeta {
    static func write(
        _ report: CatalogBuildReport, builtAt: String, to connection: Connection
    ) throws(ETLError) {
        try connection.execute(
            """
            PRAGMA main.application_id = \(CatalogSchema.applicationID);
            PRAGMA main.user_version = \(CatalogSchema.version);
            """)
        // A build killed before its catalog was moved to its path writes this twice.
        try connection.execute("DELETE FROM main.meta; DELETE FROM main.source")
        let insert = try connection.prepare("INSERT INTO main.meta VALUES (?,?)")
        try insert.run("provider", Provider.openLibrary.contractName)
        try insert.run("built_at", builtAt)
        let counts = [
            ("isbns", report.isbns), ("editions", report.editions), ("works", report.works),
            ("authors", report.authors), ("titles", report.titles), ("people", report.people),
        ]
        for (name, count) in counts {
            try insert.run(name, count)
        }
        let source = try connection.prepare("INSERT INTO main.source VALUES (?,?,?,?,?,?,?,?)")
        // A dump that is already in the catalog and is read again is listed once.
        let earlier = report.earlierSources.filter { old in !report.sources.contains { isSame($0, old) } }
        for (number, file) in (earlier + report.sources).enumerated() {
            try source.run(
                number + 1, name(file), file.bytes, file.provider, file.lines, file.records, file.malformed,
                file.dumpDate)
        }
    }

    /// Only the file name: the folders of the builder's machine are private.
    private static func name(_ file: CatalogBuildReport.Source) -> String {
        file.name.split(separator: "/").last.map(String.init) ?? file.name
    }

    private static func isSame(_ file: CatalogBuildReport.Source, _ other: CatalogBuildReport.Source) -> Bool
    {
        name(file) == name(other) && file.bytes == other.bytes && file.lines == other.lines
    }
}
