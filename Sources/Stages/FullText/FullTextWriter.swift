/// Fills a full-text index, document by document in ascending places, then its words.
final class FullTextWriter {
    private let connection: Connection
    private let insertText: Statement
    private let insertDocument: Statement
    private let insertTitle: Statement

    /// - Parameter connection: A database with the tables of ``FullTextSchema`` as its main one, in a transaction.
    init(_ connection: Connection) throws(SQLiteError) {
        self.connection = connection
        insertText = try connection.prepare("INSERT INTO main.search(rowid, title, author) VALUES (?,?,?)")
        insertDocument = try connection.prepare("INSERT INTO main.search_document VALUES (?,?,?)")
        try connection.execute("CREATE TEMP TABLE IF NOT EXISTS whole_title(key INTEGER, place INTEGER)")
        insertTitle = try connection.prepare("INSERT INTO temp.whole_title VALUES (?,?)")
    }

    /// Appends a document.
    func append(
        place: Int64, document: Int64, editions: Int64, _ text: SearchText
    ) throws(SQLiteError) {
        let whole = text.wholeTitle
        insertText.bind(1, place)
        insertText.bind(2, ([whole] + text.otherTitles).joined(separator: " "))
        insertText.bind(3, text.author)
        try insertText.run()
        insertDocument.bind(1, place)
        insertDocument.bind(2, document)
        insertDocument.bind(3, editions)
        try insertDocument.run()
        let own = text.subtitle.isEmpty ? [whole] : [whole, text.title]
        for title in own + text.otherTitles where !title.isEmpty {
            insertTitle.bind(1, Self.key(ofTitle: title))
            insertTitle.bind(2, place)
            try insertTitle.run()
        }
    }

    /// The key of a whole folded title.
    static func key(ofTitle title: String) -> Int64 { Int64(bitPattern: KeyHash.hash(Array(title.utf8))) }

    /// Writes whole titles and words: of all documents, those of earlier runs among them.
    ///
    /// - Parameter countRow: Called for each word; what it throws ends the writing.
    func finish(_ countRow: () throws(SQLiteError) -> Void = {}) throws(SQLiteError) {
        try connection.execute(
            """
            INSERT OR IGNORE INTO main.search_title SELECT key, place FROM temp.whole_title ORDER BY 1, 2;
            DROP TABLE temp.whole_title;
            DELETE FROM main.search_term;
            DELETE FROM main.search_typo;
            CREATE VIRTUAL TABLE temp.words USING fts5vocab(main, search, row);
            INSERT INTO main.search_term SELECT term, doc FROM temp.words;
            DROP TABLE temp.words;
            CREATE TEMP TABLE typo(key INTEGER, term TEXT);
            """)
        let words = try connection.prepare("SELECT term FROM main.search_term")
        let insert = try connection.prepare("INSERT INTO temp.typo VALUES (?,?)")
        while try words.step() {
            try countRow()
            let word = words.bytes(0)
            for key in TypoKeys.ofTerm(word) {
                insert.bind(1, key)
                try word.lend { word throws(SQLiteError) in
                    insert.bind(2, textInPlace: word)
                    try insert.run()
                }
            }
        }
        try connection.execute(
            """
            INSERT OR IGNORE INTO main.search_typo SELECT key, term FROM temp.typo ORDER BY 1, 2;
            DROP TABLE temp.typo;
            """)
    }
}
