import Books
import Database
import Pipeline

/// A catalog's metadata: its sources, its build date and its contents.
enum CatalogMeta {
    package static func write(
        _ report: CatalogBuildReport, builtAt: String, to connection: Connection
    ) throws(SQLiteError) {
        try connection.execute(
            """
            PRAGMA main.application_id = \(CatalogSchema.applicationID);
            PRAGMA main.user_version = \(CatalogSchema.version);
            """)
        // A build killed before its catalog was moved to its path writes this twice.
        try connection.execute("DELETE FROM main.meta; DELETE FROM main.source")
        let insert = try connection.prepare("INSERT INTO main.meta VALUES (?,?)")
        insert.bind(1, "provider")
        insert.bind(2, Provider.openLibrary.contractName)
        try insert.run()
        insert.bind(1, "built_at")
        insert.bind(2, builtAt)
        try insert.run()
        let counts = [
            ("isbns", report.isbns), ("editions", report.editions), ("works", report.works),
            ("authors", report.authors), ("titles", report.titles), ("people", report.people),
        ]
        for (name, count) in counts {
            insert.bind(1, name)
            insert.bind(2, count)
            try insert.run()
        }
        let source = try connection.prepare("INSERT INTO main.source VALUES (?,?,?,?,?,?,?,?)")
        // A dump that is already in the catalog and is read again is listed once.
        let earlier = report.earlierSources.filter { old in !report.sources.contains { isSame($0, old) } }
        for (number, file) in (earlier + report.sources).enumerated() {
            source.bind(1, number + 1)
            source.bind(2, name(file))
            source.bind(3, file.bytes)
            source.bind(4, file.provider)
            source.bind(5, file.lines)
            source.bind(6, file.records)
            source.bind(7, file.malformed)
            source.bind(8, file.dumpDate)
            try source.run()
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
