import Foundation
import TestSupport
import Testing

@testable import Server

/// The page of a book, over a real connection.
@Suite(.ownThread) struct BookPageTests {
    private static let header =
        "Book Id,Title,Author,ISBN13,My Rating,Exclusive Shelf,Bookshelves,Date Read,Date Added,"
        + "Read Count,Owned Copies,My Review,Spoiler,Private Notes\n"

    @Test func `the page shows what the user has noted, before anything about its origin`() async throws {
        let running = try await RunningServer()
        let row =
            "11,Reef,Ana Lee,,4,read,\"read, sea\",2024/03/09,2023/01/02,2,1,"
            + "\"Calm, <b>deep</b>.<br/><spoiler>It sinks.</spoiler>\",,Lent by Bo\n"
        let browser = PageBrowser(running)
        let (job, token) = try running.accepted(Self.header + row)
        try running.wait(for: job, token)
        let page = try browser.open(try browser.open("/page/library").link("/page/book")).text
        for text in [
            "<h1>Reef</h1>", "Ana Lee", "★★★★", "4 of 5 stars. Read", "<dd>2024-03-09</dd>", "<dd>sea</dd>",
            "<h3>Your review</h3>", "Calm, <strong>deep</strong>.<br><details class=\"spoiler\">",
            "Lent by Bo",
        ] {
            #expect(page.contains(text), "\(text)")
        }
        let origins = try #require(page.range(of: "Where each value comes from"))
        let review = try #require(page.range(of: "Your review"))
        #expect(review.lowerBound < origins.lowerBound)
        #expect(!page.contains("No provider had a value"))
        await running.server.stop()
    }

    @Test func `other books of the series and of the author follow, others do not`() async throws {
        let running = try await RunningServer()
        let books = [
            "1,\"Reef (The Tide, #2)\",Ana Lee", "2,\"Foam (The Tide, #10)\",Ana Lee",
            "3,\"Wave (The Tide, #1)\",Ana Lee",
            "4,Alone,Ana Lee", "5,Ana Lee and I,Bo Ek", "6,\"Ebb (The Tide, #3)\",Cy Do",
        ]
        let (job, token) = try running.accepted(
            Self.header + books.map { "\($0),,4,read,,,,,,,,\n" }.joined())
        try running.wait(for: job, token)
        let browser = PageBrowser(running)
        let library = try browser.open("/page/library?sort=-added").text
        let path = try #require(library.firstMatch(of: #/href="(\/page\/book\?id=[^"]+)">Reef</#)?.1)
        let page = try browser.open(String(path).replacing("&amp;", with: "&")).text
        let series = try #require(page.range(of: "More of <bdi>The Tide</bdi>"))
        let others = try #require(page.range(of: "More by <bdi>Ana Lee</bdi>"))
        let volumes = page[series.upperBound..<others.lowerBound]
        let (wave, foam) = (volumes.range(of: ">Wave<"), volumes.range(of: ">Foam<"))
        #expect(try #require(wave).lowerBound < #require(foam).lowerBound, "by number, not by text")
        #expect(
            volumes.contains("#10 · Ana Lee") && !volumes.contains(">Ebb<") && !volumes.contains(">Reef<"))
        #expect(page[others.upperBound...].contains(">Alone<") && !page.contains("Ana Lee and I"))
        await running.server.stop()
    }

    @Test func `a review that tells the plot is folded as a whole`() async throws {
        let running = try await RunningServer()
        let (job, token) = try running.accepted(
            Self.header + "11,Reef,Ana Lee,,,to-read,,,,,,It sinks.,true,\n")
        try running.wait(for: job, token)
        let browser = PageBrowser(running)
        let page = try browser.open(try browser.open("/page/library").link("/page/book")).text
        #expect(page.contains("<summary>It tells the plot</summary>") && page.contains("To read"))
        #expect(!page.contains("class=\"stars\"") && !page.contains("Your notes"))
        await running.server.stop()
    }
}
