import Database

/// The catalog's file: an SQLite database that is written once, in the order of its keys, and then only read.
///
/// | table | key | for |
/// | --- | --- | --- |
/// | `edition` | ISBN-13 as a number | look-up by ISBN: one descent, then one to the work |
/// | `work` | number of the Open Library work | work with its authors, and how many editions it has |
/// | `title` | hash of folded title and author | look-up of records without an ISBN (``TitleEntry``) |
/// | `author` | number of the Open Library author | authors by themselves |
/// | `work_isbn` | number of the Open Library work | the lowest of its ISBNs |
/// | `edition_title` | number of the Open Library work | its editions' other titles (``EditionTitles``) |
/// | `search` and the tables beside it | words of titles and names | search (``FullTextSchema``) |
/// | `person` and its two indexes | Wikidata item; Open Library author (P648); hash of a folded name | people |
/// | `edition_record`, `contested`, `moved` | number of the Open Library record | the next update, and nothing else |
///
/// Bodies are ``PackedRecord``s. Authors are repeated in each of their works (without their other names), so
/// that a book costs two descents, not three; an edition carries authors only where its work has none.
package enum CatalogSchema {
    /// Raised whenever a reader of the old form would misread the new one: layout, packed records, folding,
    /// hashes.
    static let version: Int64 = 3
    /// The oldest version that an update can begin with: ``CatalogSeed`` reads it, for its records are kept alike.
    static let oldestToUpdate: Int64 = 2
    /// `ETLC`, in the header of the database file.
    static let applicationID: Int64 = 0x4554_4C43

    /// Pages of 8 KiB: a book with its description fits one, and bulk writing gains a quarter over 4 KiB.
    package static let pageSize = 8_192

    // These three wait as they will stand: between tables that are alike SQLite copies whole rows.
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

    /// Beside the full-text index, and written with it.
    static let editionTitles =
        "CREATE TABLE IF NOT EXISTS edition_title(work INTEGER PRIMARY KEY, titles BLOB NOT NULL);"

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
        CREATE TABLE person(item INTEGER PRIMARY KEY, body BLOB NOT NULL);
        CREATE TABLE person_author(
            author INTEGER NOT NULL, item INTEGER NOT NULL, PRIMARY KEY(author, item)) WITHOUT ROWID;
        CREATE TABLE person_name(
            key INTEGER NOT NULL, item INTEGER NOT NULL, mark INTEGER NOT NULL,
            PRIMARY KEY(key, item)) WITHOUT ROWID;
        CREATE TABLE work_isbn(work INTEGER PRIMARY KEY, isbn INTEGER NOT NULL);
        CREATE TABLE \(editionRecord);
        CREATE TABLE contested(isbn INTEGER NOT NULL, edition INTEGER NOT NULL, body BLOB NOT NULL);
        CREATE TABLE \(moved);
        \(editionTitles)
        """

    /// Where records wait, as they come, until all files are read: a second file that is thrown away.
    ///
    /// Of an edition `edition_record` says which revision stands; the rows of `edition`, one for each ISBN, are
    /// only ever appended, and those of other revisions are passed over.
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
