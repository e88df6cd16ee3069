package import Books
import Contract
package import Database
package import Store
package import System

/// Looks through a store's entries, the latest first, page by page.
package struct LibraryBrowser {
    /// An entry with its book.
    package struct Item: Sendable, Hashable {
        /// Its number; later entries have higher ones.
        package var number: Int64
        package var library: String
        /// The public key of the work.
        package var key: String
        package var title: String
        /// The title's language, if it is that of the edition: a code such as `pt`.
        package var language: String?
        package var authors: [String]
        package var series: [StoredSeries]
        package var year: Int?
        package var isbn: String?
        /// The user's rating.
        package var rating: Double?
        /// The reading status: `read`.
        package var shelf: String?
        /// As stored: `2026-11-30`, or a part of it, or text.
        package var dateAdded: String?
        /// The end of the last reading, in the same way.
        package var dateRead: String?
        /// The file of its cover, without the ending (``CoverName``).
        package var cover: String
    }

    /// Entries, and where the next page begins.
    package struct Page: Sendable, Hashable {
        package var items: [Item]
        /// The number before which the next page begins; nil if this is the last one.
        package var next: Int64?

        package init(items: [Item], next: Int64?) {
            self.items = items
            self.next = next
        }
    }

    private let connection: Connection

    /// - Parameter connection: A store opened for reading.
    package init(_ connection: Connection) { self.connection = connection }

    /// The numbers of the entries whose edition has an ISBN.
    package func entries(with isbn: ISBN) throws(ETLError) -> Set<Int64> {
        let rows = try connection.query(
            "SELECT id FROM entries WHERE edition IN (SELECT value FROM edition_isbns WHERE key = ?1)",
            isbn.value)
        var numbers: Set<Int64> = []
        while try rows.next() { numbers.insert(rows.integer(0)) }
        return numbers
    }

    /// The names of the libraries with the number of their entries.
    package func libraries() throws(ETLError) -> [(name: String, count: Int)] {
        let rows = try connection.query(
            """
            SELECT l.name, count(e.id) FROM libraries l LEFT JOIN entries e ON e.library = l.id
            GROUP BY l.id ORDER BY l.name
            """)
        var libraries: [(name: String, count: Int)] = []
        while try rows.next() { libraries.append((rows.string(0), Int(rows.integer(1)))) }
        return libraries
    }

    /// A page.
    ///
    /// - Parameters:
    ///   - library: The library; nil for all.
    ///   - number: Only entries before this one; nil for the latest.
    ///   - count: Maximum number of entries.
    package func page(
        of library: String?, before number: Int64?, count: Int
    ) throws(ETLError) -> Page {
        try connection.snapshot { () throws(ETLError) -> Page in
            // Found by row id, however many entries there are.
            let rows = try connection.query(
                """
                \(Self.select) WHERE e.id < ?1 AND (?2 IS NULL OR l.name = ?2) ORDER BY e.id DESC LIMIT ?3
                """, number ?? Int64.max, library, count + 1)
            let contributors = try ContributorReader(connection)
            var items: [Item] = []
            while try rows.next() { items.append(try Self.item(rows, contributors)) }
            guard items.count > count else { return Page(items: items, next: nil) }
            items.removeLast()
            return Page(items: items, next: items.last?.number)
        }
    }

    /// The entries with some numbers, in their order. Those that were removed meanwhile are left out.
    package func items(_ numbers: [Int64]) throws(ETLError) -> [Item] {
        try connection.snapshot { () throws(ETLError) -> [Item] in
            let row = try connection.query("\(Self.select) WHERE e.id = ?1")
            let contributors = try ContributorReader(connection)
            var items: [Item] = []
            for number in numbers {
                row.bind(1, number)
                if try row.next() { items.append(try Self.item(row, contributors)) }
                row.reset()
            }
            return items
        }
    }

    private static let select = """
        SELECT e.id, l.name, w.key, ifnull(\(ShownTitle.sql), ''), w.first_publication_year, d.isbns, e.rating,
            e.shelf, w.id, e.date_added, e.date_read, iif(d.title IS NULL, NULL, d.language),
            w.series, d.isbn, d.key
        FROM entries e CROSS JOIN libraries l ON l.id = e.library
        CROSS JOIN editions d ON d.id = e.edition CROSS JOIN works w ON w.id = d.work
        """

    private static func item(_ row: Statement, _ contributors: ContributorReader) throws(ETLError) -> Item {
        let isbns = row.withBytes(5) { StoredList.strings($0) }
        let title = row.string(3)
        return Item(
            number: row.integer(0), library: row.string(1), key: row.string(2),
            // Of some books only the ISBN is known.
            title: title.isEmpty ? isbns.first.map { "ISBN \($0)" } ?? row.string(2) : title,
            language: row.optionalString(11),
            authors: try contributors.authors(of: row.integer(8)).map(\.name),
            series: StoredSeries.read(row.optionalString(12) ?? ""),
            year: row.optionalInteger(4).map { Int($0) }, isbn: isbns.first,
            rating: row.isNull(6) ? nil : row.double(6), shelf: row.optionalString(7),
            dateAdded: row.optionalString(9), dateRead: row.optionalString(10),
            cover: CoverName.of(isbn: row.optionalInteger(13), key: row.string(14)))
    }
}
