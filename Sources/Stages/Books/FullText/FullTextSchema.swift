import Database

/// The tables of a full-text index: in a catalog, and beside a results store.
///
/// A document is a work: its folded titles and its folded authors' names (``Folding``), so that neither case nor
/// diacritics nor punctuation count. Its *place* is its row id in the FTS5 table, and documents that more people
/// look for have lower places: who reads a posting list from its beginning meets the likeliest first, and may
/// stop.
///
/// | table | for |
/// | --- | --- |
/// | `search` | FTS5: word → places; keeps no text of its own |
/// | `search_document` | place → the document, and how many editions it has |
/// | `search_title` | hash of a whole folded title → places: who types a title in full gets that work |
/// | `search_term` | every word by its number, with the number of its documents (``WordBlock``) |
/// | `search_typo` | hash of a word, or of the word less a letter → numbers of words: what a mistyped one is meant for |
///
/// Titles and typos are blocks of sorted keys (``KeyBlockWriter``).
package enum FullTextSchema {
    /// Takes the tables away, where they are.
    package static let removal = """
        DROP TABLE IF EXISTS search; DROP TABLE IF EXISTS search_document; DROP TABLE IF EXISTS search_title;
        DROP TABLE IF EXISTS search_term; DROP TABLE IF EXISTS search_typo;
        """

    package static let tables = """
        CREATE VIRTUAL TABLE search USING fts5(
            title, author, content='', columnsize=0, detail=column, tokenize='ascii');
        INSERT INTO search(search, rank) VALUES ('hashsize', 33554432);
        CREATE TABLE search_document(
            place INTEGER PRIMARY KEY, document INTEGER NOT NULL, editions INTEGER NOT NULL);
        CREATE TABLE search_title\(KeyBlockWriter.columns);
        CREATE TABLE search_term(
            number INTEGER PRIMARY KEY, first TEXT NOT NULL UNIQUE, words BLOB NOT NULL);
        CREATE TABLE search_typo\(KeyBlockWriter.columns);
        """
}
