import Books
import Contract
package import Database
import Pipeline
import Store
package import System

/// Reads the contents of a library's page.
package struct LibraryReportReader {
    private let connection: Connection
    private let now: Int64
    private let most: Int
    private var library: Int64?
    private var repeated: RepeatedEntries?

    /// Books on a shelf of covers.
    private static let cards = 12

    /// - Parameters:
    ///   - connection: A store opened for reading.
    ///   - now: Milliseconds since 1970.
    ///   - most: Maximum length of each list. It bounds the size of the page, whatever the size of the library.
    package init(_ connection: Connection, now: Int64, most: Int) {
        self.connection = connection
        self.now = now
        self.most = most
    }

    /// Reads the report in one consistent state of the store.
    ///
    /// - Parameter library: The library; nil for all.
    /// - Throws: `.missing` if there is no such library.
    package mutating func read(_ library: String? = nil) throws(ETLError) -> LibraryReport {
        if let library { self.library = try LibraryNames(connection).id(of: library) }
        var reader = self
        return try connection.snapshot { () throws(ETLError) in
            reader.repeated = try RepeatedEntries(of: reader.library, in: reader.connection)
            var statistics = StatisticsReader(reader.connection, now: reader.now, most: reader.most)
            statistics.repeated = reader.repeated
            var report = LibraryReport(statistics: try statistics.read(library), writtenAt: reader.now)
            report.latest = try reader.cards(
                StoredReadings.hasPlausibleYear("e.date_read"), "e.date_read DESC")
            report.favorites = try reader.cards("e.rating >= 4", "e.rating DESC, e.date_read DESC")
            let jobs = try JobTable(reader.connection).all().filter { job in
                job.undoneBy == nil && (library == nil || job.library == library)
            }
            report.imports = reader.imports(jobs)
            report.run =
                jobs.lazy.compactMap { job in
                    job.runState.metrics.map { LibraryReport.MeasuredRun(job: job.name, metrics: $0) }
                }.first
            report.targets = try reader.targets(jobs)
            report.gaps = try reader.gaps()
            report.problems = try reader.problems()
            report.sources = try reader.sources()
            return report
        }
    }

    private static let entries = StatisticsReader.tables
    private static let author = StatisticsReader.firstAuthor
    private static let title = StatisticsReader.title
    private static let ofLibrary = "(?1 IS NULL OR e.library = ?1)"
    /// The same for one entry of each book.
    private var ofBooks: String { "\(Self.ofLibrary) AND \(repeated?.condition ?? "1")" }
    /// Whether an edition of the work `w` has a cover.
    private static let hasCover = """
        (w.cover IS NOT NULL OR EXISTS (SELECT 1 FROM editions d
            WHERE \(EditionsOfWork.condition(work: "w.id", alias: "d.")) AND d.cover IS NOT NULL))
        """
    /// Works of the library, each once.
    private static let works =
        "works w WHERE w.id IN (SELECT d.work FROM entries e JOIN editions d ON d.id = e.edition WHERE \(ofLibrary))"
    /// The same works with the title of the edition in the library's first entry of the work: SQLite takes columns
    /// that are not aggregated from the row with the minimum.
    private static let shownWorks = """
        (SELECT w.id, w.cover, w.quality, \(title) AS title, min(e.id) FROM \(entries) WHERE \(ofLibrary)
            GROUP BY w.id) w
        """
    /// Authors of these works, each once. The plus keeps SQLite from making an index by role alone, with which each
    /// work is compared with all contributors.
    private static let people = """
        authors a WHERE a.id IN (SELECT c.author FROM \(entries) JOIN contributors c
            ON \(ContributorIDs.condition(work: "w.id", alias: "c."))
            WHERE \(ofLibrary) AND +c.role = \(ContributorRole.author.rawValue))
        """

    private func visit(_ sql: String, _ body: (inout RowCursor) -> Void) throws(ETLError) {
        let rows = try connection.query(sql)
        if let library { rows.bind(1, library) }
        repeated?.bind(to: rows)
        while try rows.next() {
            var cursor = RowCursor(rows)
            body(&cursor)
        }
    }

    private func number(_ sql: String) throws(ETLError) -> Int {
        var number = 0
        try visit(sql) { number = Int($0.integer()) }
        return number
    }

    // MARK: Books

    private func cards(_ condition: String, _ order: String) throws(ETLError) -> [LibraryReport.Card] {
        var cards: [LibraryReport.Card] = []
        try visit(
            """
            SELECT \(Self.title), a.name, e.rating, coalesce(d.cover, w.cover) FROM \(Self.entries) \(Self.author)
            WHERE \(ofBooks) AND \(condition) ORDER BY \(order), 1, e.id LIMIT \(Self.cards)
            """
        ) { row in
            cards.append(
                .init(
                    title: row.text() ?? "", author: row.text() ?? "", rating: row.optionalNumber(),
                    cover: row.text()))
        }
        return cards
    }

    private func examples(_ sql: String) throws(ETLError) -> [LibraryReport.Example] {
        var examples: [LibraryReport.Example] = []
        try visit("\(sql) LIMIT \(most)") { row in
            examples.append(
                .init(name: row.text() ?? "", detail: row.text() ?? "", score: row.optionalInteger()))
        }
        return examples
    }

    // MARK: Imports

    private func imports(_ jobs: [Job]) -> [LibraryReport.Import] {
        jobs.lazy.filter { $0.hasRecords && $0.counts.totalProcessed > 0 }.prefix(most).map { job in
            LibraryReport.Import(
                name: job.name, startedAt: job.startedAt, created: job.counts.booksCreated,
                updated: job.counts.booksUpdated, unchanged: job.counts.duplicatesSkipped,
                rejected: job.counts.rejected, pending: job.pending)
        }
    }

    // MARK: Quality

    private func targets(_ jobs: [Job]) throws(ETLError) -> [LibraryReport.Target] {
        var counts = QualityCounts()
        try visit(
            "SELECT count(*), sum(d.providers IS NOT NULL) FROM \(Self.entries) WHERE \(Self.ofLibrary) AND d.isbn IS NOT NULL"
        ) { row in
            (counts.recordsWithISBN, counts.recordsMatched) = (Int(row.integer()), Int(row.integer()))
        }
        try visit("SELECT count(*), sum(\(Self.hasCover)), sum(w.quality) FROM \(Self.works)") { row in
            (counts.works, counts.worksWithCover) = (Int(row.integer()), Int(row.integer()))
            counts.qualityPoints = Int(row.integer())
        }
        let known = "(a.gender <> 0 OR a.region IS NOT NULL)"
        try visit("SELECT count(*), sum(\(known)) FROM \(Self.people)") { row in
            (counts.authors, counts.authorsEnriched) = (Int(row.integer()), Int(row.integer()))
        }
        let asked = jobs.filter(\.hasRecords).map(QualityMetrics.notLookedUp)
        let notLookedUp = asked.dropFirst().reduce(asked.first ?? []) { $0.intersection($1) }
        let threshold = Int(QualityTarget.meanQuality.threshold)
        let firstAuthor = """
            (SELECT p.name FROM contributors c JOIN authors p ON p.id = c.author WHERE c.id = \(ContributorIDs.first(of: "w.id")))
            """
        return try QualityTarget.allCases.map { target throws(ETLError) in
            let (misses, query): (Int, String) =
                switch target {
                case .isbnMatchRate:
                    (
                        counts.recordsWithISBN - counts.recordsMatched,
                        """
                        SELECT \(Self.title), ifnull(a.name || ', ', '') || d.isbn, NULL FROM \(Self.entries) \(Self.author)
                        WHERE \(Self.ofLibrary) AND d.isbn IS NOT NULL AND d.providers IS NULL ORDER BY 1, e.id
                        """
                    )
                case .coverAvailability:
                    (
                        counts.works - counts.worksWithCover,
                        """
                        SELECT w.title, \(firstAuthor), NULL FROM \(Self.shownWorks) WHERE NOT \(Self.hasCover)
                        ORDER BY 1, w.id
                        """
                    )
                case .authorEnrichment:
                    (
                        counts.authors - counts.authorsEnriched,
                        """
                        SELECT a.name, n.works, NULL
                        FROM (SELECT author, count(*) AS works FROM contributors GROUP BY author) n
                        JOIN \(Self.people) AND NOT \(known) AND a.id = n.author ORDER BY n.works DESC, 1, a.id
                        """
                    )
                case .meanQuality:
                    (
                        try number(
                            "SELECT count(*) FROM \(Self.works) AND w.quality <= \(threshold)"),
                        """
                        SELECT w.title, \(firstAuthor), w.quality FROM \(Self.shownWorks)
                            WHERE w.quality <= \(threshold) ORDER BY w.quality, 1, w.id
                        """
                    )
                }
            return LibraryReport.Target(
                target: target, metric: counts[target], isLookedUp: !notLookedUp.contains(target),
                misses: misses, examples: misses > 0 ? try examples(query) : [])
        }
    }

    /// Qualities of a good record, and the condition for lacking each.
    private static let wanted: [(name: String, condition: String)] = [
        ("ISBN", "d.isbn IS NULL"), ("Author", "c.id IS NULL"), ("Number of pages", "d.page_count IS NULL"),
        ("Year of first publication", "w.first_publication_year IS NULL"), ("Genre", "w.genres IS NULL"),
        ("Language", "d.language IS NULL"),
    ]

    private func gaps() throws(ETLError) -> [LibraryReport.Gap] {
        var gaps: [LibraryReport.Gap] = []
        for (name, condition) in Self.wanted {
            let rest = "FROM \(Self.entries) \(Self.author) WHERE \(ofBooks) AND \(condition)"
            let books = try number("SELECT count(*) \(rest)")
            guard books > 0 else { continue }
            let first = try examples("SELECT \(Self.title), a.name, NULL \(rest) ORDER BY 1, e.id")
            gaps.append(.init(name: name, books: books, examples: first))
        }
        return gaps
    }

    // MARK: Problems

    /// The first row of the first job: SQLite takes columns that are not aggregated from the row with the minimum.
    private static let first = "min(p.job << 40 | p.row)"

    private func problems() throws(ETLError) -> [LibraryReport.Problem] {
        var problems: [LibraryReport.Problem] = []
        for table in ["rejects", "warnings"] {
            try visit(
                """
                SELECT p.code, count(*), \(Self.first), j.name, p.row, p.value, p.message FROM \(table) p
                JOIN jobs j ON j.id = p.job WHERE (?1 IS NULL OR j.library = ?1) AND j.undone_by IS NULL
                GROUP BY p.code ORDER BY 2 DESC, 1 LIMIT \(most)
                """
            ) { row in
                let (code, records) = (row.text() ?? "", Int(row.integer()))
                _ = row.integer()
                let (job, number) = (row.text() ?? "", row.integer())
                let (value, message) = (row.text() ?? "", row.text() ?? "")
                let reason = ReasonCode(rawValue: code)
                let advice: UserText =
                    table == "rejects" && reason?.isSetAside != true
                    ? " \(UserCommand.errorTable(job: job)) writes the rows to a file to correct."
                    : ""
                problems.append(
                    .init(
                        kind: table == "warnings"
                            ? .warning : reason?.isSetAside == true ? .setAside : .rejected,
                        code: code, records: records, meaning: reason?.sentence ?? message,
                        advice: (reason?.advice ?? "") + advice,
                        example: "\(job), row \(number)" + (value.isEmpty ? "" : ": \(value.prefix(80))")))
            }
        }
        try visit(
            """
            SELECT p.reasons, count(*), \(Self.first), j.name, p.row FROM pending p JOIN jobs j ON j.id = p.job
            WHERE (?1 IS NULL OR j.library = ?1) AND j.undone_by IS NULL
            GROUP BY p.reasons ORDER BY 2 DESC, 1 LIMIT \(most)
            """
        ) { row in
            let (reasons, records, _) = (row.text() ?? "", Int(row.integer()), row.integer())
            problems.append(
                .init(
                    kind: .pending, code: reasons, records: records,
                    meaning: "A service has not answered, or a decision is not applied yet.",
                    advice: "Ask again with \(UserCommand.retry).",
                    example: "\(row.text() ?? ""), row \(row.integer())"))
        }
        return problems
    }

    // MARK: Providers

    private func sources() throws(ETLError) -> [LibraryReport.Source] {
        var sources: [LibraryReport.Source] = []
        try visit(
            """
            SELECT p.value, count(*) FROM (SELECT w.providers FROM \(Self.works)) w, json_each(w.providers) p
            GROUP BY 1 ORDER BY 2 DESC, 1 LIMIT \(most)
            """
        ) { sources.append(.init(name: $0.text() ?? "", works: Int($0.integer()))) }
        let none = try number("SELECT count(*) FROM \(Self.works) AND w.providers IS NULL")
        return sources + (none > 0 ? [.init(name: "", works: none)] : [])
    }
}
