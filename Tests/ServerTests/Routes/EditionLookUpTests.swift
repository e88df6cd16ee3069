import Formats
import Foundation
import Jobs
import Pipeline
import Store
import TestSupport
import Testing

@testable import Server

/// A book that gets another ISBN on its page: the edition is looked up.
@Suite(.ownThread) struct EditionLookUpTests {
    private static let (paperback, hardcover, unknown) = ("9780306406157", "9780441013593", "9780441172719")

    /// A server with a book, and a catalog that knows two editions of it.
    ///
    /// - Parameter asks: Whether stored books can be looked up.
    private static func server(asks: Bool = true) async throws -> RunningServer {
        let folder = try TemporaryFolder()
        func line(_ type: String, _ key: String, _ fields: String) -> String {
            "/type/\(type)\t\(key)\t1\t2024-01-02T00:00:00\t{\"key\": \"\(key)\", \(fields)}"
        }
        let lines = [
            line(
                "work", "/works/OL1W",
                #""title": "Reef", "authors": [{"author": {"key": "/authors/OL1A"}}]"#),
            line(
                "edition", "/books/OL1M",
                #""title": "Reef", "publishers": ["North"], "number_of_pages": 111, "isbn_13": ["\#(paperback)"], "works": [{"key": "/works/OL1W"}]"#
            ),
            line(
                "edition", "/books/OL2M",
                #""title": "Reef", "publishers": ["South"], "number_of_pages": 222, "isbn_13": ["\#(hardcover)"], "works": [{"key": "/works/OL1W"}]"#
            ),
            line("author", "/authors/OL1A", #""name": "Ana Lee""#),
        ]
        let dump = try folder.write(lines.joined(separator: "\n") + "\n", to: "dump.txt")
        let sample = try SampleImport(sharing: try await RunningServer.catalog.value)
        let catalog = sample.folder.file("reef.sqlite")
        try await CatalogBuilder(output: catalog).build(from: [dump])
        let definition = try DefinitionFile.read(
            DefinitionFile.load("\(ProjectFiles.root)/Pipelines/batch_enrichment.yaml"),
            named: "batch_enrichment.yaml", overrides: [])
        return try await RunningServer(sample) { settings in
            settings.catalogs = [catalog]
            settings.jobs.imports.catalogPaths = [catalog]
            guard asks else { return }
            var request = settings.jobs.imports
            request.reading.files = []
            request.definition = definition
            request.mode = .refresh(RefreshRequest(RefreshOptions(mode: .replace)))
            settings.jobs.refreshes = request
        }
    }

    /// A browser that has imported the paperback.
    private static func browser(_ running: RunningServer) throws -> PageBrowser {
        let browser = PageBrowser(running)
        _ = try browser.done(
            try browser.importFile("Title,Author,ISBN,My Rating\nReef,Ana Lee,\(paperback),4\n"))
        let page = try browser.open("/page/book?id=\(paperback)").text
        #expect(page.contains("North") && page.contains("111 pages"))
        return browser
    }

    private static func change(_ browser: PageBrowser, to isbn: String) throws -> String {
        let sent = try browser.send("/page/book", "id=\(paperback)&field=isbn&value=\(isbn)")
        #expect(sent.answer.status == 303, "\(sent.answer.text)")
        return sent.next
    }

    @Test func `the book has the data of the new edition, and one undo brings the former one back`()
        async throws
    {
        let browser = try Self.browser(try await Self.server())
        let job = try browser.done(try Self.change(browser, to: Self.hardcover))
        #expect(job.text.contains("<h1>Look-up done</h1>"))
        #expect(
            job.text.contains("The book has the data of the edition with the ISBN \(Self.hardcover) now."))
        let book = try browser.open(try job.link("/page/book"))
        #expect(book.text.contains("South") && book.text.contains("222 pages"), "\(book.text)")
        #expect(!book.text.contains(", 111 pages") && book.text.contains("4 of 5"))
        let undo = try browser.open(try job.link("/page/undo"))
        #expect(undo.text.contains("Undo all 2 changes"), "\(undo.text)")
        #expect(try browser.send("/page/undo", undo.hiddenFields).answer.status == 303)
        let former = try browser.open("/page/book?id=\(Self.paperback)").text
        #expect(former.contains("North") && former.contains("111 pages"))
        #expect(try browser.open("/page/book?id=\(Self.hardcover)").status == 404)
        await browser.running.server.stop()
    }

    @Test func `an ISBN that nobody knows stays, and the page says so`() async throws {
        let browser = try Self.browser(try await Self.server())
        let job = try browser.done(try Self.change(browser, to: Self.unknown))
        #expect(job.text.contains("Nothing new was found. The book has the ISBN \(Self.unknown)"))
        let book = try browser.open(try job.link("/page/book")).text
        #expect(book.contains("ISBN \(Self.unknown)") && book.contains("North"))
        await browser.running.server.stop()
    }

    @Test func `without a catalog and a service the ISBN is only changed`() async throws {
        let browser = try Self.browser(try await Self.server(asks: false))
        let page = try Self.change(browser, to: Self.hardcover)
        #expect(page.hasPrefix("/page/book?id=\(Self.hardcover)&changed="))
        #expect(try browser.open(page).text.contains("Saved."))
        await browser.running.server.stop()
    }
}
