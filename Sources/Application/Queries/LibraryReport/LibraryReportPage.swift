import Books
import Contract
package import System

/// The report as one HTML page without scripts or fonts. Each chart has its values in a table. Without linked covers
/// it loads nothing.
package struct LibraryReportPage {
    let report: LibraryReport
    private let frame: ReportDocument
    let isTechnical: Bool
    let spell: (UserText) -> String
    var statistics: LibraryStatistics { report.statistics }

    /// - Parameters:
    ///   - isTechnical: Whether it has the part about jobs, services, stages and data-quality targets.
    ///   - links: Other pages of the server that shows it; nil for a file.
    ///   - spell: Writes out the commands and settings in advice.
    package init(
        _ report: LibraryReport, covers: ReportCovers = .none, isTechnical: Bool = false,
        links: ReportLinks? = nil, spelling spell: @escaping (UserText) -> String = { $0.description }
    ) {
        self.report = report
        self.isTechnical = isTechnical
        self.spell = spell
        let title = report.statistics.library.map { "The library \($0)" } ?? "My library"
        frame = ReportDocument(title: title, covers: covers, writtenAt: report.writtenAt, links: links)
    }

    /// The document, in UTF-8.
    package func document() -> [UInt8] {
        frame.bytes { html in
            if statistics.books > 0 { writeTotals(&html) }
            writeNavigation(&html)
        } _: { html in
            if statistics.books == 0 {
                html.tag(
                    "p", ["class": "empty"],
                    "There are no books yet. They are shown here after an import.")
            } else {
                writeShelves(&html)
                writeCharts(&html)
                writeLists(&html)
            }
            if hasData { writeData(&html) }
        }
    }

    private func writeTotals(_ html: inout HTML) {
        var totals = [
            ReportDocument.total(statistics.books, "book"), (CountText.grouped(statistics.read), "read"),
            (CountText.grouped(statistics.pages), "pages read"),
            ReportDocument.total(statistics.authors, "author"),
        ]
        if let rating = statistics.rating { totals.append((Self.stars(rating), "stars on average")) }
        ReportDocument.write(totals: totals, &html)
        if statistics.entries > statistics.books {
            html.tag(
                "p", ["class": "hint"],
                "Each book counts once. The library has \(CountText.grouped(statistics.entries)) entries of them, from several programs or as copies."
            )
        }
    }

    private func writeNavigation(_ html: inout HTML) {
        var parts: [(id: String, name: String)] = []
        if !report.latest.isEmpty || !report.favorites.isEmpty { parts.append(("shelves", "Books")) }
        if statistics.books > 0 { parts.append(("figures", "Figures")) }
        if hasLists { parts.append(("lists", "Lists")) }
        if hasData { parts.append(("data", "About the data")) }
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

    func writePanel(
        _ title: String, isWide: Bool = false, _ html: inout HTML, _ content: (inout HTML) -> Void
    ) {
        ReportDocument.writePanel(title, isWide: isWide, &html, content)
    }

    // MARK: Shelves

    private func writeShelves(_ html: inout HTML) {
        guard !report.latest.isEmpty || !report.favorites.isEmpty else { return }
        writePart("shelves", "Books", &html) { html in
            for (name, cards) in [("Read last", report.latest), ("Favorites", report.favorites)]
            where !cards.isEmpty {
                html.tag("h3", name)
                frame.write(cards, &html)
            }
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
        /// Unknown values are not drawn as columns.
        var isUnknown = false
    }

    /// Bars of a chart; the table has all rows.
    private static let (maxBars, maxColumns) = (10, 60)

    private func writeYears(_ html: inout HTML) {
        var rows = statistics.years.map {
            Row(name: String($0.year), cells: [$0.books, $0.pages, $0.withoutPages])
        }
        if statistics.readWithoutDate > 0 {
            rows.append(Row(name: "no date", cells: [statistics.readWithoutDate], isUnknown: true))
        }
        writeChart(
            "Books read by year", ["year", "books", "pages", "without pages"], rows, steps: 1, &html)
    }

    private func writeDecades(_ html: inout HTML) {
        let rows = statistics.decades.map { group in
            Row(
                name: group.name.isEmpty ? "unknown" : group.name, cells: [group.books, group.read],
                isUnknown: group.name.isEmpty)
        }
        writeChart("First published, by decade", ["decade", "books", "read"], rows, steps: 10, &html)
    }

    private func writeGroups(
        _ title: String, _ groups: [LibraryStatistics.Group], unknown: String = "unknown", _ html: inout HTML
    ) {
        let rows = groups.map {
            Row(
                name: $0.name.isEmpty ? unknown : $0.name, cells: [$0.books, $0.read],
                isUnknown: $0.name.isEmpty)
        }
        writeChart(title, ["name", "books", "read"], rows, &html)
    }

    /// - Parameter steps: The distance of the rows' numbers, which are drawn as columns; nil for bars.
    private func writeChart(
        _ title: String, _ columns: [String], _ rows: [Row], steps: Int? = nil, _ html: inout HTML
    ) {
        // A chart of nothing but what is not known says nothing.
        guard rows.contains(where: { !$0.isUnknown }) else { return }
        writePanel(title, isWide: steps != nil, &html) { html in
            let label = "\(title): a bar chart. The table below has the numbers."
            let values = rows.filter { steps == nil || !$0.isUnknown }.map {
                ChartValue(label: $0.name, value: $0.cells.first ?? 0)
            }
            if let steps {
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
            Self.writeFoldedTable(title, columns, rows.map { [$0.name] + $0.cells.map(String.init) }, &html)
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
                writeBooks("Waiting longest to be read", ["added", "waiting"], statistics.waits, &html) {
                    [$0.dateAdded ?? "", $0.days.map(Self.span) ?? ""]
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
            Self.writeTable(title, isTitled: true, columns, Array(rows.prefix(Self.maxRows)), &html)
            guard rows.count > Self.maxRows else { return }
            html.tag("details") { html in
                html.tag("summary", "\(rows.count - Self.maxRows) more")
                Self.writeTable("\(title), continued", columns, Array(rows.dropFirst(Self.maxRows)), &html)
            }
        }
    }
}
