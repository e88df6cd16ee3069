import Foundation
import TestSupport
import Testing

@testable import Server

/// A library in a browser: filters, orders and pages, without scripts.
@Suite(.ownThread) struct LibraryPageTests {
    private static func browser(books: Int) async throws -> PageBrowser {
        let browser = PageBrowser(try await RunningServer())
        let rows = (1...books).map { number in
            let status = ["read", "to-read", "currently-reading"][number % 3]
            return "Book \(number),Ana Lee,\(number % 6),\(status),2020/01/\(number % 28 + 1)"
        }
        let table =
            "Title,Author,My Rating,Exclusive Shelf,Date Added\n" + rows.joined(separator: "\n") + "\n"
        _ = try browser.done(try browser.importFile(table))
        return browser
    }

    private static func links(_ page: String, _ text: String) -> [String] {
        page.matches(of: #/<a [^>]*href="(\/page\/library[^"]*)"[^>]*>([^<]*)</#).filter { $0.2 == text }
            .map { String($0.1).replacing("&amp;", with: "&") }
    }

    @Test func `a library is filtered, sorted and turned over by links`() async throws {
        let browser = try await Self.browser(books: 120)
        let first = try browser.open("/page/library").text
        #expect(first.contains("120 books, 1 to 50, newest first") && first.contains("Page 1 of 3"))
        #expect(!first.contains(">Previous<"))
        let next = try browser.open(try #require(Self.links(first, "Next").first)).text
        #expect(next.contains("51 to 100") && next.contains(">Previous<") && next.contains(">Next<"))
        let last = try browser.open("/page/library?page=3").text
        #expect(last.contains("101 to 120") && !last.contains(">Next<"))
        let read = try #require(Self.links(first, "To read").first)
        let filtered = try browser.open(read).text
        #expect(filtered.contains("40 of 120 books") && filtered.contains("Status: To read ✕"))
        let removal = try #require(Self.links(filtered, "Status: To read ✕").first)
        #expect(removal == "/page/library")
        let stars = try browser.open(try #require(Self.links(filtered, "4 stars").first)).text
        #expect(stars.contains("20 of 120 books") && stars.contains("status=to-read"))
        let sorted = try browser.open(try #require(Self.links(filtered, "Title").first)).text
        #expect(sorted.contains("aria-sort=\"ascending\"") && sorted.contains("title, A to Z"))
        let reversed = try browser.open(try #require(Self.links(sorted, "Title").first)).text
        #expect(reversed.contains("aria-sort=\"descending\"") && reversed.contains("sort=-title"))
        let covers = try browser.open(try #require(Self.links(filtered, "Show covers").first)).text
        #expect(covers.contains("class=\"covers\"") && covers.contains("view=covers"))
        await browser.running.server.stop()
    }

    @Test func `words search within what was chosen, and elsewhere if the library has nothing`() async throws
    {
        let browser = try await Self.browser(books: 12)
        let found = try browser.open("/page/library?q=book+1&status=read").text
        #expect(found.contains("1 of 12 books") && found.contains("“book 1” ✕"))
        #expect(found.contains("name=\"status\" value=\"read\""))
        let typo = try browser.open("/page/library?q=bok+3").text
        #expect(typo.contains("0 of 12 books") && typo.contains("Similar titles"))
        let other = try browser.open("/page/library?q=darkness").text
        #expect(other.contains("Similar titles") && other.contains(">catalog<"))
        await browser.running.server.stop()
    }

    @Test func `a change is seen at once, and an address that makes no sense is harmless`() async throws {
        let browser = try await Self.browser(books: 3)
        #expect(try browser.open("/page/library").text.contains("3 books"))
        _ = try browser.done(try browser.importFile("Title,Author\nReef,Bo Ek\n"))
        #expect(try browser.open("/page/library").text.contains("4 books"))
        for query in ["sort=x", "page=999", "status=%3Cb%3E", "rating=x&genre=y", "q=%22%3E"] {
            let page = try browser.open("/page/library?\(query)")
            #expect(page.status == 200 && !page.text.contains("<b>"), "\(query)")
        }
        #expect(try browser.open("/page/library?page=0").status == 400)
        #expect(try browser.open("/page/library?view=x").status == 400)
        await browser.running.server.stop()
    }

    @Test func `an ISBN finds the user's own entry, and each library says whose its books are`() async throws
    {
        let browser = PageBrowser(try await RunningServer())
        for (library, title) in [("anna", "Reef"), ("ben", "Cove")] {
            let rows = "Title,Author,ISBN\n\(title),Ana Lee,9780306406157\nOther,Ana Lee,\n"
            _ = try browser.done(try browser.importFile(rows, library: library))
        }
        let found = try browser.open("/page/library?library=ben&q=0-306-40615-2").text
        #expect(found.contains("1 of 2 books") && !found.contains("Similar titles"), "\(found)")
        #expect(try browser.open("/page/library").text.contains("<td data-name=\"Library\">anna</td>"))
        #expect(!found.contains("data-name=\"Library\""))
        let missing = try browser.open("/page/library?library=nobody")
        #expect(missing.status == 404 && missing.text.contains("There is no library `nobody`."))
        let file = try browser.open("/page/export?format=storygraph&library=ben")
        #expect(file.fields["content-disposition"] == "attachment; filename=\"ben-storygraph.csv\"")
        let book = try browser.open("/page/book?id=9780306406157&library=ben").text
        let (ben, anna) = (book.range(of: "<dd>ben</dd>"), book.range(of: "<dd>anna</dd>"))
        #expect(
            ben != nil
                && (anna == nil || (ben?.lowerBound ?? book.endIndex) < (anna?.lowerBound ?? book.startIndex))
        )
        await browser.running.server.stop()
    }
}
