import Foundation
import Jobs
import Sources
import TestSupport
import Testing

@testable import Server

/// Deciding on a page which book a record means.
@Suite(.ownThread) struct PageMatchTests {
    /// A server whose catalog has two works with each title.
    private static func browser(_ titles: [String]) async throws -> PageBrowser {
        let sample = try SampleImport(sharing: try await RunningServer.catalog.value)
        let folder = sample.folder
        let works = zip(1..., titles).flatMap { index, title in
            (1...2 as ClosedRange).map { copy in
                "/type/work\t/works/OL\(index)\(copy)W\t1\t2024-01-02T00:00:00\t"
                    + #"{"key": "/works/OL\#(index)\#(copy)W", "title": "\#(title)", "first_publish_date": "19\#(copy)0", "authors": [{"author": {"key": "/authors/OL1A"}}]}"#
            }
        }
        let author =
            "/type/author\t/authors/OL1A\t1\t2024-01-02T00:00:00\t"
            + #"{"key": "/authors/OL1A", "name": "Ada Example"}"#
        let dump = try folder.write((works + [author]).joined(separator: "\n") + "\n", to: "dump.txt")
        let catalog = folder.file("c.sqlite")
        try await CatalogBuilder(output: catalog).build(from: [dump])
        let running = try await RunningServer(sample) {
            $0.catalogs = [catalog]
            $0.jobs.imports.catalogPaths = [catalog]
        }
        return PageBrowser(running)
    }

    private static func file(_ titles: [String]) -> String {
        "Title,Author\n" + titles.map { "\($0),Ada Example\n" }.joined()
    }

    /// Waits until a job that was done before is done again: its stream has an end already.
    private static func end(of path: String, _ browser: PageBrowser) async throws {
        let job = try #require(path.split(separator: "/").last).description
        while browser.running.server.backend.jobs.isActive(job) { await Task.yield() }
    }

    @Test func `a book is decided, and the decision is changed`() async throws {
        let browser = try await Self.browser(["Poems"])
        let path = try browser.importFile(Self.file(["Poems"]))
        #expect(try browser.done(path).text.contains("Decide which"))
        let matches = try browser.open("\(path)/matches")
        #expect(matches.text.contains("value=\"openlibrary/OL11W\""))
        #expect(matches.text.contains("value=\"openlibrary/OL12W\"") && matches.text.contains("Decide later"))
        #expect(matches.text.contains("value=\"later\" checked"))
        // Without a decision nothing happens.
        #expect(try browser.send("\(path)/matches", "row+2=later").next == "\(path)/matches")
        #expect(try browser.send("\(path)/matches", "row+2=openlibrary/OL12W").next == path)
        #expect(try !browser.done(path).text.contains("Decide which"))
        #expect(try browser.open("\(path)/matches").text.contains("nothing to decide"))
        func book() throws -> String {
            try browser.open(try browser.open("/page/library").link("/page/book")).text
        }
        #expect(try book().contains("OL12W"))

        let decisions = try browser.open(try browser.open(path).link("\(path)/matches?list=decided")).text
        #expect(decisions.contains("<h1>Your decisions</h1>") && !decisions.contains("Decide later"))
        #expect(
            decisions.contains("value=\"openlibrary/OL12W\" checked")
                || decisions.contains("value=\"openlibrary/OL12W\" data-best checked"))
        // The same decision again is no change.
        let address = "\(path)/matches?list=decided"
        #expect(try browser.send(address, "row+2=openlibrary/OL12W").next == address)
        #expect(try browser.send(address, "row+2=openlibrary/OL11W").next == path)
        try await Self.end(of: path, browser)
        #expect(try book().contains("OL11W"))
        #expect(try browser.send(address, "row+2=none").next == path)
        try await Self.end(of: path, browser)
        #expect(try !book().contains("OL11W"))
        await browser.running.server.stop()
    }

    @Test func `the best books are chosen together, and what was chosen stays`() async throws {
        let browser = try await Self.browser(["Poems", "Essays"])
        let path = try browser.importFile(Self.file(["Poems", "Essays"]))
        _ = try browser.done(path)
        let page = try browser.send("\(path)/matches", "row+2=none&row+3=later&best=80").answer
        #expect(page.status == 200)
        #expect(page.text.contains("name=\"row 2\" value=\"none\" checked"))
        // Two books that are as much alike are not chosen for the user.
        #expect(page.text.contains("name=\"row 3\" value=\"later\" checked"))
        #expect(try browser.open("\(path)/matches").text.contains("name=\"row 2\" value=\"later\" checked"))
        await browser.running.server.stop()
    }

    @Test func `a decision of another window is not replaced unseen`() async throws {
        let browser = try await Self.browser(["Poems", "Essays"])
        let path = try browser.importFile(Self.file(["Poems", "Essays"]))
        _ = try browser.done(path)
        #expect(try browser.send("\(path)/matches", "row+2=openlibrary/OL11W").next == path)
        _ = try browser.done(path)
        let late = try browser.send("\(path)/matches", "row+2=none&row+3=openlibrary/OL22W").answer
        #expect(
            late.status == 409 && late.text.contains("1 record of this page was decided in another window"))
        #expect(
            late.text.contains("name=\"row 3\" value=\"openlibrary/OL22W\" checked"), "what was chosen stays")
        #expect(late.text.contains("See or change 1 decision"))
        let decisions = try browser.open("\(path)/matches?list=decided").text
        #expect(decisions.contains("openlibrary/OL11W\" checked"))
        await browser.running.server.stop()
    }
}
