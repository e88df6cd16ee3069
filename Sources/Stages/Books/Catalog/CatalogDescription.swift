import Database

/// A catalog as `etl catalog info` shows it.
package struct CatalogDescription: Sendable, Hashable {
    package var path: String
    /// Size of the catalog in bytes.
    package var bytes: Int64
    /// Version of the form in which catalogs are kept.
    package var version: Int
    /// Under whose name it answers: a ``Provider``'s contract name.
    package var provider: String
    /// ISO 8601.
    package var builtAt: String
    /// ISBNs it knows an edition of.
    package var isbns: Int
    /// Editions of Open Library, those without an ISBN among them.
    package var editions: Int
    package var works: Int
    package var authors: Int
    /// Keys of title and author.
    package var titles: Int
    /// People of Wikidata.
    package var people: Int
    /// Files it was built from, the updates' after those before them.
    package var sources: [CatalogBuildReport.Source]

    init(_ connection: Connection) throws(SQLiteError) {
        path = connection.path
        bytes =
            try (connection.integer("PRAGMA page_count") ?? 0) * (connection.integer("PRAGMA page_size") ?? 0)
        version = Int(try connection.integer("PRAGMA user_version") ?? 0)
        var texts: [String: String] = [:]
        let meta = try connection.prepare("SELECT key, value FROM meta")
        while try meta.step() { texts[meta.string(0)] = meta.string(1) }
        provider = texts["provider"] ?? ""
        builtAt = texts["built_at"] ?? ""
        isbns = texts["isbns"].flatMap { Int($0) } ?? 0
        editions = texts["editions"].flatMap { Int($0) } ?? 0
        works = texts["works"].flatMap { Int($0) } ?? 0
        authors = texts["authors"].flatMap { Int($0) } ?? 0
        titles = texts["titles"].flatMap { Int($0) } ?? 0
        people = texts["people"].flatMap { Int($0) } ?? 0
        sources = []
        let rows = try connection.prepare(
            "SELECT name, bytes, provider, lines, records, malformed FROM source ORDER BY number")
        while try rows.step() {
            sources.append(
                .init(
                    name: rows.string(0), bytes: rows.integer(1), provider: rows.optionalString(2),
                    lines: Int(rows.integer(3)), records: Int(rows.integer(4)),
                    malformed: Int(rows.integer(5))))
        }
    }
}
