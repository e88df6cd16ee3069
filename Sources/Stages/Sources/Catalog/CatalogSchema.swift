import Database

/// The catalog's file: an SQLite database that is written once, in key order, and then only read.
///
/// | table | key | purpose |
/// | --- | --- | --- |
/// | `edition` | ISBN-13 as a number, or ``key(ofEdition:)`` | lookup by ISBN: one descent, then one to the work |
/// | `work` | number of the Open Library work | the work with its authors and its number of editions |
/// | `title` | hash of title and author | lookup of records without an ISBN (``TitleEntry``) |
/// | `mistyped_title` | hash of half a title and an author | the same for a title with an error (``MistypedTitle``) |
/// | `author` | number of the Open Library author | authors on their own |
/// | `work_edition` | number of the Open Library work | its editions with an ISBN (``EditionSketch``) |
/// | `identifier` | hash of an identifier | editions by Goodreads' id and others (``BookIdentifier``) |
/// | `edition_title` | number of the Open Library work | other titles of its editions (``EditionTitles``) |
/// | `search`, `search_…` | words of titles and names | search (``FullTextSchema``) |
/// | `person`, its two indexes | Wikidata item; Open Library author (P648); hash of a folded name | people |
/// | `edition_record`, `contested`, `moved` | number of the Open Library record | used by the next update |
///
/// Bodies are ``PackedRecord``s. Each work repeats its authors (without their other names), so a book costs
/// two descents instead of three. An edition has authors only if its work has none.
package enum CatalogSchema {
    /// Increased whenever an older reader would misread the new format: layout, packed records, folding, or
    /// hashes.
    static let version: Int64 = 5
    /// The key of an edition without an ISBN, by the number of its record: negative, so that it is no ISBN.
    static func key(ofEdition number: Int64) -> Int64 { -number }

    /// `ETLC`, in the header of the database file.
    static let applicationID: Int64 = 0x4554_4C43

    /// Pages of 8 KiB. A book with its description fits into one, and bulk writing is a quarter faster than
    /// with 4 KiB.
    package static let pageSize = 8_192

    // Staged rows of these three tables have their final form: SQLite copies whole rows between identical
    // tables.
    private static let author =
        "author(id INTEGER PRIMARY KEY, revision INTEGER NOT NULL, body BLOB NOT NULL)"
    private static let editionRecord = """
        edition_record(
            id INTEGER PRIMARY KEY, revision INTEGER NOT NULL, work INTEGER NOT NULL, authors BLOB,
            first INTEGER, second INTEGER)
        """
    private static let moved = """
        moved(
            kind INTEGER NOT NULL, id INTEGER NOT NULL, revision INTEGER NOT NULL, target INTEGER NOT NULL,
            PRIMARY KEY(kind, id)) WITHOUT ROWID
        """

    /// Stored next to the full-text index and written together with it.
    static let editionTitles =
        "CREATE TABLE edition_title(work INTEGER PRIMARY KEY, titles BLOB NOT NULL);"

    static let tables = """
        CREATE TABLE meta(key TEXT PRIMARY KEY, value) WITHOUT ROWID;
        CREATE TABLE source(
            number INTEGER PRIMARY KEY, name TEXT NOT NULL, bytes INTEGER NOT NULL, provider TEXT,
            lines INTEGER NOT NULL, records INTEGER NOT NULL, malformed INTEGER NOT NULL, dumped TEXT);
        CREATE TABLE edition(isbn INTEGER PRIMARY KEY, work INTEGER NOT NULL, body BLOB NOT NULL);
        CREATE TABLE work(
            id INTEGER PRIMARY KEY, editions INTEGER NOT NULL, revision INTEGER NOT NULL, authors BLOB,
            body BLOB NOT NULL);
        CREATE TABLE \(author);
        CREATE TABLE title\(KeyBlockWriter.columns);
        CREATE TABLE mistyped_title\(KeyBlockWriter.columns);
        CREATE TABLE person(item INTEGER PRIMARY KEY, body BLOB NOT NULL);
        CREATE TABLE person_author(
            author INTEGER NOT NULL, item INTEGER NOT NULL, PRIMARY KEY(author, item)) WITHOUT ROWID;
        CREATE TABLE person_name(
            key INTEGER NOT NULL, item INTEGER NOT NULL, mark INTEGER NOT NULL,
            PRIMARY KEY(key, item)) WITHOUT ROWID;
        CREATE TABLE work_edition\(KeyBlockWriter.columns);
        CREATE TABLE identifier\(KeyBlockWriter.columns);
        CREATE TABLE \(editionRecord);
        CREATE TABLE contested(isbn INTEGER NOT NULL, edition INTEGER NOT NULL, body BLOB NOT NULL);
        CREATE TABLE \(moved);
        \(editionTitles)
        """

    /// A second, temporary file in which records are staged until all dumps are read.
    ///
    /// `edition_record` says which revision of an edition is current. Rows of `edition`, one per ISBN, are
    /// only appended; rows of other revisions are ignored.
    static let stagingTables = """
        CREATE TABLE stage.checkpoint(id INTEGER PRIMARY KEY CHECK(id = 1), body TEXT NOT NULL);
        CREATE TABLE stage.edition(
            isbn INTEGER, edition INTEGER, revision INTEGER, body BLOB, stand_in BLOB);
        CREATE TABLE stage.\(editionRecord);
        CREATE TABLE stage.work(id INTEGER PRIMARY KEY, revision INTEGER, authors BLOB, body BLOB);
        CREATE TABLE stage.\(author);
        CREATE TABLE stage.\(moved);
        CREATE TABLE stage.person(item INTEGER PRIMARY KEY, generation INTEGER, body BLOB);
        CREATE TABLE stage.forward(
            kind INTEGER, id INTEGER, target INTEGER, PRIMARY KEY(kind, id)) WITHOUT ROWID;
        CREATE TABLE stage.kept_work(id INTEGER PRIMARY KEY, has_authors INTEGER);
        """
}
