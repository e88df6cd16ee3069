import Books
import System

/// A year of a reader as one page to share.
package struct YearReviewPage {
    private let review: YearReview
    private let frame: ReportDocument

    /// - Parameters:
    ///   - now: Milliseconds since 1970.
    ///   - links: Other pages of the server that shows it; nil for a file.
    package init(_ review: YearReview, covers: ReportCovers = .none, now: Int64, links: ReportLinks? = nil) {
        self.review = review
        let owner = review.library.map { ": \($0)" } ?? ""
        frame = ReportDocument(
            title: "\(review.year) in books\(owner)", covers: covers, writtenAt: now, links: links)
    }

    /// The addresses of the covers that the page shows.
    package static func covers(of review: YearReview) -> [String] {
        review.readings.prefix(maxCards).compactMap(\.cover)
    }

    private static let (maxCards, maxBars, maxBest) = (120, 10, 6)
    private static let months = [
        "January", "February", "March", "April", "May", "June", "July", "August", "September", "October",
        "November", "December",
    ]

    /// The document, in UTF-8.
    package func document() -> [UInt8] {
        frame.bytes { html in
            if !review.readings.isEmpty { writeTotals(&html) }
        } _: { html in
            if review.readings.isEmpty {
                let years = review.years.map(String.init).joined(separator: ", ")
                return html.tag(
                    "p", ["class": "empty"],
                    "No reading ended in \(review.year), as far as the dates say. "
                        + (years.isEmpty ? "No reading has a date." : "There are readings of \(years)."))
            }
            html.tag("section", ["aria-labelledby": "figures-title"]) { html in
                html.tag("h2", ["id": "figures-title"], "Figures")
                html.tag("div", ["class": "panels"]) { html in
                    writeMonths(&html)
                    writeBooks(&html)
                    writeGroups("Genres", review.genres, &html)
                    writeGroups(
                        "Languages", review.languages.map { (LanguageNames.english($0.name), $0.count) },
                        &html)
                    writeGroups("Countries of the authors", review.nationalities, &html)
                    writeAuthors(&html)
                }
            }
            writeCards(&html)
        }
    }

    // MARK: Figures

    private func writeTotals(_ html: inout HTML) {
        var totals = [ReportDocument.total(review.readings.count, "book")]
        if review.pages > 0 { totals.append(ReportDocument.total(review.pages, "page")) }
        let counted = review.readings.count - review.withoutPages
        if counted > 1 { totals.append((CountText.grouped(review.pages / counted), "pages on average")) }
        if let rating = review.rating { totals.append((LibraryReportPage.stars(rating), "stars on average")) }
        if !review.newAuthors.isEmpty {
            totals.append(ReportDocument.total(review.newAuthors.count, "new author"))
        }
        ReportDocument.write(totals: totals, &html)
        html.tag("p", ["class": "hint"], remarks.joined(separator: " "))
    }

    private var remarks: [String] {
        var remarks: [String] = []
        if review.before > 0 {
            remarks.append("In \(review.year - 1): \(CountText.count(review.before, "book")).")
        }
        if let streak = review.streak {
            remarks.append(
                "A book in each of \(streak.length) months in a row, from \(Self.months[streak.first])."
            )
        }
        if review.withoutPages > 0 {
            remarks.append("The pages of \(CountText.count(review.withoutPages, "book")) are not known.")
        }
        return remarks
    }

    private func writeMonths(_ html: inout HTML) {
        let months = review.months
        let known = months.reduce(0) { $0 + $1.books }
        guard known > 0 else { return }
        ReportDocument.writePanel("Months", isWide: true, &html) { html in
            ColumnChart(
                label: "Books by month: a bar chart. The table below has the numbers.",
                values: zip(Self.months, months).map {
                    ChartValue(label: $0, value: $1.books, shortLabel: String($0.prefix(1)))
                }, maxLabels: 12
            ).write(into: &html)
            let others = review.readings.count - known
            if others > 0 {
                html.tag(
                    "p", ["class": "hint"], "The month of \(CountText.count(others, "book")) is not known.")
            }
            LibraryReportPage.writeFoldedTable(
                "Books and pages by month", ["month", "books", "pages"],
                zip(Self.months, months).map { [$0, "\($1.books)", "\($1.pages)"] }, &html)
        }
    }

    /// The books that stand out.
    private func writeBooks(_ html: inout HTML) {
        var rows: [[String]] = []
        func add(_ name: String, _ reading: YearReview.Reading?, _ detail: (YearReview.Reading) -> String) {
            guard let reading else { return }
            let author = reading.author.isEmpty ? "" : ", \(reading.author)"
            rows.append([name, reading.title + author, detail(reading)])
        }
        func pages(_ reading: YearReview.Reading) -> String { CountText.count(reading.pages ?? 0, "page") }
        add("Longest", review.longest, pages)
        if review.shortest != review.longest { add("Shortest", review.shortest, pages) }
        add("First", review.first) { $0.day }
        if review.last != review.first { add("Last", review.last) { $0.day } }
        for reading in review.best.prefix(Self.maxBest) {
            add("Best", reading) { "★ \($0.rating.map(LibraryReportPage.stars) ?? "")" }
        }
        guard !rows.isEmpty else { return }
        ReportDocument.writePanel("Books of the year", isWide: true, &html) { html in
            LibraryReportPage.writeTable(
                "Books of the year", isTitled: true, ["what", "book", "detail"], rows, &html)
            let more = review.best.count - Self.maxBest
            if more > 0 {
                html.tag("p", ["class": "hint"], "\(CountText.count(more, "more book")) with as many stars.")
            }
        }
    }

    private func writeGroups(_ title: String, _ groups: [(name: String, count: Int)], _ html: inout HTML) {
        guard !groups.isEmpty else { return }
        ReportDocument.writePanel(title, &html) { html in
            BarChart(
                label: "\(title): a bar chart. The table below has the numbers.",
                values: groups.prefix(Self.maxBars).map { ChartValue(label: $0.name, value: $0.count) }
            ).write(into: &html)
            LibraryReportPage.writeFoldedTable(
                title, ["name", "books"], groups.map { [$0.name, "\($0.count)"] }, &html)
        }
    }

    private func writeAuthors(_ html: inout HTML) {
        guard !review.newAuthors.isEmpty else { return }
        ReportDocument.writePanel("Authors read for the first time", isWide: true, &html) { html in
            html.tag("p", ["dir": "auto"], review.newAuthors.joined(separator: ", "))
        }
    }

    private func writeCards(_ html: inout HTML) {
        html.tag("section", ["aria-labelledby": "books-title"]) { html in
            html.tag("h2", ["id": "books-title"], "All books")
            frame.write(
                review.readings.prefix(Self.maxCards).map {
                    .init(title: $0.title, author: $0.author, rating: $0.rating, cover: $0.cover)
                }, &html)
            let more = review.readings.count - Self.maxCards
            if more > 0 { html.tag("p", ["class": "hint"], "And \(CountText.count(more, "more book")).") }
        }
    }
}
