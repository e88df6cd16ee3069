import Bytes
package import Database
package import System

/// Fills a full-text index: documents in ascending places, then its words.
package final class FullTextWriter {
    private let connection: Connection
    private let insertText: Statement
    private let documents: Appender<DocumentRow>
    private let titles: KeySorter
    private let keysInMemory: Int

    /// - Parameters:
    ///   - connection: A database with the tables of ``FullTextSchema`` as its main one, in a transaction.
    ///   - keysInMemory: Keys that a sorter holds in memory; more are kept on disk.
    package init(_ connection: Connection, keysInMemory: Int = KeySorter.maxWaiting) throws(ETLError) {
        self.connection = connection
        self.keysInMemory = keysInMemory
        insertText = try connection.prepare("INSERT INTO main.search(rowid, title, author) VALUES (?,?,?)")
        documents = try Appender(
            connection, table: "main.search_document", columns: ["place", "document", "editions"])
        titles = KeySorter(connection, name: "whole_title", maxWaiting: keysInMemory)
    }

    package func append(
        place: Int64, document: Int64, editions: Int64, _ text: SearchText
    ) throws(ETLError) {
        let whole = text.wholeTitle
        insertText.bind(1, place)
        insertText.bind(
            2, text.otherTitles.isEmpty ? whole : ([whole] + text.otherTitles).joined(separator: " "))
        insertText.bind(3, text.author)
        try insertText.run()
        try documents.write(DocumentRow(id: place, document: document, editions: editions))
        try add(title: whole, place)
        if !text.subtitle.isEmpty { try add(title: text.title, place) }
        for title in text.otherTitles { try add(title: title, place) }
    }

    private func add(title: String, _ place: Int64) throws(ETLError) {
        if !title.isEmpty { try titles.add(Self.key(ofTitle: title), place) }
    }

    /// The key of a whole folded title.
    static func key(ofTitle title: String) -> Int64 {
        var title = title
        return Int64(bitPattern: title.withUTF8 { KeyHash.hash(UnsafeRawBufferPointer($0)) })
    }

    /// Writes the whole titles and words of all documents, including those of earlier runs.
    ///
    /// - Parameter countRow: Called for each word and key; its errors end the writing.
    package func finish(_ countRow: () throws(ETLError) -> Void = {}) throws(ETLError) {
        try documents.flush(from: ())
        try KeyBlockReader.visit("main.search_title", in: connection) { item throws(ETLError) in
            try titles.add(item.key, item.value)
        }
        // A search returns at most this many documents of a title, lowest places first.
        try write(titles, to: "main.search_title", valuesOfKey: FullTextSearch.resultLimit, countRow)
        try writeWords(countRow)
    }

    private func writeWords(_ countRow: () throws(ETLError) -> Void) throws(ETLError) {
        try connection.execute(
            """
            DELETE FROM main.search_term;
            CREATE VIRTUAL TABLE temp.words USING fts5vocab(main, search, row);
            """)
        let typos = KeySorter(connection, name: "typo", maxWaiting: keysInMemory)
        var list = try WordListWriter(connection)
        // FTS5 returns words in byte order, which is the order in which blocks are looked up.
        let words = try connection.prepare("SELECT term, doc FROM temp.words")
        while try words.next() {
            try countRow()
            let word = words.bytes(0)
            let number = try list.append(word, documents: words.integer(1))
            for key in TypoKeys.ofTerm(word) { try typos.add(key, number) }
        }
        try list.finish()
        try connection.execute("DROP TABLE temp.words")
        try write(typos, to: "main.search_typo", countRow)
    }

    /// Replaces a table's contents with the sorted keys.
    private func write(
        _ sorter: KeySorter, to table: String, valuesOfKey: Int = .max,
        _ countRow: () throws(ETLError) -> Void
    ) throws(ETLError) {
        try connection.execute("DELETE FROM \(table)")
        var writer = try KeyBlockWriter(connection, table: table, valuesOfKey: valuesOfKey)
        try sorter.finish { item throws(ETLError) in
            try countRow()
            try writer.append(item)
        }
        try writer.finish()
    }
}

/// A document at its place.
private struct DocumentRow: AppendedRow {
    var id: Int64
    var document: Int64
    var editions: Int64

    func put<Row: RowValues & ~Copyable>(into row: inout Row, from source: Void) {
        row.add(document)
        row.add(editions)
    }
}

/// The folded text (`Folding`) of a document: what is indexed and what queries are compared with.
package struct SearchText: Hashable {
    package var title = ""
    package var subtitle = ""
    /// Names of all authors, separated by spaces.
    package var author = ""
    /// Other titles of the document: those of its editions, and those the user knows it by.
    package var otherTitles: [String] = []

    package init(title: String = "", subtitle: String = "", author: String = "", otherTitles: [String] = []) {
        self.title = title
        self.subtitle = subtitle
        self.author = author
        self.otherTitles = otherTitles
    }

    /// Title and subtitle joined.
    package var wholeTitle: String {
        subtitle.isEmpty ? title : title.isEmpty ? subtitle : "\(title) \(subtitle)"
    }
}

/// The tables of a full-text index, in a catalog or next to a store.
///
/// A document is a work. Its titles and authors' names are folded (`Folding`), so case, diacritics and
/// punctuation do not matter. Its *place* is its row id in the FTS5 table. More popular documents have lower
/// places: reading a posting list from its start finds the likeliest documents first, and can stop early.
///
/// | table | purpose |
/// | --- | --- |
/// | `search` | FTS5: word → places; does not store the text |
/// | `search_document` | place → the document and its number of editions |
/// | `search_title` | hash of a whole folded title → places, for titles entered in full |
/// | `search_term` | every word by its number, with its number of documents (``WordBlock``) |
/// | `search_typo` | hash of a word, or of the word without one letter → word numbers, to correct typos |
///
/// Titles and typos are blocks of sorted keys (`KeyBlockWriter`).
package enum FullTextSchema {
    /// Drops the tables if they exist.
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

/// Copies a full-text index from one database of a connection to another. Whole rows are copied, because the
/// tables are identical.
enum FullTextCopy {
    /// Tables with rows, those of FTS5 first.
    private static let tables = [
        "search_data", "search_idx", "search_config", "search_document", "search_title", "search_term",
        "search_typo",
    ]

    /// - Parameters:
    ///   - source: The connection's name for the database with the index.
    ///   - connection: Its main database has the tables of ``FullTextSchema``; their contents are replaced.
    ///   - begin: Called before each table; its errors end the copying.
    static func copy(
        from source: String, _ connection: Connection,
        beginning begin: () throws(ETLError) -> Void = { () throws(ETLError) in }
    ) throws(ETLError) {
        try connection.openingShadowTables { () throws(ETLError) in
            for table in tables {
                try begin()
                try connection.execute(
                    "DELETE FROM main.\(table); INSERT INTO main.\(table) SELECT * FROM \(source).\(table)")
            }
        }
    }
}
