import Contract
import Queries

/// The text output of `etl stats`.
struct StatisticsReport {
    private let statistics: LibraryStatistics
    private let console: Console
    /// The option that names the store in commands.
    private let option: String
    /// Columns of the longest bar.
    private let barWidth: Int

    init(_ statistics: LibraryStatistics, of store: String, _ console: Console) {
        self.statistics = statistics
        option = DefaultPaths.option(store: store)
        self.console = console
        barWidth = min(40, max(10, (console.width ?? 80) / 3))
    }

    func write() throws(CommandFailure) {
        try writeTotals()
        try writeYears()
        try writeRatings()
        try write("genres", statistics.genres)
        try write("languages", statistics.languages)
        try write("first published", statistics.decades.map(Self.decade))
        try write("authors", statistics.topAuthors)
        try write("gender of the first author", statistics.genders)
        try write("region of the first author", statistics.regions)
        try write("nationality of the first author", statistics.nationalities)
        try writeSeries()
        try writeBooks("read again", statistics.rereads, [.init("times", .right)]) { [Self.count($0.times)] }
        try writeBooks(
            "waiting longest to be read", statistics.waits,
            [.init("added", isNeverCut: true), .init("waiting", isNeverCut: true)]
        ) { [$0.dateAdded ?? "", $0.days.map(LibraryReportPage.span) ?? ""] }
    }

    private func head(_ title: String) throws(CommandFailure) {
        try console.write("\n" + console.style(.bold, title) + "\n")
    }

    private func writeTotals() throws(CommandFailure) {
        var list = DefinitionList()
        list.add(
            "books", HumanText.count(statistics.books),
            remarks: statistics.entries > statistics.books
                ? [
                    "counted once each, of \(HumanText.count(statistics.entries, "entry", plural: "entries")); `etl duplicates\(option)` lists those of one book"
                ] : [])
        list.add("works", HumanText.count(statistics.works), remarks: [])
        list.add("authors", HumanText.count(statistics.authors), remarks: [])
        list.add(
            "read", "\(HumanText.count(statistics.read)), \(HumanText.count(statistics.pages, "page"))",
            remarks: []
        )
        if let rating = statistics.rating {
            list.add("rating", "\(LibraryReportPage.stars(rating)) on average", remarks: [])
        }
        try console.write(list)
        try write("status", statistics.statuses, unknown: "none")
    }

    private func writeYears() throws(CommandFailure) {
        guard let first = statistics.years.first, let last = statistics.years.last else { return }
        try head("read by year")
        let byYear = Dictionary(statistics.years.map { ($0.year, $0.books) }) { $0 + $1 }
        // A date with a wrong century must not make a line of a thousand columns.
        if last.year - first.year < 100 {
            let line = Bar.sparkline((first.year...last.year).map { byYear[$0] ?? 0 })
            try console.write("\(first.year) \(line) \(last.year)\n")
        }
        var table = Table(
            .init("year", .right), .init("books", .right), .init("pages", .right), .init("rating", .right),
            .init("", isNeverCut: true))
        let most = statistics.years.map(\.books).max() ?? 0
        for year in statistics.years {
            table.add(
                String(year.year), HumanText.count(year.books), HumanText.count(year.pages),
                year.rating.map(LibraryReportPage.stars) ?? "",
                Bar.horizontal(year.books, of: most, width: barWidth))
        }
        if statistics.readWithoutDate > 0 {
            table.add(
                "no date", HumanText.count(statistics.readWithoutDate), "", "",
                Bar.horizontal(statistics.readWithoutDate, of: most, width: barWidth))
        }
        try console.write(table)
    }

    private func writeRatings() throws(CommandFailure) {
        guard !statistics.ratings.isEmpty else { return }
        try head("ratings")
        var table = Table(
            .init("stars", .right), .init("books", .right), .init("", isNeverCut: true))
        let most = statistics.ratings.map(\.books).max() ?? 0
        for rating in statistics.ratings.reversed() {
            table.add(
                LibraryReportPage.stars(rating.stars), HumanText.count(rating.books),
                Bar.horizontal(rating.books, of: most, width: barWidth))
        }
        try console.write(table)
        guard let own = statistics.comparedRating, let others = statistics.comparedAverage else { return }
        try console.writeText(
            "\(HumanText.count(statistics.compared, "book")) that others rated too: \(LibraryReportPage.stars(own)) by you, \(LibraryReportPage.stars(others)) by them."
        )
        let columns: [Table.Column] = [.init("yours", .right), .init("theirs", .right)]
        func cells(_ book: LibraryStatistics.Book) -> [String] {
            [
                book.rating.map(LibraryReportPage.stars) ?? "",
                book.averageRating.map(LibraryReportPage.stars) ?? "",
            ]
        }
        try writeBooks("liked more than others do", statistics.above, columns, cells)
        try writeBooks("liked less than others do", statistics.below, columns, cells)
    }

    /// A table of groups with bars. A group without a name is shown, because an unknown value is a result too.
    private func write(
        _ title: String, _ groups: [LibraryStatistics.Group], unknown: String = "unknown"
    ) throws(CommandFailure) {
        guard !groups.isEmpty else { return }
        try head(title)
        var table = Table(
            .init("name", narrowest: 16), .init("books", .right), .init("read", .right),
            .init("rating", .right), .init("", isNeverCut: true))
        let most = groups.map(\.books).max() ?? 0
        for group in groups {
            table.add(
                group.name.isEmpty ? unknown : group.name, HumanText.count(group.books),
                HumanText.count(group.read), group.rating.map(LibraryReportPage.stars) ?? "",
                Bar.horizontal(group.books, of: most, width: barWidth))
        }
        try console.write(table)
    }

    private func writeSeries() throws(CommandFailure) {
        guard !statistics.series.isEmpty else { return }
        try head("series with gaps")
        var table = Table(.init("series"), .init("have", wraps: true), .init("missing", wraps: true))
        for series in statistics.series {
            table.add(series.name, Self.ranges(series.have), Self.ranges(series.missing))
        }
        try console.write(table)
    }

    private func writeBooks(
        _ title: String, _ books: [LibraryStatistics.Book], _ columns: [Table.Column],
        _ cells: (LibraryStatistics.Book) -> [String]
    ) throws(CommandFailure) {
        guard !books.isEmpty else { return }
        try head(title)
        var table = Table([.init("title"), .init("author")] + columns)
        for book in books { table.add([book.title, book.author] + cells(book)) }
        try console.write(table)
    }

    // MARK: Texts

    private static func count(_ number: Int?) -> String { number.map { HumanText.count($0) } ?? "" }

    /// `1960s`
    private static func decade(_ group: LibraryStatistics.Group) -> LibraryStatistics.Group {
        var group = group
        if !group.name.isEmpty { group.name += "s" }
        return group
    }

    /// `1–3, 5`
    static func ranges(_ numbers: [Int]) -> String {
        var parts: [String] = []
        var index = 0
        while index < numbers.count {
            var end = index
            while end + 1 < numbers.count, numbers[end + 1] == numbers[end] + 1 { end += 1 }
            parts.append(end == index ? "\(numbers[index])" : "\(numbers[index])–\(numbers[end])")
            index = end + 1
        }
        return parts.joined(separator: ", ")
    }
}
