/// The catalog's file: an SQLite database that is written once, in the order of its keys, and then only read.
///
/// | table | key | for |
/// | --- | --- | --- |
/// | `edition` | ISBN-13 as a number | look-up by ISBN: one descent, then one to the work |
/// | `work` | number of the Open Library work | work with its authors, and how many editions it has |
/// | `title` | hash of folded title and author | look-up of records without an ISBN |
/// | `author` | number of the Open Library author | authors by themselves |
/// | `person` and its two indexes | Wikidata item; Open Library author (P648); hash of a folded name | people |
///
/// Bodies are ``PackedRecord``s. Authors are repeated in each of their works (without their other names), so
/// that a book costs two descents, not three; an edition carries authors only where its work has none.
enum CatalogSchema {
    /// Raised whenever a reader of the old form would misread the new one: layout, packed records, folding,
    /// hashes.
    static let version: Int64 = 1
    /// `ETLC`, in the header of the database file.
    static let applicationID: Int64 = 0x4554_4C43

    /// Pages of 8 KiB: a book with its description fits one, and bulk writing gains a quarter over 4 KiB.
    static let pageSize = 8_192

    static let tables = """
        CREATE TABLE meta(key TEXT PRIMARY KEY, value) WITHOUT ROWID;
        CREATE TABLE source(
            number INTEGER PRIMARY KEY, name TEXT NOT NULL, bytes INTEGER NOT NULL, provider TEXT,
            lines INTEGER NOT NULL, records INTEGER NOT NULL, malformed INTEGER NOT NULL);
        CREATE TABLE edition(isbn INTEGER PRIMARY KEY, work INTEGER NOT NULL, body BLOB NOT NULL);
        CREATE TABLE work(id INTEGER PRIMARY KEY, editions INTEGER NOT NULL, body BLOB NOT NULL);
        CREATE TABLE author(id INTEGER PRIMARY KEY, body BLOB NOT NULL);
        CREATE TABLE title(
            key INTEGER NOT NULL, work INTEGER NOT NULL, mark INTEGER NOT NULL,
            PRIMARY KEY(key, work)) WITHOUT ROWID;
        CREATE TABLE person(item INTEGER PRIMARY KEY, body BLOB NOT NULL);
        CREATE TABLE person_author(
            author INTEGER NOT NULL, item INTEGER NOT NULL, PRIMARY KEY(author, item)) WITHOUT ROWID;
        CREATE TABLE person_name(
            key INTEGER NOT NULL, item INTEGER NOT NULL, mark INTEGER NOT NULL,
            PRIMARY KEY(key, item)) WITHOUT ROWID;
        """

    /// Where records wait, as they come, until all files are read: a second file that is thrown away.
    static let stagingTables = """
        CREATE TABLE stage.edition(
            isbn INTEGER, edition INTEGER, revision INTEGER, work INTEGER,
            authors BLOB, body BLOB, stand_in BLOB);
        CREATE TABLE stage.edition_title(work INTEGER, edition INTEGER, first INTEGER, second INTEGER);
        CREATE TABLE stage.work(id INTEGER PRIMARY KEY, revision INTEGER, authors BLOB, body BLOB);
        CREATE TABLE stage.author(id INTEGER PRIMARY KEY, revision INTEGER, body BLOB);
        CREATE TABLE stage.moved(
            kind INTEGER, id INTEGER, revision INTEGER, target INTEGER, PRIMARY KEY(kind, id)) WITHOUT ROWID;
        CREATE TABLE stage.forward(
            kind INTEGER, id INTEGER, target INTEGER, PRIMARY KEY(kind, id)) WITHOUT ROWID;
        CREATE TABLE stage.kept_work(id INTEGER PRIMARY KEY, has_authors INTEGER);
        CREATE TABLE stage.title(key INTEGER, work INTEGER, mark INTEGER);
        CREATE TABLE stage.person(item INTEGER PRIMARY KEY, body BLOB);
        CREATE TABLE stage.person_author(author INTEGER, item INTEGER);
        CREATE TABLE stage.person_name(key INTEGER, item INTEGER, mark INTEGER);
        """
}
