public import BooksTrack

#if canImport(SQLite3)
import SQLite3
#else
import CSQLite
#endif

/// A shelf in a file of SQLite.
public actor SQLiteShelf: BookRepository {
    /// A stored book, and its row; nil if it is new.
    public struct Row: Sendable, Hashable {
        var id: Int64?
        /// The book.
        public var book: ShelfBook
    }

    private static let columns = "title, authors, isbn, pages, cover, note"
    private let database: SQLiteFile

    /// Opens a shelf, or begins one.
    public init(path: String) throws(SQLiteFile.Failure) {
        database = try SQLiteFile(path)
        try database.run(
            """
            CREATE TABLE IF NOT EXISTS book (
                id INTEGER PRIMARY KEY, identity TEXT NOT NULL, title_identity TEXT NOT NULL,
                title TEXT NOT NULL, authors TEXT NOT NULL, isbn TEXT, pages INTEGER, cover TEXT,
                note TEXT NOT NULL)
            """)
        try database.run("CREATE INDEX IF NOT EXISTS book_identity ON book (identity)")
        try database.run("CREATE INDEX IF NOT EXISTS book_title ON book (title_identity)")
    }

    /// The stored model of a book: the one with its ISBN. If one of them has no ISBN, title and author decide.
    public func stored(like book: Book) throws(SQLiteFile.Failure) -> Row? {
        let rows = try database.run(
            """
            SELECT id, \(Self.columns) FROM book
            WHERE identity = ?1 OR (title_identity = ?2 AND (isbn IS NULL OR ?3))
            ORDER BY identity = ?1 DESC, id LIMIT 1
            """,
            [.text(book.identity), .text(book.titleIdentity), .integer(book.hasISBN ? 0 : 1)])
        return rows.first.map { Row(id: $0[0].integer, book: ShelfBook(row: $0.dropFirst())) }
    }

    /// A new model of a book.
    public nonisolated func make(from book: Book) -> Row { Row(id: nil, book: ShelfBook(book)) }

    /// A stored model with the additions of a book.
    public nonisolated func merge(_ book: Book, into model: Row) -> Row {
        var model = model
        model.book.add(book)
        return model
    }

    /// Stores models, all or none.
    public func save(_ models: [Row]) throws(SQLiteFile.Failure) {
        try database.run("BEGIN IMMEDIATE")
        do throws(SQLiteFile.Failure) {
            for model in models {
                let book = model.book
                // The service's rule for which books are the same decides the row.
                let known = Book(isbn: book.isbn ?? "", title: book.title, authors: book.authors)
                try database.run(
                    """
                    INSERT OR REPLACE INTO book (id, identity, title_identity, \(Self.columns))
                    VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)
                    """,
                    [
                        .optional(model.id), .text(known.identity), .text(known.titleIdentity),
                        .text(book.title), .text(book.authors.joined(separator: "\n")), .optional(book.isbn),
                        .optional(book.pages.map(Int64.init)), .optional(book.cover), .text(book.note),
                    ])
            }
            try database.run("COMMIT")
        } catch {
            _ = try? database.run("ROLLBACK")
            throw error
        }
    }

    /// All books, by title.
    public func books() throws(SQLiteFile.Failure) -> [ShelfBook] {
        try database.run("SELECT \(Self.columns) FROM book ORDER BY title, id").map {
            ShelfBook(row: $0[...])
        }
    }

    /// Writes the user's words about a book.
    public func note(_ text: String, on isbn: String) throws(SQLiteFile.Failure) {
        try database.run("UPDATE book SET note = ?1 WHERE isbn = ?2", [.text(text), .text(isbn)])
    }
}

extension ShelfBook {
    /// A book from the columns of its row.
    fileprivate init(row: ArraySlice<SQLiteFile.Value>) {
        let values = Array(row)
        self.init(
            Book(
                isbn: values[2].text ?? "", title: values[0].text ?? "",
                authors: (values[1].text ?? "").split(separator: "\n").map(String.init)))
        pages = values[3].integer.map { Int($0) }
        cover = values[4].text
        note = values[5].text ?? ""
    }
}
