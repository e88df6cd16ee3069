import Books
import Queries
import System

/// The text output of `etl stats --year`.
struct YearReport {
    private let review: YearReview

    init(_ review: YearReview) { self.review = review }

    func write(to console: Console) throws(CommandFailure) {
        guard !review.readings.isEmpty else {
            let years = StatisticsReport.ranges(review.years)
            return console.note(
                "No reading ended in \(review.year), as far as the dates say."
                    + (years.isEmpty ? "" : " There are readings of \(years)."))
        }
        try console.write(figures)
        let months = review.months
        if months.contains(where: { $0.books > 0 }) {
            var table = Table(
                .init("month", .right), .init("books", .right), .init("pages", .right),
                .init("", isNeverCut: true))
            let most = months.map(\.books).max() ?? 0
            for (month, count) in months.enumerated() {
                table.add(
                    String(month + 1), HumanText.count(count.books), HumanText.count(count.pages),
                    Bar.horizontal(count.books, of: most, width: Self.barWidth))
            }
            try console.write("\n")
            try console.write(table)
        }
        for (title, groups) in [
            ("genres", review.genres),
            ("languages", review.languages.map { (LanguageNames.english($0.name), $0.count) }),
            ("countries of the authors", review.nationalities),
        ] where !groups.isEmpty {
            try console.write("\n" + console.style(.bold, title) + "\n")
            var table = Table(.init("name"), .init("books", .right), .init("", isNeverCut: true))
            for group in groups.prefix(Self.maxGroups) {
                table.add(
                    group.0, HumanText.count(group.1),
                    Bar.horizontal(group.1, of: groups[0].1, width: Self.barWidth))
            }
            try console.write(table)
        }
    }

    private static let (barWidth, maxGroups, maxBest) = (30, 10, 6)

    private var figures: DefinitionList {
        var list = DefinitionList()
        let before = review.before > 0 ? ["\(HumanText.count(review.before)) in \(review.year - 1)"] : []
        list.add("books", HumanText.count(review.readings.count), remarks: before)
        let unknown =
            review.withoutPages > 0 ? ["not known of \(HumanText.count(review.withoutPages, "book"))"] : []
        list.add("pages", HumanText.count(review.pages), remarks: unknown)
        if let rating = review.rating { list.add("rating", "\(LibraryReportPage.stars(rating)) on average") }
        func pages(_ reading: YearReview.Reading) -> String { HumanText.count(reading.pages ?? 0, "page") }
        func add(_ name: String, _ reading: YearReview.Reading?, _ detail: (YearReview.Reading) -> String) {
            if let reading { list.add(name, "\(Self.words(reading)) (\(detail(reading)))") }
        }
        add("longest", review.longest, pages)
        if review.shortest != review.longest { add("shortest", review.shortest, pages) }
        add("first", review.first) { $0.day }
        if review.last != review.first { add("last", review.last) { $0.day } }
        for (number, reading) in review.best.prefix(Self.maxBest).enumerated() {
            list.add(
                number == 0 ? "best" : "",
                "\(Self.words(reading)) (\(LibraryReportPage.stars(reading.rating ?? 0)))")
        }
        if !review.newAuthors.isEmpty {
            list.add("new authors", review.newAuthors.joined(separator: ", "))
        }
        if let streak = review.streak {
            list.add("streak", "a book in each of \(HumanText.count(streak.length, "month"))")
        }
        return list
    }

    private static func words(_ reading: YearReview.Reading) -> String {
        reading.author.isEmpty ? reading.title : "\(reading.title), \(reading.author)"
    }
}
