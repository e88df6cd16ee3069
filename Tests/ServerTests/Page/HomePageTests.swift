import Foundation
import Queries
import TestSupport
import Testing

@testable import Server

/// The first page, and the navigation of all pages.
@Suite(.ownThread) struct HomePageTests {
    @Test func `jobs that ran without the server are listed, and lead to their pages`() async throws {
        let browser = PageBrowser(try await RunningServer(importing: true))
        let first = try browser.open("/").text
        let link = try #require(first.firstMatch(of: #/<li><a href="(\/page\/jobs\/[^"]*)">([^<]*)</#))
        #expect(!link.2.contains("/") && first.contains("state completed") && first.contains("records"))
        let job = try browser.open(String(link.1))
        #expect(job.status == 200 && job.text.contains("new books"))
        _ = try browser.done(try browser.importFile("Title,Author\nReef,Bo Ek\n", name: "later.csv"))
        let second = try browser.open("/").text
        let names = second.matches(of: #/<li><a href="\/page\/jobs\/[^"]*">([^<]*)</#).map { String($0.1) }
        #expect(names.count == 2 && names.first == "later.csv" && names.last == String(link.2))
        await browser.running.server.stop()
    }

    @Test func `with private results, or a token of a user, they are not`() async throws {
        let hidden = PageBrowser(try await RunningServer(importing: true) { $0.hasPrivateResults = true })
        #expect(try hidden.open("/").text.contains("There are none yet."))
        await hidden.running.server.stop()
        let tokens = try ServerTokens(parsing: "anna \(Secret.hexHash("a")) import,search", named: "tokens")
        let browser = try PageBrowser(try await RunningServer(tokens: tokens, importing: true), token: "a")
        #expect(try browser.open("/").text.contains("There are none yet."))
        await browser.running.server.stop()
    }

    @Test func `times are UTC for browsers without scripts`() {
        var html = HTML()
        PageText.moment(1_764_576_123_456, &html)
        #expect(
            String(decoding: html.bytes, as: UTF8.self)
                == #"<time datetime="2025-12-01T08:02:03Z">2025-12-01 08:02 UTC</time>"#)
    }

    @Test func `books to decide stand in the navigation`() throws {
        var viewer = PageViewer(isSignedIn: false, base: try #require(BasePath("/books")))
        func page() -> String {
            String(decoding: PageFrame(title: "Any", viewer: viewer).document { _ in }, as: UTF8.self)
        }
        #expect(!page().contains("to decide"))
        viewer.undecided = [("spring", 1_200), ("winter", 34)]
        #expect(page().contains("<a href=\"/books/page/jobs/spring/matches\">1,234 to decide</a>"))
    }
}
