import Books
package import Database
import Store
package import System

/// Reads the readings of a year.
package struct YearReviewReader {
    private let connection: Connection
    private let library: Int64?

    /// - Parameters:
    ///   - connection: A store opened for reading.
    ///   - library: The library; nil for all.
    /// - Throws: `.missing` if there is no such library.
    package init(_ connection: Connection, library: String?) throws(ETLError) {
        self.connection = connection
        self.library = try library.map { name throws(ETLError) in
            try LibraryNames(connection).id(of: name)
        }
    }

    /// Reads a year in one consistent state of the store.
    ///
    /// - Parameter name: The name of the library.
    package func read(_ year: Int, of name: String?) throws(ETLError) -> YearReview {
        try connection.snapshot { () throws(ETLError) in
            var review = YearReview(year, library: name)
            let readings = try readings(in: year)
            review.readings = readings.map(\.reading)
            review.before = try self.readings(in: year - 1).count
            let authors = Set(readings.compactMap(\.author))
            let known = try authorsRead(before: year, among: authors)
            for reading in readings {
                guard let author = reading.author, !known.contains(author),
                    !review.newAuthors.contains(reading.reading.author)
                else { continue }
                review.newAuthors.append(reading.reading.author)
            }
            review.years = try years()
            return review
        }
    }

    private static let isOfLibrary = "(?1 IS NULL OR e.library = ?1)"
    private static let year = "CAST(substr(\(StatisticsReader.ending), 1, 4) AS INTEGER)"
    private static let tables = StatisticsReader.tables
    private static let hasYear = StoredReadings.hasPlausibleYear(StatisticsReader.ending)
    private static let isDated = "\(StatisticsReader.isRead) AND \(hasYear)"

    /// A reading, with the row ids of its entry and of the first author.
    private struct Found {
        var entry: Int64
        var book: LibraryBook
        var author: Int64?
        var reading: YearReview.Reading
    }

    private func rows(_ sql: String) throws(ETLError) -> Statement {
        let rows = try connection.query(sql)
        if let library { rows.bind(1, library) }
        return rows
    }

    private func readings(in year: Int) throws(ETLError) -> [Found] {
        let rows = try rows(
            """
            SELECT e.id, e.library, w.id, a.id, \(StatisticsReader.title), a.name, \(StatisticsReader.ending), d.page_count,
                e.rating, d.language, a.nationality, w.genres, coalesce(d.cover, w.cover)
            FROM \(Self.tables) \(StatisticsReader.firstAuthor) \(StatisticsReader.endings)
            WHERE \(Self.isOfLibrary) AND \(Self.isDated) AND \(Self.year) = ?2 ORDER BY 7, e.id
            """)
        rows.bind(2, year)
        var found: [Found] = []
        var counts: [LibraryBook: [Int64: Int]] = [:]
        while try rows.next() {
            var row = RowCursor(rows)
            let (entry, book) = (row.integer(), LibraryBook(library: row.integer(), work: row.integer()))
            let author = row.optionalInteger().map { Int64($0) }
            found.append(
                Found(
                    entry: entry, book: book, author: author,
                    reading: .init(
                        title: row.text() ?? "", author: row.text() ?? "", day: row.text() ?? "",
                        pages: row.optionalInteger(), rating: row.optionalNumber(), language: row.text(),
                        nationality: row.text(), genres: row.list(), cover: row.text())))
            counts[book, default: [:]][entry, default: 0] += 1
        }
        // Of a book in several entries, those of the entry with the most; of equal ones, of the oldest.
        let chosen = counts.mapValues { entries in
            entries.max { ($0.value, $1.key) < ($1.value, $0.key) }?.key
        }
        return found.filter { chosen[$0.book] == $0.entry }
    }

    /// Those of some authors of whom a book was read before a year, or has no date in any of its entries.
    private func authorsRead(before year: Int, among authors: Set<Int64>) throws(ETLError) -> Set<Int64> {
        let rows = try rows(
            """
            SELECT a.id FROM \(Self.tables) \(StatisticsReader.firstAuthor)
            WHERE \(Self.isOfLibrary) AND \(StatisticsReader.isRead) AND a.id IN (SELECT value FROM json_each(?2))
            GROUP BY e.library, w.id
            HAVING NOT max(EXISTS (SELECT 1 FROM json_each(\(StatisticsReader.listOfEndings)) j WHERE \(Self.hasYear)))
                OR max(EXISTS (SELECT 1 FROM json_each(\(StatisticsReader.listOfEndings)) j
                    WHERE \(Self.hasYear) AND \(Self.year) < ?3))
            """)
        rows.bind(2, "[\(authors.map(String.init).joined(separator: ","))]")
        rows.bind(3, year)
        var known: Set<Int64> = []
        while try rows.next() { known.insert(rows.integer(0)) }
        return known
    }

    private func years() throws(ETLError) -> [Int] {
        let rows = try rows(
            """
            SELECT DISTINCT \(Self.year) FROM \(Self.tables) \(StatisticsReader.endings)
            WHERE \(Self.isOfLibrary) AND \(Self.isDated) ORDER BY 1
            """)
        var years: [Int] = []
        while try rows.next() { years.append(Int(rows.integer(0))) }
        return years
    }
}
