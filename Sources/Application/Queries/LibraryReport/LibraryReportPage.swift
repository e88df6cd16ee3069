import Books
import Contract
package import System

/// The report as one HTML page without scripts or fonts. Each chart has its values in a table. Without linked covers
/// it loads nothing.
package struct LibraryReportPage {
    /// Source of the images of covers.
    package enum Covers: Sendable {
        case none
        /// A browser loads them from the addresses in the library.
        case linked
        /// They are in the page, by their addresses.
        case embedded([String: CoverImage])
    }

    let report: LibraryReport
    let covers: Covers
    let spell: (UserText) -> String
    var statistics: LibraryStatistics { report.statistics }

    /// - Parameter spell: Writes out the commands and settings in advice.
    package init(
        _ report: LibraryReport, covers: Covers = .none,
        spelling spell: @escaping (UserText) -> String = { $0.description }
    ) {
        self.report = report
        self.covers = covers
        self.spell = spell
    }

    /// The document, in UTF-8.
    package func document() -> [UInt8] {
        var html = HTML()
        html.verbatim("<!DOCTYPE html>\n")
        html.tag("html", ["lang": "en"]) { html in
            html.tag("head") { html in
                html.pageBasics()
                html.open("meta", ["name": "referrer", "content": "no-referrer"])
                html.tag("title", title)
                html.tag("style") { $0.verbatim(resource: PackageResources.report_css) }
            }
            html.tag("body") { html in
                html.tag("a", ["class": "skip", "href": "#library"], "Skip to the library")
                html.tag("header") { html in
                    html.tag("h1", ["dir": "auto"], title)
                    if statistics.books > 0 { writeTotals(&html) }
                    writeNavigation(&html)
                }
                html.tag("main", ["id": "library"]) { html in
                    if statistics.books == 0 {
                        html.tag(
                            "p", ["class": "empty"],
                            "There are no books yet. They are shown here after an import.")
                    } else {
                        writeShelves(&html)
                        writeCharts(&html)
                        writeLists(&html)
                    }
                    writeData(&html)
                }
                html.tag("footer") { html in
                    html.text("Written by etl on ")
                    let day = Timestamp.withoutFraction(report.writtenAt).description.prefix(10)
                    html.tag("time", ["datetime": String(day)], String(day))
                    html.text(".")
                    if case .linked = covers {
                        html.text(" Covers are loaded from the services that have them.")
                    } else {
                        html.text(" The page loads nothing.")
                    }
                }
            }
        }
        return html.bytes
    }

    private var title: String { statistics.library.map { "The library \($0)" } ?? "My library" }

    private func writeTotals(_ html: inout HTML) {
        let totals: [(value: Int, name: String)] = [
            (statistics.books, statistics.books == 1 ? "book" : "books"), (statistics.read, "read"),
            (statistics.pages, "pages read"),
            (statistics.authors, statistics.authors == 1 ? "author" : "authors"),
        ]
        html.tag("ul", ["class": "totals"]) { html in
            for (value, name) in totals {
                html.tag("li") { html in
                    html.tag("strong", ["data-value": String(value)], Self.grouped(value))
                    html.text(" \(name)")
                }
            }
            if let rating = statistics.rating {
                html.tag("li") { html in
                    html.tag("strong", Self.stars(rating))
                    html.text(" stars on average")
                }
            }
        }
    }

    private func writeNavigation(_ html: inout HTML) {
        var parts: [(id: String, name: String)] = []
        if !report.latest.isEmpty || !report.favorites.isEmpty { parts.append(("shelves", "Books")) }
        if statistics.books > 0 { parts.append(("figures", "Figures")) }
        if hasLists { parts.append(("lists", "Lists")) }
        parts.append(("data", "About the data"))
        guard parts.count > 1 else { return }
        html.tag("nav", ["aria-label": "Parts of the page"]) { html in
            for part in parts { html.tag("a", ["href": "#\(part.id)"], part.name) }
        }
    }

    /// A part of the page with a heading, which the navigation leads to.
    func writePart(
        _ id: String, _ title: String, _ html: inout HTML, _ content: (inout HTML) -> Void
    ) {
        html.tag("section", ["id": id, "aria-labelledby": "\(id)-title"]) { html in
            html.tag("h2", ["id": "\(id)-title"], title)
            content(&html)
        }
    }

    /// A panel of a part.
    func writePanel(
        _ title: String, isWide: Bool = false, _ html: inout HTML, _ content: (inout HTML) -> Void
    ) {
        html.tag("article", ["class": isWide ? "panel wide" : "panel"]) { html in
            html.tag("h3", title)
            content(&html)
        }
    }

    // MARK: Shelves

    private func writeShelves(_ html: inout HTML) {
        guard !report.latest.isEmpty || !report.favorites.isEmpty else { return }
        writePart("shelves", "Books", &html) { html in
            for (name, cards) in [("Read last", report.latest), ("Favorites", report.favorites)]
            where !cards.isEmpty {
                html.tag("h3", name)
                html.tag("ul", ["class": "shelf"]) { html in
                    for card in cards { write(card, &html) }
                }
            }
        }
    }

    private func write(_ card: LibraryReport.Card, _ html: inout HTML) {
        // The color depends on the title alone, so that a book has the same one on every shelf and page.
        let hue = card.title.utf8.reduce(0) { ($0 &* 31 &+ Int($1)) & 0xFFFF } % 8
        html.tag("li") { html in
            html.tag("div", ["class": "cover hue\(hue)"]) { html in
                if let address = image(of: card) {
                    // The title is next to it.
                    html.open(
                        "img",
                        [
                            "src": address, "alt": "", "loading": "lazy", "decoding": "async", "width": "120",
                            "height": "180",
                        ])
                } else {
                    html.tag("span", ["aria-hidden": "true", "dir": "auto"], card.title)
                }
            }
            html.tag("div", ["class": "title", "dir": "auto"], card.title)
            let rating = card.rating.map { "★ \(Self.stars($0))" }
            // One element: the stars have no direction of their own, and stand where the author does.
            html.tag("div", ["class": "hint", "dir": "auto"]) { html in
                html.text(card.author)
                if !card.author.isEmpty, rating != nil { html.open("br") }
                html.text(rating ?? "")
            }
        }
    }

    private func image(of card: LibraryReport.Card) -> String? {
        guard let cover = card.cover else { return nil }
        switch covers {
        case .none: return nil
        case .linked: return CoverAddress.isAddress(cover) ? cover : nil
        case .embedded(let images): return images[cover]?.address
        }
    }

    // MARK: Charts

    private func writeCharts(_ html: inout HTML) {
        writePart("figures", "Figures", &html) { html in
            html.tag("div", ["class": "panels"]) { html in
                writeYears(&html)
                writeDecades(&html)
                let ratings = statistics.ratings.reversed().map {
                    Row(name: Self.stars($0.stars), cells: [$0.books])
                }
                writeChart("Ratings", ["stars", "books"], Array(ratings), &html)
                writeGroups("Status", statistics.statuses, unknown: "none", &html)
                writeGroups("Genres", statistics.genres, &html)
                writeGroups("Languages", statistics.languages, &html)
                writeGroups("Authors", statistics.topAuthors, &html)
                writeGroups("Gender of the first author", statistics.genders, &html)
                writeGroups("Region of the first author", statistics.regions, &html)
                writeGroups("Nationality of the first author", statistics.nationalities, &html)
            }
        }
    }

    /// A row of a table behind a chart. The chart shows the first number.
    private struct Row {
        var name: String
        var cells: [Int]
        /// Rows of unknown values are not drawn as columns.
        var isDrawn = true
    }

    /// Bars of a chart; the table has all rows.
    private static let (maxBars, maxColumns) = (10, 60)

    private func writeYears(_ html: inout HTML) {
        var rows = statistics.years.map {
            Row(name: String($0.year), cells: [$0.books, $0.pages, $0.withoutPages])
        }
        if statistics.readWithoutDate > 0 {
            rows.append(Row(name: "no date", cells: [statistics.readWithoutDate], isDrawn: false))
        }
        writeChart(
            "Books read by year", ["year", "books", "pages", "without pages"], rows, steps: 1, &html)
    }

    private func writeDecades(_ html: inout HTML) {
        let rows = statistics.decades.map { group in
            Row(
                name: group.name.isEmpty ? "unknown" : group.name, cells: [group.books, group.read],
                isDrawn: !group.name.isEmpty)
        }
        writeChart("First published, by decade", ["decade", "books", "read"], rows, steps: 10, &html)
    }

    private func writeGroups(
        _ title: String, _ groups: [LibraryStatistics.Group], unknown: String = "unknown", _ html: inout HTML
    ) {
        let rows = groups.map { Row(name: $0.name.isEmpty ? unknown : $0.name, cells: [$0.books, $0.read]) }
        writeChart(title, ["name", "books", "read"], rows, &html)
    }

    /// - Parameter steps: The distance of the rows' numbers, which are drawn as columns; nil for bars.
    private func writeChart(
        _ title: String, _ columns: [String], _ rows: [Row], steps: Int? = nil, _ html: inout HTML
    ) {
        guard !rows.isEmpty else { return }
        writePanel(title, isWide: steps != nil, &html) { html in
            let label = "\(title): a bar chart. The table below has the numbers."
            let values = rows.filter(\.isDrawn).map { ChartValue(label: $0.name, value: $0.cells.first ?? 0) }
            if values.allSatisfy({ $0.value == 0 }) {
                html.tag("p", ["class": "hint"], "Not known of any book.")
            } else if let steps {
                let drawn = Self.filled(values, steps)
                ColumnChart(label: label, values: drawn).write(into: &html)
                let others = values.map(\.value).reduce(0, +) - drawn.map(\.value).reduce(0, +)
                if others > 0 {
                    let period = steps == 1 ? "years" : "decades"
                    html.tag(
                        "p", ["class": "hint"],
                        others == 1
                            ? "One book of other \(period) is in the table only."
                            : "\(others) books of other \(period) are in the table only.")
                }
            } else {
                BarChart(label: label, values: Self.shortened(values)).write(into: &html)
            }
            html.tag("details") { html in
                html.tag("summary", "Table")
                writeTable(title, columns, rows.map { [$0.name] + $0.cells.map(String.init) }, &html)
            }
        }
    }

    /// The columns with the most books, as many as fit, with empty ones for numbers that are missing in between.
    private static func filled(_ values: [ChartValue], _ step: Int) -> [ChartValue] {
        let numbers = values.compactMap { value in Int(value.label).map { ($0, value.value) } }
        let known = Dictionary(numbers) { $0 + $1 }
        let width = step * (maxColumns - 1)
        func books(from first: Int) -> Int {
            known.reduce(0) { $0 + ((first...first + width).contains($1.key) ? $1.value : 0) }
        }
        // The later of two with as many books.
        let firsts = known.keys.sorted()
        guard let first = firsts.max(by: { (books(from: $0), $0) < (books(from: $1), $1) }) else { return [] }
        let last = firsts.last { $0 <= first + width } ?? first
        return stride(from: first, through: last, by: step).map {
            ChartValue(label: String($0), value: known[$0] ?? 0)
        }
    }

    /// The first bars. The unknown group comes last in a list, and is always shown.
    private static func shortened(_ values: [ChartValue]) -> [ChartValue] {
        guard values.count > maxBars, let last = values.last else { return values }
        return values.prefix(maxBars - 1) + [last.label == "unknown" ? last : values[maxBars - 1]]
    }

    // MARK: Lists

    private var hasLists: Bool {
        let books = [statistics.above, statistics.below, statistics.rereads, statistics.waits]
        return books.contains { !$0.isEmpty } || !statistics.series.isEmpty
    }

    private func writeLists(_ html: inout HTML) {
        guard hasLists else { return }
        writePart("lists", "Lists", &html) { html in
            html.tag("div", ["class": "panels"]) { html in
                for (title, books) in [
                    ("Liked more than others do", statistics.above),
                    ("Liked less than others do", statistics.below),
                ] {
                    writeBooks(title, ["yours", "theirs"], books, &html) {
                        [$0.rating.map(Self.stars) ?? "", $0.averageRating.map(Self.stars) ?? ""]
                    }
                }
                writeBooks("Read again", ["times"], statistics.rereads, &html) {
                    [$0.times.map(String.init) ?? ""]
                }
                writeBooks("Waiting longest to be read", ["added", "days"], statistics.waits, &html) {
                    [$0.dateAdded ?? "", $0.days.map(String.init) ?? ""]
                }
                let series = statistics.series.map { series in
                    [
                        series.name, series.have.map(String.init).joined(separator: ", "),
                        series.missing.map(String.init).joined(separator: ", "),
                    ]
                }
                writeList("Series with gaps", ["series", "have", "missing"], series, &html)
            }
        }
    }

    private func writeBooks(
        _ title: String, _ columns: [String], _ books: [LibraryStatistics.Book], _ html: inout HTML,
        _ cells: (LibraryStatistics.Book) -> [String]
    ) {
        writeList(
            title, ["title", "author"] + columns, books.map { [$0.title, $0.author] + cells($0) }, &html)
    }

    /// Rows of a list that are shown at once.
    private static let maxRows = 8

    /// A table with its first rows, and all of them if the user opens it.
    func writeList(_ title: String, _ columns: [String], _ rows: [[String]], _ html: inout HTML) {
        guard !rows.isEmpty else { return }
        writePanel(title, &html) { html in
            writeTable(title, isTitled: true, columns, Array(rows.prefix(Self.maxRows)), &html)
            guard rows.count > Self.maxRows else { return }
            html.tag("details") { html in
                html.tag("summary", "\(rows.count - Self.maxRows) more")
                writeTable("\(title), continued", columns, Array(rows.dropFirst(Self.maxRows)), &html)
            }
        }
    }
}
