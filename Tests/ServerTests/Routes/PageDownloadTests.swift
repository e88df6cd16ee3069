import Formats
import Foundation
import TestSupport
import Testing

@testable import Server

/// The library as a file for other programs.
@Suite(.ownThread) struct PageDownloadTests {
    private static let file = """
        Book Id,Title,Author,Author l-f,Additional Authors,ISBN13,My Rating,Date Added,Bookshelves,Exclusive Shelf,Private Notes
        1,Reef,Ana Lee,"Lee, Ana",,9780306406157,4,2020/01/02,sea,read,Lent to Bo

        """

    @Test func `a program's page says what it cannot hold before the file is downloaded`() async throws {
        let browser = PageBrowser(try await RunningServer())
        _ = try browser.done(try browser.importFile(Self.file))
        #expect(try browser.open("/page/library").text.contains("href=\"/page/downloads\""))
        let list = try browser.open("/page/downloads").text
        #expect(list.contains("Excel workbook") && list.contains(">The StoryGraph</a>"))
        #expect(!list.contains("calibre-library"))
        let page = try browser.open("/page/downloads?format=storygraph").text
        #expect(page.contains("cannot hold everything") && page.contains("Reef by Ana Lee: Lent to Bo"))
        let file = try browser.open(browser.open("/page/downloads?format=storygraph").link("/page/export"))
        #expect(file.fields["content-disposition"] == "attachment; filename=\"storygraph.csv\"")
        #expect(file.text.hasPrefix("Title,Authors,") && file.text.contains("Reef,Ana Lee"))
        await browser.running.server.stop()
    }

    @Test func `every format is a file`() async throws {
        let browser = PageBrowser(try await RunningServer())
        _ = try browser.done(try browser.importFile(Self.file))
        for format in DownloadsPage.whole.map(\.name) + DownloadsPage.programs.map(\.name) {
            let answer = try browser.open("/page/export?format=\(format)")
            #expect(answer.status == 200, "\(format)")
            #expect(answer.fields["content-disposition"]?.hasPrefix("attachment; filename=") == true)
            if format == "xlsx" {
                #expect(answer.body.starts(with: Array("PK".utf8)))
            } else {
                #expect(answer.text.contains("Reef"), "\(format) \(answer.text)")
            }
        }
        await browser.running.server.stop()
    }

    @Test func `an unknown format and an empty store are said`() async throws {
        let browser = PageBrowser(try await RunningServer())
        for path in ["/page/export?format=pdf", "/page/downloads?format=pdf", "/page/downloads?format=csv"] {
            #expect(try browser.open(path).status == 400, "\(path)")
        }
        for path in [
            "/page/export?format=xlsx", "/page/export?format=html", "/page/downloads?format=goodreads",
        ] {
            #expect(try browser.open(path).status == 404, "\(path)")
        }
        #expect(try browser.open("/page/downloads").status == 200)
        await browser.running.server.stop()
    }

    @Test func `one of several libraries is downloaded`() async throws {
        let browser = PageBrowser(try await RunningServer())
        _ = try browser.done(try browser.importFile("Title,Author\nReef,Ana Lee\n"))
        #expect(try !browser.open("/page/downloads").text.contains("aria-label=\"Libraries\""))
        _ = try browser.done(
            try browser.importFile("Title,Author\nTides,Bo Berg\n", library: "friend"))
        let all = try browser.open("/page/downloads").text
        #expect(all.contains("all 2 libraries") && all.contains("href=\"/page/downloads?library=friend\""))
        let one = try browser.open("/page/downloads?library=friend").text
        #expect(
            one.contains("href=\"/page/export?library=friend&amp;format=csv\"")
                && !one.contains("all 2 libraries"))
        #expect(
            try browser.open("/page/downloads?library=friend&format=goodreads").text.contains("of 1 entry"))
        for format in ["csv", "goodreads", "html"] {
            let file = try browser.open("/page/export?library=friend&format=\(format)")
            #expect(file.text.contains("Tides") && !file.text.contains("Reef"), "\(format)")
        }
        #expect(
            try browser.open("/page/library?library=friend").text.contains("/page/downloads?library=friend"))
        for page in ["downloads", "export"] {
            let missing = try browser.open("/page/\(page)?library=nosuch")
            #expect(missing.status == 404 && missing.text.contains("There is no library `nosuch`"))
        }
        await browser.running.server.stop()
    }

    @Test func `who has a library of their own downloads only that one`() async throws {
        let tokens = try ServerTokens(
            parsing:
                "anna \(Secret.hexHash("a")) search,import anna\nben \(Secret.hexHash("b")) search,import ben",
            named: "tokens")
        let running = try await RunningServer(tokens: tokens)
        let (anna, ben) = (try PageBrowser(running, token: "a"), try PageBrowser(running, token: "b"))
        _ = try anna.done(try anna.importFile(Self.file))
        _ = try ben.done(try ben.importFile("Title,Author\nGarden,Cy Ek\n"))
        for format in ["csv", "ndjson", "html", "goodreads", "bibtex"] {
            let text = try ben.open("/page/export?format=\(format)").text
            #expect(text.contains("Garden") && !text.contains("Reef"), "\(format)")
        }
        #expect(try !ben.open("/page/downloads?format=storygraph").text.contains("Lent to Bo"))
        await running.server.stop()
    }

    @Test func `the library is shown in figures, and a year of it, without scripts`() async throws {
        let browser = PageBrowser(try await RunningServer())
        #expect(try browser.open("/page/statistics").status == 404)
        _ = try browser.done(
            try browser.importFile(
                "Title,Author,Date Read,My Rating\nReef,Ana Lee,2024-05-06,4\n<b>Cove,Ida Ray,2023-01-02,5\n")
        )
        let library = try browser.open("/page/library")
        let figures = try browser.open(try library.link("/page/statistics"))
        #expect(figures.status == 200 && figures.text.contains("Reef") && figures.text.contains("<svg"))
        let policy = try #require(figures.fields["content-security-policy"])
        #expect(policy.contains("style-src 'self'") && !policy.contains("unsafe"))
        #expect(!figures.text.contains("<style") && !figures.text.contains("<script"))
        let sheet = try #require(figures.text.firstMatch(of: #/href="(\/page\/report-[^"]+)"/#)?.1)
        #expect(try browser.open(String(sheet)).fields["content-type"]?.hasPrefix("text/css") == true)
        #expect(try figures.link("/page/library").isEmpty == false)
        let year = try browser.open(try figures.link("/page/year"))
        #expect(year.text.contains("2024 in books"), "the latest one with readings")
        let before = try browser.open(try year.link("/page/year?year=2023"))
        #expect(before.text.contains("2023 in books") && before.text.contains("&lt;b&gt;Cove"))
        #expect(try browser.open("/page/statistics?library=nobody").status == 404)
        await browser.running.server.stop()
    }
}
