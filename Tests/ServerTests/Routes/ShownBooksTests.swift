import Books
import Foundation
import Jobs
import Services
import Sources
import System
import TestSupport
import Testing

@testable import Server

/// Titles, editions and the keys that join them, over a real connection.
@Suite(.ownThread) struct ShownBooksTests {
    typealias Dump = DumpFixture

    /// A translation of the sample, and its work's own title.
    private static let (isbn, title, original) = ("9781101870600", "The Memory Police", "密やかな結晶")

    private static func list(_ data: [String: Any], _ name: String) -> [[String: Any]] {
        data[name] as? [[String: Any]] ?? []
    }

    private static func texts(_ objects: [[String: Any]], _ name: String) -> [String] {
        objects.compactMap { $0[name] as? String }
    }

    @Test func `a translation has the title of its edition in every answer and on every page`() async throws {
        let running = try await RunningServer(importing: true)
        for target in ["isbn?isbn=\(Self.isbn)", "title?q=memory+police", "author?q=ogawa"] {
            let data = try running.data("/v1/search/\(target)")
            let work = try #require(Self.list(data, "works").first, "\(target)")
            #expect(
                work["title"] as? String == Self.title && work["originalTitle"] as? String == Self.original)
            #expect(Self.texts(Self.list(data, "books"), "title").first == Self.title)
            #expect(Self.texts(Self.list(data, "editions"), "editionTitle").contains(Self.title))
        }
        let browser = PageBrowser(running)
        let found = try browser.open("/page/library?q=memory+police").text
        #expect(found.contains(Self.title) && !found.contains(Self.original))
        let page = try browser.open("/page/book?id=\(Self.isbn)").text
        #expect(page.contains("<h1 lang=\"en\" dir=\"auto\">\(Self.title)</h1>"))
        #expect(page.contains("Original title: <bdi>\(Self.original)</bdi>"))
        let change = try browser.send("/page/book", "id=\(Self.isbn)&field=publisher&value=Vintage")
        #expect(change.answer.status == 303, "\(change.answer.text)")
        let library = try browser.open("/page/library").text
        #expect(library.contains("Corrected publisher of \(Self.title)"))
        let undo = try browser.open(try browser.open("/page/library").link("/page/undo")).text
        #expect(undo.contains("Corrected publisher of \(Self.title)") && !undo.contains(Self.original))
        await running.server.stop()
    }

    @Test func `works, editions and authors of an answer can be joined`() async throws {
        let running = try await RunningServer(importing: true)
        for target in ["isbn?isbn=\(Self.isbn)", "author?q=Le%20Guin", "title?q=the+left+hand"] {
            let data = try running.data("/v1/search/\(target)")
            let (works, editions) = (Self.list(data, "works"), Self.list(data, "editions"))
            let authors = Set(Self.texts(Self.list(data, "authors"), "key"))
            #expect(!works.isEmpty && !editions.isEmpty && !authors.isEmpty)
            #expect(Set(Self.texts(editions, "workId")) == Set(Self.texts(works, "id")))
            for work in works {
                let own = editions.filter { $0["workId"] as? String == work["id"] as? String }
                #expect(work["editionIds"] as? [String] == Self.texts(own, "id"))
                let keys = try #require(work["authorKeys"] as? [String])
                #expect(!keys.isEmpty && authors.isSuperset(of: keys))
            }
        }
        await running.server.stop()
    }

    // MARK: Editions

    /// A catalog of one work with twelve editions.
    private static func catalog() async throws -> CatalogFixture {
        var lines = [
            Dump.author(1, #""name": "Ada Example""#),
            Dump.work(1, #""title": "Il mare""#, author: 1),
            Dump.edition(
                1,
                #""title": "The Sea", "publish_date": "1990", "isbn_13": ["\#(Dump.isbn(1))"], "languages": [{"key": "/languages/eng"}]"#,
                work: 1),
            Dump.edition(
                2,
                #""title": "Das Meer", "publish_date": "2001", "isbn_13": ["\#(Dump.isbn(2))"], "languages": [{"key": "/languages/ger"}]"#,
                work: 1),
        ]
        lines += (3...12).map { number in
            Dump.edition(
                number,
                #""title": "La mer", "publish_date": "\#(1990 + number)", "isbn_13": ["\#(Dump.isbn(number))"], "languages": [{"key": "/languages/fre"}]"#,
                work: 1)
        }
        return try await CatalogFixture(lines)
    }

    private static func server(
        _ catalog: CatalogFixture, _ change: @escaping (inout ServerSettings) -> Void = { _ in }
    ) async throws -> RunningServer {
        let catalog = catalog.path
        return try await RunningServer {
            $0.catalogs = [catalog]
            $0.jobs.imports.catalogPaths = [catalog]
            change(&$0)
        }
    }

    @Test func `a search shows up to ten editions of a work, in the language that the client accepts`()
        async throws
    {
        let catalog = try await Self.catalog()
        let running = try await Self.server(catalog)
        func search(_ languages: String?, _ target: String = "author?q=ada+example") throws -> [String: Any] {
            let answer = try running.request(
                "GET", "/v1/search/\(target)", languages.map { [("Accept-Language", $0)] } ?? [])
            #expect(answer.fields["vary"]?.contains("Accept-Language") == true)
            return try #require(try answer.json()["data"] as? [String: Any])
        }
        let french = try search("xx;q=0.9, fr-FR, de;q=0")
        #expect(Self.texts(Self.list(french, "works"), "title") == ["La mer"])
        #expect(Self.texts(Self.list(french, "works"), "originalTitle") == ["Il mare"])
        let dates = Self.texts(Self.list(french, "editions"), "publicationDate")
        #expect(dates == (1993...2002).reversed().map { "\($0)" }, "the newest first")
        let german = try search("de-AT, en;q=0.5, fr;q=0.1")
        #expect(
            Self.texts(Self.list(german, "editions"), "title").prefix(3) == ["Das Meer", "The Sea", "La mer"])
        #expect(Self.list(german, "editions").count == 10)
        #expect(Self.texts(Self.list(german, "books"), "title") == ["Das Meer"])
        // What is asked for goes first, whatever the client reads.
        let asked = try search("de", "isbn?isbn=\(Dump.isbn(1))")
        #expect(Self.texts(Self.list(asked, "editions"), "title").prefix(2) == ["The Sea", "Das Meer"])
        #expect(Self.texts(Self.list(asked, "works"), "title") == ["The Sea"])
        await running.server.stop()
    }

    @Test func `the edition of the reader goes first, and those of the catalog follow`() async throws {
        let catalog = try await Self.catalog()
        let running = try await Self.server(catalog)
        let (job, token) = try running.accepted("Title,Author,ISBN\nThe Sea,Ada Example,\(Dump.isbn(1))\n")
        try running.wait(for: job, token)
        let answer = try running.request(
            "GET", "/v1/search/title?q=il+mare", [("Accept-Language", "de")])
        let data = try #require(try answer.json()["data"] as? [String: Any])
        #expect(Self.texts(Self.list(data, "works"), "title") == ["The Sea"])
        let titles = Self.texts(Self.list(data, "editions"), "title")
        #expect(titles.count == 10 && titles.prefix(3) == ["The Sea", "Das Meer", "La mer"])
        await running.server.stop()
    }

    /// Google Books with five volumes of one ISBN, which the other services do not know.
    private struct FiveVolumes: HTTPTransport {
        let isbn: String
        let others = HeldTransport()

        func send(_ request: HTTPRequest) async throws(HTTPFailure) -> HTTPResponse {
            guard request.url.contains("/volumes?") else { return try await others.send(request) }
            let items = (1...5).map { number in
                #"""
                {"id": "vol\#(number)", "volumeInfo": {"title": "The Great Gatsby", "publisher": "House \#(number)",
                "publishedDate": "\#(1990 + number)", "authors": ["F. Scott Fitzgerald"],
                "averageRating": 4.5, "ratingsCount": \#(number),
                "industryIdentifiers": [{"type": "ISBN_13", "identifier": "\#(isbn)"}],
                "imageLinks": {"thumbnail": "http://books.google.com/books/content?id=vol\#(number)&zoom=1&edge=curl"}}}
                """#
            }
            return HTTPResponse(
                status: 200,
                body: Array(#"{"totalItems": 5, "items": [\#(items.joined(separator: ","))]}"#.utf8))
        }
    }

    @Test func `five volumes of Google Books with one ISBN are one work with five editions`() async throws {
        let isbn = FakeClient.isbns(known: 1, unknown: 1).unknown[0].isbn13
        // Services collect questions for a moment, for which time must pass.
        let running = try await RunningServer(clock: SystemClock()) { settings in
            settings.jobs.imports.services = ServiceSettings.fake(over: FiveVolumes(isbn: isbn)).always
        }
        let (job, token) = try running.accepted(
            "Title,Author,ISBN\nThe Great Gatsby,F. Scott Fitzgerald,\(isbn)\n",
            fields: [("providers", "google-books")])
        try running.wait(for: job, token)
        let data = try running.data("/v1/search/isbn?isbn=\(isbn)")
        let (works, editions) = (Self.list(data, "works"), Self.list(data, "editions"))
        #expect(works.count == 1 && editions.count == 5)
        #expect(Set(Self.texts(editions, "publisher")) == Set((1...5).map { "House \($0)" }))
        #expect(Set(Self.texts(editions, "id")).count == 5)
        #expect(editions.allSatisfy { $0["isbn"] as? String == isbn })
        #expect(
            Set(works.first?["googleBooksVolumeIDs"] as? [String] ?? []) == Set((1...5).map { "vol\($0)" }))
        let covers = Self.texts(editions, "coverImageURL")
        #expect(covers.count == 5 && covers.allSatisfy { $0.hasSuffix("zoom=0") }, "\(covers)")
        await running.server.stop()
    }

    @Test func `a search that asks Google Books has all five editions, the rating and the author's key`()
        async throws
    {
        let isbn = FakeClient.isbns(known: 1, unknown: 1).unknown[0].isbn13
        let running = try await RunningServer(clock: SystemClock()) { settings in
            var services = ServiceSettings.fake(
                at: "http://fake.test", ["google-books"], limits: FakeClient.limits)
            services.transport = FiveVolumes(isbn: isbn)
            let asked = services
            settings.jobs.lookUps.services = { (_, _, _) throws(ETLError) in asked }
            // A busy machine needs minutes for what takes milliseconds.
            settings.searchTimeout = 3_600_000_000_000
        }
        for target in [
            "title?q=the+great+gatsby", "author?q=fitzgerald", "isbn?isbn=\(isbn)",
            "advanced?title=gatsby&author=fitzgerald",
        ] {
            let data = try running.data("/v1/search/\(target)")
            let (works, editions) = (Self.list(data, "works"), Self.list(data, "editions"))
            #expect(works.count == 1 && editions.count == 5, "\(target)")
            #expect(Set(Self.texts(editions, "publisher")) == Set((1...5).map { "House \($0)" }))
            #expect(works.first?["editionIds"] as? [String] == Self.texts(editions, "id"))
            #expect(Set(Self.texts(editions, "id")).count == 5)
            let books = Self.list(data, "books")
            #expect(books.map { $0["averageRating"] as? Double } == [4.5], "\(target)")
            #expect(books.first?["ratingsCount"] is Int)
            #expect(works.first?["authorKeys"] as? [String] == ["name:f scott fitzgerald"])
            #expect(Self.texts(Self.list(data, "authors"), "key") == ["name:f scott fitzgerald"])
        }
        await running.server.stop()
    }

    @Test(arguments: ["Year Published", "Publication Date"])
    func `a row's year does not replace the catalog's day in it`(column: String) async throws {
        let running = try await RunningServer()
        let isbn = "9780553383041"
        let table = "Title,Author,ISBN,\(column)\nA Wizard of Earthsea,Ursula K. Le Guin,\(isbn),2004\n"
        let (job, token) = try running.upload(table).acceptedJob()
        try running.wait(for: job, token)
        let results = try running.data("/v1/jobs/\(job)/results", token: token)
        let book = try #require((results["books"] as? [[String: Any]])?.first)
        #expect(book["publishedDate"] as? String == "2004-05-05", "\(book)")
        let found = try running.data("/v1/search/isbn?isbn=\(isbn)")
        let edition = try #require((found["editions"] as? [[String: Any]])?.first)
        #expect(edition["publicationDate"] as? String == "2004-05-05", "\(edition)")
        await running.server.stop()
    }

    @Test func `a binding is told if a source states it, by services and in the store`() async throws {
        let isbn = FakeClient.isbns(known: 1, unknown: 0).known[0].isbn13
        for (name, isStated) in [("openlibrary", true), ("isbndb", true), ("google-books", false)] {
            let running = try await ServiceSearchTests.server(HeldTransport(), [name])
            let data = try running.data("/v1/search/isbn?isbn=\(isbn)")
            let edition = try #require(Self.list(data, "editions").first)
            #expect(edition["physicalFormat"] as? String == (isStated ? edition["format"] as? String : nil))
            await running.server.stop()
        }
        let running = try await RunningServer()
        let (job, token) = try running.accepted(
            "Title,Author,ISBN,Binding\nBound,Ada Binder,9780306406157,Hardcover\nLoose,Ada Binder,,\n")
        try running.wait(for: job, token)
        let found = try running.data("/v1/search/author?q=ada+binder")
        let editions = Self.list(found, "editions").sorted {
            $0["title"] as? String ?? "" < $1["title"] as? String ?? ""
        }
        #expect(Self.texts(editions, "format") == ["Hardcover", "Paperback"])
        #expect(editions.map { $0["physicalFormat"] as? String } == ["Hardcover", nil])
        await running.server.stop()
    }

    @Test func `tags are genres first, then topics`() async throws {
        let folder = try TemporaryFolder()
        let lines = [
            Dump.author(1, #""name": "Ada Example""#),
            Dump.work(
                1,
                #""title": "The Wand", "subjects": ["Magic -- Juvenile fiction", "Fantasy fiction", "Friendship -- Fiction", "Orphans", "Great Britain", "Accessible book"]"#,
                author: 1),
            Dump.edition(1, #""title": "The Wand", "isbn_13": ["\#(Dump.isbn(1))"]"#, work: 1),
        ]
        let dump = try folder.write(lines.map { $0 + "\n" }.joined(), to: "dump.txt")
        let catalog = folder.file("c.sqlite")
        try await CatalogBuilder(output: catalog).build(from: [dump])
        let running = try await RunningServer {
            $0.catalogs = [catalog]
            $0.jobs.imports.catalogPaths = [catalog]
        }
        let catalogs = try running.data("/v1/search/isbn?isbn=\(Dump.isbn(1))")
        let (job, token) = try running.accepted("Title,Author,ISBN\nThe Wand,Ada Example,\(Dump.isbn(1))\n")
        try running.wait(for: job, token)
        let stored = try running.data("/v1/search/title?q=the+wand")
        for data in [catalogs, stored] {
            let tags = try #require(Self.list(data, "works").first?["subjectTags"] as? [String])
            #expect(tags.suffix(4) == ["Magic", "Friendship", "Orphans", "Great Britain"], "\(tags)")
            #expect(tags.contains("Fantasy") && tags.first != "Magic")
        }
        await running.server.stop()
    }
}
