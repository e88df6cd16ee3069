/// Fills a full-text index, document by document in ascending places, then its words.
final class FullTextWriter {
    private let connection: Connection
    private let insertText: Statement
    private let insertDocument: Statement
    private let titles: KeySorter

    /// - Parameter connection: A database with the tables of ``FullTextSchema`` as its main one, in a transaction.
    init(_ connection: Connection) throws(SQLiteError) {
        self.connection = connection
        insertText = try connection.prepare("INSERT INTO main.search(rowid, title, author) VALUES (?,?,?)")
        insertDocument = try connection.prepare("INSERT INTO main.search_document VALUES (?,?,?)")
        titles = KeySorter(connection, name: "whole_title")
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
            try titles.add(Self.key(ofTitle: title), place)
        }
    }

    /// The key of a whole folded title.
    static func key(ofTitle title: String) -> Int64 { Int64(bitPattern: KeyHash.hash(Array(title.utf8))) }

    /// Writes whole titles and words: of all documents, those of earlier runs among them.
    ///
    /// - Parameter countRow: Called for each word; what it throws ends the writing.
    func finish(_ countRow: () throws(SQLiteError) -> Void = {}) throws(SQLiteError) {
        try KeyBlockReader.visit("main.search_title", in: connection) { item throws(SQLiteError) in
            try titles.add(item.key, item.value)
        }
        try write(titles, to: "main.search_title")
        try writeWords(countRow)
    }

    private func writeWords(_ countRow: () throws(SQLiteError) -> Void) throws(SQLiteError) {
        try connection.execute(
            """
            DELETE FROM main.search_term;
            CREATE VIRTUAL TABLE temp.words USING fts5vocab(main, search, row);
            """)
        let typos = KeySorter(connection, name: "typo")
        let insert = try connection.prepare("INSERT INTO main.search_term VALUES (?,?,?)")
        var (number, block, first) = (0 as Int64, [] as [UInt8], [] as [UInt8])
        func writeBlock(upTo end: Int64) throws(SQLiteError) {
            insert.bind(1, (end - 1) / Int64(WordBlock.mostWords))
            insert.bind(3, blob: block)
            try first.lend { first throws(SQLiteError) in
                insert.bind(2, textInPlace: first)
                try insert.run()
            }
            block.removeAll(keepingCapacity: true)
        }
        let words = try connection.prepare("SELECT term, doc FROM temp.words")
        while try words.step() {
            try countRow()
            let (word, documents) = (words.bytes(0), words.integer(1))
            if block.isEmpty { first = word }
            word.withUnsafeBytes { WordBlock.append($0, documents: documents, to: &block) }
            for key in TypoKeys.ofTerm(word) { try typos.add(key, number) }
            number += 1
            if number % Int64(WordBlock.mostWords) == 0 { try writeBlock(upTo: number) }
        }
        if !block.isEmpty { try writeBlock(upTo: number) }
        try connection.execute("DROP TABLE temp.words")
        try write(typos, to: "main.search_typo")
    }

    /// Writes what was sorted in the place of what a table held.
    private func write(_ sorter: KeySorter, to table: String) throws(SQLiteError) {
        try connection.execute("DELETE FROM \(table)")
        var writer = try KeyBlockWriter(connection, table: table)
        try sorter.finish { item throws(SQLiteError) in try writer.append(item) }
        try writer.finish()
    }
}
