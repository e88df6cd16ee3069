import Contract
import Foundation
import Pipeline
import Services
import TestSupport
import Testing

@testable import Database
@testable import Queries
@testable import Store
@testable import Syntax

@Suite struct LibraryReportTests {
    /// 2026-01-01 in UTC.
    private static let now: Int64 = 1_767_225_600_000

    private func report(_ store: FilledStore, most: Int = 25) throws -> LibraryReport {
        var reader = LibraryReportReader(try store.open(), now: Self.now, most: most)
        return try reader.read()
    }

    private func text(_ report: LibraryReport, _ covers: ReportCovers = .none) -> String {
        String(
            decoding: LibraryReportPage(report, covers: covers, isTechnical: true).document(), as: UTF8.self)
    }

    private func page(_ store: FilledStore) throws -> PageElement {
        try PageElement(document: text(try report(store)))
    }

    private func store(of rows: [String], known: [String: [KnownBook]] = [:]) async throws -> FilledStore {
        let store = try FilledStore()
        store.batchRecords = 500
        store.known = known
        let header = "Book Id,Title,Author,My Rating,Date Read,Exclusive Shelf,ISBN13\n"
        try await store.importing([header + rows.joined(separator: "\n") + "\n"], job: "one")
        return store
    }

    @Test func `an empty library is a page that says so`() throws {
        let store = try FilledStore()
        _ = try StoreFile.openForWriting(store.path)
        let text = text(try report(store))
        #expect(text.hasPrefix("<!DOCTYPE html>\n<html lang=\"en\">") && text.hasSuffix("</html>"))
        let page = try PageElement(document: text)
        #expect(page.text.contains("There are no books yet.") && page.all("svg").isEmpty)
        #expect(page.panel("Imports")?.text.contains("Nothing has been imported yet.") == true)
    }

    @Test func `a library of one book is a complete page`() async throws {
        let page = try page(try await store(of: ["1,Dune,Frank Herbert,5,2024/05/01,read,"]))
        #expect(page.first("ul") { $0.attributes["class"] == "totals" }?.text.hasPrefix("1 book") == true)
        #expect(page.panel("Books read by year")?.rows == [["2024", "1", "0", "1"]])
        #expect(page.all("li").contains { $0.text.contains("Dune") })
    }

    @Test func `a date far away does not push the other years out of the chart unseen`() async throws {
        let years = ["1950", "2023", "2023", "2024", "2124"]
        let page = try page(
            try await store(
                of: years.enumerated().map { "\($0),Title \($0),Author \($0),5,\($1)/05/01,read," }))
        let panel = try #require(page.panel("Books read by year"))
        // Nobody has read in 2124.
        #expect(panel.rows.map(\.first) == ["1950", "2023", "2024", "no date"])
        #expect(panel.text.contains("One book of other years is in the table only."))
        let near = try self.page(try await store(of: ["1,Dune,Frank Herbert,5,2024/05/01,read,"]))
        #expect(near.panel("Books read by year")?.text.contains("in the table only") == false)
    }

    @Test func `the page contains nothing that a browser would load or run`() async throws {
        let hostile = "</style><script>alert(1)</script> '& \u{1} javascript:alert(2)"
        let store = try await store(of: ["1,\(hostile),https://example.com,5,2024,read,"])
        let text = text(try report(store))
        let page = try PageElement(document: text)
        for name in ["script", "link", "img", "iframe", "object", "base", "form", "image", "use"] {
            #expect(page.all(name).isEmpty, "\(name)")
        }
        #expect(page.all("a").allSatisfy { $0.attributes["href"]?.hasPrefix("#") == true })
        for word in ["url(", "@import", "src=", " on"] {
            #expect(!text.replacing(hostile, with: "").lowercased().contains("\(word)load"), "\(word)")
        }
        #expect(!text.contains("url(") && !text.contains("@import") && !text.contains("src="))
        #expect(text.contains("&lt;/style&gt;&lt;script&gt;") && !text.contains("\u{1}"))
    }

    @Test func `each chart has a label and a table, and each part a heading that links lead to`() async throws
    {
        let store = try await store(of: ["1,B,C,3,2023/01/01,read,", "2,D,E,5,2024/01/01,read,"])
        let page = try page(store)
        let charts = page.all("svg")
        #expect(charts.count > 4)
        for chart in charts {
            #expect(chart.attributes["role"] == "img" && chart.attributes["aria-label"]?.isEmpty == false)
        }
        for panel in page.all("article") where panel.first("svg") != nil {
            #expect(panel.first("table") != nil, "\(panel.first("h3")?.text ?? "")")
        }
        let ids = Set(
            (page.all("section") + page.all("main") + page.all("h2")).compactMap { $0.attributes["id"] })
        for link in page.all("a") {
            #expect(ids.contains(String(link.attributes["href"]?.dropFirst() ?? "")))
        }
        for part in page.all("section") { #expect(ids.contains(part.attributes["aria-labelledby"] ?? "")) }
        #expect(page.all("h1").count == 1)
        for table in page.all("table") {
            #expect(table.first("caption")?.text.isEmpty == false)
            #expect(table.all("th").allSatisfy { $0.attributes["scope"] != nil })
        }
        for region in page.all("div") where region.attributes["class"] == "scroll" {
            #expect(region.attributes["tabindex"] == "0" && region.attributes["aria-label"] != nil)
        }
    }

    @Test func `the style has both themes, print and reduced motion`() async throws {
        let store = try await store(of: ["1,B,C,3,2023/01/01,read,"])
        let style = try #require(try page(store).first("style")?.text)
        for query in [
            "prefers-color-scheme: dark", "@media print", "prefers-reduced-motion", ":focus-visible",
        ] {
            #expect(style.contains(query))
        }
    }

    @Test func `texts in any direction stay in their cells`() async throws {
        let page = try page(try await store(of: ["1,שלום,נעמי,5,2024/01/01,read,"]))
        let title = page.first("div") { $0.attributes["class"] == "title" }
        #expect(title?.text == "שלום" && title?.attributes["dir"] == "auto")
        let author = page.panel("Authors")?.first("th") { $0.attributes["scope"] == "row" }
        #expect(author?.text == "נעמי" && author?.attributes["dir"] == "auto")
    }

    @Test func `a column is one of numbers only if all its cells are`() async throws {
        let page = try page(
            try await store(of: [
                "1,\"One (Saga, #2)\",C,5,2023/01/01,read,", "2,\"Two (Saga, #4)\",C,5,2023/01/01,read,",
                "3,\"Six (Saga, #6)\",C,5,2023/01/01,read,", "4,\"First (Cycle, #1)\",D,5,2023/01/01,read,",
                "5,\"Third (Cycle, #3)\",D,5,2023/01/01,read,",
            ]))
        let series = try #require(page.panel("Series with gaps"))
        #expect(series.rows.contains(["Cycle", "1, 3", "2"]), "\(series.rows)")
        #expect(series.all("td").allSatisfy { $0.attributes["class"] != "number" }, "\(series.rows)")
    }

    @Test func `a chart of nothing that is known is left out`() async throws {
        let page = try page(try await store(of: ["1,B,C,3,,read,"]))
        for title in ["Books read by year", "First published, by decade", "Genres", "Languages"] {
            #expect(page.panel(title) == nil, "\(title)")
        }
        #expect(page.panel("Ratings") != nil)
    }

    @Test func `without technical parts the page says what is missing, and how to fix it`() async throws {
        let report = try report(try await SmallLibrary.store())
        let text = String(decoding: LibraryReportPage(report).document(), as: UTF8.self)
        let page = try PageElement(document: text)
        for title in ["Imports", "Providers", "Works with a cover", "Stages of the last run"] {
            #expect(page.panel(title) == nil, "\(title)")
        }
        #expect(page.panel("Missing values") != nil)
        let problems = try #require(page.panel("Problems and how to fix them"))
        #expect(
            problems.text.contains("neither a title nor an ISBN")
                && !problems.text.contains("no_title_or_isbn"))
    }

    @Test(arguments: [
        (0, "0 days"), (1, "1 day"), (59, "59 days"), (60, "2 months"), (365, "12 months"),
        (729, "24 months"),
        (730, "24 months"), (731, "2 years"), (6_874, "18 years"),
    ])
    func `a time is in the unit that people would use`(days: Int, text: String) {
        #expect(LibraryReportPage.span(days) == text)
    }

    @Test func `the statistics are those of etl stats`() async throws {
        let store = try await SmallLibrary.store()
        let page = try page(store)
        var reader = StatisticsReader(try store.open(), now: Self.now, most: 25)
        var json = JSONWriter()
        try reader.read().write(into: &json)
        let statistics = try #require(
            try JSONSerialization.jsonObject(with: Data(json.bytes)) as? [String: Any])
        let totals = page.first("ul") { $0.attributes["class"] == "totals" }?.all("strong").map(\.text)
        #expect(
            Array(totals?.prefix(4) ?? [])
                == ["books", "read", "pages", "authors"].map { "\(statistics[$0] as? Int ?? -1)" })
        for (title, key) in [
            ("Status", "statuses"), ("Genres", "genres"), ("Languages", "languages"),
            ("Authors", "topAuthors"),
            ("Gender of the first author", "genders"), ("Region of the first author", "regions"),
            ("Nationality of the first author", "nationalities"), ("First published, by decade", "decades"),
        ] {
            let groups = try #require(statistics[key] as? [[String: Any]])
            let expected = groups.map { group in
                [group["name"] as? String ?? "unknown", "\(group["books"] ?? "")", "\(group["read"] ?? "")"]
            }
            #expect(page.panel(title)?.rows == expected, "\(key)")
        }
        let ratings = try #require(statistics["ratings"] as? [[String: Any]])
        #expect(
            page.panel("Ratings")?.rows
                == ratings.reversed().map { ["\($0["stars"] ?? "")", "\($0["books"] ?? "")"] })
        // No reading has a date.
        #expect(page.panel("Books read by year") == nil)
    }

    @Test func `targets name the records that miss them`() async throws {
        let store = try await SmallLibrary.store()
        let report = try report(store)
        let targets = Dictionary(uniqueKeysWithValues: report.targets.map { ($0.target, $0) })
        #expect(targets[.isbnMatchRate]?.metric == 1 && targets[.isbnMatchRate]?.misses == 0)
        let covers = try #require(targets[.coverAvailability])
        #expect(covers.misses == 2 && covers.examples.count == 2)
        #expect(covers.examples.map(\.name) == ["A Wizard of Earthsea", "Broken \"Number\""])
        #expect(
            targets[.authorEnrichment]?.examples.map(\.name).sorted() == ["Somebody", "Ursula K. Le Guin"])
        let low = try #require(targets[.meanQuality]?.examples.first)
        #expect(low.name == "Broken \"Number\"" && low.score == 0)
        let page = try page(store)
        let panel = try #require(page.panel("Works with a cover"))
        #expect(panel.text.contains("33.3 %") && panel.text.contains("missed, target: more than 80 %"))
        #expect(panel.rows.map(\.first) == ["A Wizard of Earthsea", "Broken \"Number\""])
        #expect(report.gaps.first { $0.name == "ISBN" }?.books == 2)
    }

    @Test func `problems come with the advice of their reason, and imports with their counts`() async throws {
        let store = try await SmallLibrary.store()
        let page = try page(store)
        #expect(
            page.panel("Imports")?.rows == [["first", "2020-01-01", "3", "0", "1", "1"]]
                || page.panel("Imports")?.rows.first?.suffix(4) == ["3", "0", "1", "1"])
        let problems = try #require(page.panel("Problems and how to fix them"))
        #expect(problems.all("code").contains { $0.text == "no_title_or_isbn" })
        #expect(problems.text.contains("1 rejected: The row has neither a title nor an ISBN."))
        #expect(problems.text.contains("errorTable(job: Optional(\"first\"))"))
    }

    @Test func `covers are linked only from the web, and embedded ones are images`() async throws {
        let bytes = ImageFixture.jpeg()
        let image = try #require(CoverImage(bytes))
        #expect(image.address == "data:image/jpeg;base64," + Data(bytes).base64EncodedString())
        var report = try report(
            try await store(of: ["1,A,B,5,2024/01/01,read,", "2,C,D,4,2023/01/01,read,"]))
        report.favorites[0].cover = "javascript:alert(1)"
        report.latest[0].cover = "https://covers.example/1.jpg"
        let linked = try PageElement(document: text(report, .linked)).all("img")
        #expect(linked.map { $0.attributes["src"] } == ["https://covers.example/1.jpg"])
        #expect(linked.first?.attributes["alt"]?.isEmpty == true)
        let embedded = try PageElement(
            document: text(report, .embedded(["https://covers.example/1.jpg": image]))
        ).all("img")
        #expect(embedded.map { $0.attributes["src"] } == [image.address])
        #expect(try PageElement(document: text(report)).all("img").isEmpty)
    }

    @Test func `the last measured run shows its stages and the slowest one`() async throws {
        var report = try report(try await store(of: ["1,A,B,5,2024/01/01,read,"]))
        var (slow, fast) = (StageCounts(name: "LookUpBooks"), StageCounts(name: "ReadLibrary"))
        (slow.busy, slow.blockedOnInput, slow.recordsIn) = (900_000_000, 100_000_000, 7)
        (fast.busy, fast.blockedOnOutput) = (100_000_000, 900_000_000)
        let run = RunReport(outcome: .completed, recordsCommitted: 7, stages: [fast, slow], elapsed: 0)
        let service = RunMetrics.Service(
            name: "openlibrary", requests: 3, failed: 1, cached: 2, found: 4, notFound: 5, median: 120.5)
        report.run = .init(job: "one", metrics: RunMetrics(run, services: [service], duration: 1_234))
        let page = try PageElement(document: text(report))
        let panel = try #require(page.panel("Stages of the last run"))
        #expect(panel.text.contains("1,234 ms. LookUpBooks was the slowest stage"))
        #expect(panel.rows.last == ["LookUpBooks", "7", "0", "0", "900", "100", "0"])
        #expect(
            page.panel("Providers")?.all("tr").last?.children.map(\.text)
                == ["openlibrary", "3", "1", "2", "4", "5", "121"])
    }

    @Test func `the page stays small, however large the library is`() async throws {
        let rows = (1...3_000).map { number in
            "\(number),Title \(number) \(String(repeating: "x", count: 60)),Author \(number),\(number % 6),\(1950 + number % 70),read,"
        }
        let large = text(try report(try await store(of: rows)))
        let small = text(try report(try await store(of: Array(rows.prefix(300)))))
        #expect(large.utf8.count < 200_000)
        #expect(large.utf8.count < small.utf8.count * 5 / 4)
    }
}
