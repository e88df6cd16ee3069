import Books
import Contract
package import Database
import Store
package import System

/// Computes the figures of a library.
package struct StatisticsReader {
    private let connection: Connection
    private let now: Int64
    private let most: Int
    private var library: Int64?
    /// The entries that do not count. Read with the figures, unless the caller has them.
    var repeated: RepeatedEntries?

    /// - Parameters:
    ///   - connection: A store opened for reading.
    ///   - now: Milliseconds since 1970, for how long books have waited.
    ///   - most: Maximum length of lists of books, authors, genres and the like. What is not known is always
    ///     among them.
    package init(_ connection: Connection, now: Int64, most: Int) {
        self.connection = connection
        self.now = now
        self.most = most
    }

    /// Reads the figures in one consistent state of the store.
    ///
    /// - Parameter library: The library; nil for all.
    /// - Throws: `.missing` if there is no such library.
    package mutating func read(_ library: String? = nil) throws(ETLError) -> LibraryStatistics {
        if let library { self.library = try LibraryNames(connection).id(of: library) }
        var reader = self
        return try connection.snapshot { () throws(ETLError) in
            if reader.repeated == nil {
                reader.repeated = try RepeatedEntries(of: reader.library, in: reader.connection)
            }
            var statistics = LibraryStatistics(library: library)
            try reader.readTotals(into: &statistics)
            try reader.readYears(into: &statistics)
            try reader.readRatings(into: &statistics)
            try reader.readGroups(into: &statistics)
            try reader.readLists(into: &statistics)
            return statistics
        }
    }

    // MARK: Queries

    /// Entries with their books.
    static let tables =
        "entries e JOIN editions d ON d.id = e.edition JOIN works w ON w.id = d.work"
    private static let dated = StoredReadings.hasPlausibleYear("e.date_read")
    static let isRead = """
        ifnull(e.shelf = 'read' OR e.read_count > iif(e.shelf = 'currently-reading', 1, 0) OR (\(dated) AND ifnull(e.shelf, '') <> 'did-not-finish'), 0)
        """
    package static let firstAuthor =
        "LEFT JOIN contributors c ON c.id = \(ContributorIDs.first(of: "w.id")) LEFT JOIN authors a ON a.id = c.author"
    static let title = "ifnull(\(ShownTitle.sql), d.key)"

    /// The ends of all readings of an entry: dates, or intervals that end with one (``StoredReadings``).
    static let endings = ", json_each(\(listOfEndings)) j"
    static let listOfEndings = """
        iif(e.earlier_readings IS NULL, json_array(e.date_read), iif(e.date_read IS NULL OR
            \(StoredReadings.isGoingOn("e")) AND \(StoredReadings.isListed("e")),
            e.earlier_readings, json_insert(e.earlier_readings, '$[#]', e.date_read)))
        """
    static let ending = "substr(j.value, instr(j.value, '/') + 1)"
    /// Number of times that a book was read.
    static let times = "max(ifnull(e.read_count, 0), json_array_length(\(listOfEndings)))"

    /// Passes the rows of a query about the library's books: of the entries of one book, one is read.
    private func visit(
        _ columns: String, _ rest: String = "", join: String = "", where condition: String = "1",
        _ body: (inout RowCursor) -> Void
    ) throws(ETLError) {
        try visit(
            sql: """
                SELECT \(columns) FROM \(Self.tables) \(join)
                WHERE (?1 IS NULL OR e.library = ?1) AND \(repeated?.condition ?? "1") AND (\(condition)) \(rest)
                """, body)
    }

    private func visit(sql: String, _ body: (inout RowCursor) -> Void) throws(ETLError) {
        let rows = try connection.query(sql)
        if let library { rows.bind(1, library) }
        repeated?.bind(to: rows)
        while try rows.next() {
            var cursor = RowCursor(rows)
            body(&cursor)
        }
    }

    private func readTotals(into statistics: inout LibraryStatistics) throws(ETLError) {
        try visit(
            "count(*), count(DISTINCT w.id), sum(\(Self.isRead)), sum(iif(\(Self.isRead), d.page_count, 0)), avg(e.rating)"
        ) { row in
            statistics.books = Int(row.integer())
            statistics.entries = statistics.books + (repeated?.count ?? 0)
            statistics.works = Int(row.integer())
            statistics.read = Int(row.integer())
            statistics.pages = Int(row.integer())
            statistics.rating = row.optionalNumber()
        }
        try visit(
            "count(DISTINCT p.author)",
            join: "JOIN contributors p ON \(ContributorIDs.condition(work: "w.id", alias: "p."))",
            where: "p.role IN (0, 1)"
        ) { statistics.authors = Int($0.integer()) }
        statistics.statuses = try groups(by: "e.shelf")
    }

    private func readYears(into statistics: inout LibraryStatistics) throws(ETLError) {
        // Of a book in several entries, a year has the readings of the entry with the most.
        let ofEntries = """
            SELECT e.id, e.library, w.id AS work, CAST(substr(\(Self.ending), 1, 4) AS INTEGER) AS year, count(*) AS times,
                d.page_count AS pages, e.rating FROM \(Self.tables) \(Self.endings)
            WHERE (?1 IS NULL OR e.library = ?1) AND \(Self.isRead) AND \(StoredReadings.hasPlausibleYear(Self.ending))
            GROUP BY e.id, year
            """
        try visit(
            sql: """
                SELECT year, sum(times), sum(times * ifnull(pages, 0)), sum(iif(pages IS NULL, times, 0)),
                    sum(1.0 * times * rating) / sum(iif(rating IS NULL, 0, times))
                FROM (SELECT *, row_number() OVER (PARTITION BY library, work, year ORDER BY times DESC, id) AS place
                    FROM (\(ofEntries)))
                WHERE place = 1 GROUP BY year ORDER BY year
                """
        ) { row in
            statistics.years.append(
                .init(
                    year: Int(row.integer()), books: Int(row.integer()), pages: Int(row.integer()),
                    withoutPages: Int(row.integer()), rating: row.optionalNumber()))
        }
        try visit("count(*)", where: "\(Self.isRead) AND NOT ifnull(\(Self.dated), 0)") {
            statistics.readWithoutDate = Int($0.integer())
        }
    }

    private func readRatings(into statistics: inout LibraryStatistics) throws(ETLError) {
        try visit("e.rating, count(*)", "GROUP BY 1 ORDER BY 1", where: "e.rating IS NOT NULL") { row in
            statistics.ratings.append(.init(stars: row.optionalNumber() ?? 0, books: Int(row.integer())))
        }
        let both = "e.rating IS NOT NULL AND d.average_rating IS NOT NULL"
        try visit("count(*), avg(e.rating), avg(d.average_rating)", where: both) { row in
            statistics.compared = Int(row.integer())
            statistics.comparedRating = row.optionalNumber()
            statistics.comparedAverage = row.optionalNumber()
        }
        let columns = "\(Self.title), a.name, e.rating, d.average_rating"
        for (isAbove, order) in [(true, "DESC"), (false, "ASC")] {
            let condition = "\(both) AND e.rating \(isAbove ? ">" : "<") d.average_rating"
            var books: [LibraryStatistics.Book] = []
            try visit(
                columns, "ORDER BY e.rating - d.average_rating \(order), 1, e.id LIMIT \(most)",
                join: Self.firstAuthor, where: condition
            ) { row in
                books.append(
                    .init(
                        title: row.text() ?? "", author: row.text() ?? "", rating: row.optionalNumber(),
                        averageRating: row.optionalNumber()))
            }
            if isAbove { statistics.above = books } else { statistics.below = books }
        }
    }

    private func readGroups(into statistics: inout LibraryStatistics) throws(ETLError) {
        statistics.genres = try groups(by: "g.value", join: ", json_each(w.genres) g")
        let ungrouped = try groups(by: "NULL", where: "w.genres IS NULL")
        statistics.genres = statistics.genres.prefix(most) + ungrouped
        statistics.languages = shortened(try groups(by: "d.language"))
        let decades = try groups(by: Self.decade)
        statistics.decades = decades.sorted { (Int($0.name) ?? .max) < (Int($1.name) ?? .max) }
        statistics.topAuthors = Array(
            try groups(by: "a.name", join: Self.firstAuthor, where: "a.id IS NOT NULL").prefix(most))
        let person = Self.firstAuthor
        statistics.genders = named(
            try groups(by: "nullif(a.gender, 0)", join: person), AuthorGender.allCases.map(\.contractName))
        statistics.regions = named(
            try groups(by: "a.region", join: person), CulturalRegion.allCases.map(\.contractName))
        statistics.nationalities = shortened(try groups(by: "a.nationality", join: person))
    }

    /// The first year of a decade; also right before the common era.
    private static let decade =
        "w.first_publication_year - ((w.first_publication_year % 10) + 10) % 10"

    private func readLists(into statistics: inout LibraryStatistics) throws(ETLError) {
        var gaps = SeriesGaps()
        try visit("w.series", where: "w.series IS NOT NULL") { row in
            gaps.note(StoredSeries.read(row.text() ?? ""))
        }
        statistics.series = gaps.found(most)
        try visit(
            "\(Self.title), a.name, e.rating, \(Self.times)",
            "ORDER BY 4 DESC, 1, e.id LIMIT \(most)",
            join: Self.firstAuthor, where: "\(Self.times) > 1"
        ) { row in
            statistics.rereads.append(
                .init(
                    title: row.text() ?? "", author: row.text() ?? "", rating: row.optionalNumber(),
                    times: Int(row.integer())))
        }
        try visit(
            """
            \(Self.title), a.name, e.date_added,
            CAST(julianday(\(now) / 1000.0, 'unixepoch') - julianday(substr(e.date_added || '-01-01', 1, 10)) AS INTEGER)
            """, "ORDER BY e.date_added, 1, e.id LIMIT \(most)", join: Self.firstAuthor,
            where: "e.shelf = 'to-read' AND e.date_added GLOB '[0-9][0-9][0-9][0-9]*'"
        ) { row in
            statistics.waits.append(
                .init(
                    title: row.text() ?? "", author: row.text() ?? "", dateAdded: row.text(),
                    days: row.optionalInteger().map { max(0, $0) }))
        }
    }

    // MARK: Groups

    /// The books by a value, the largest group first. A missing value is a group without a name.
    private func groups(
        by value: String, join: String = "", where condition: String = "1"
    ) throws(ETLError) -> [LibraryStatistics.Group] {
        var groups: [LibraryStatistics.Group] = []
        try visit(
            "\(value), count(*), sum(\(Self.isRead)), avg(e.rating)", "GROUP BY 1 ORDER BY 2 DESC, 1",
            join: join,
            where: condition
        ) { row in
            let name = row.text() ?? ""
            let books = Int(row.integer())
            guard books > 0 else { return }
            groups.append(
                .init(name: name, books: books, read: Int(row.integer()), rating: row.optionalNumber()))
        }
        return groups
    }

    /// The largest groups, and the one without a name.
    private func shortened(_ groups: [LibraryStatistics.Group]) -> [LibraryStatistics.Group] {
        groups.filter { !$0.name.isEmpty }.prefix(most) + groups.filter(\.name.isEmpty)
    }

    private func named(_ groups: [LibraryStatistics.Group], _ names: [String]) -> [LibraryStatistics.Group] {
        let named = groups.map { group in
            var group = group
            group.name = Int(group.name).flatMap { names.indices.contains($0) ? names[$0] : nil } ?? ""
            return group
        }
        return shortened(named)
    }
}
