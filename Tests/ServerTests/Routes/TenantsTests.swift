import Foundation
import TestSupport
import Testing

@testable import Server

/// Users with a token and a library each, on one store: what is one's own does not show to the other.
@Suite(.ownThread) struct TenantsTests {
    /// Tokens `abc` of anna, `def` of ben, and `ghi` of an administrator.
    private static let tokens = """
        anna ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad search,import anna
        ben cb8379ac2098aa165029e3938a51da0bcecfc008fd6795f401178647f96c5b34 search,import ben
        root 50ae61e841fac4e8f9e40baf2ad36ec868922ea48368c18f9535e47db56dd7fb admin
        """
    private static let shared = "9780306406157"
    private static let secret = "9781234567897"

    /// A server on which both have one book, and anna another one.
    private static func server() async throws -> RunningServer {
        let running = try await RunningServer(
            tokens: try ServerTokens(parsing: tokens, named: "tokens"))
        let header = "Title,Author,ISBN,My Review\n"
        for (token, table) in [
            ("abc", "\(header)Reef,Ana Lee,\(shared),\nMy Diary of Sorrows,Ana Lee,\(secret),private\n"),
            ("def", "\(header)Reef,Ana Lee,\(shared),\n"),
        ] {
            let browser = try PageBrowser(running, token: token)
            _ = try browser.done(try browser.importFile(table))
        }
        return running
    }

    private static func titles(_ path: String, _ token: String, _ running: RunningServer) throws -> [String] {
        let answer = try running.request("GET", path, [("Authorization", "Bearer \(token)")])
        let data = try answer.json()["data"] as? [String: Any]
        return (data?["works"] as? [[String: Any]] ?? []).compactMap { $0["title"] as? String }
    }

    @Test(arguments: [
        "/v1/search/isbn?isbn=\(secret)", "/v1/search/title?q=diary+of+sorrows",
        "/v1/search/advanced?title=diary&author=ana+lee",
    ])
    func `a search finds one's own books, whatever others have asked before`(path: String) async throws {
        let running = try await Self.server()
        for _ in 1...2 {
            #expect(try Self.titles(path, "abc", running) == ["My Diary of Sorrows"])
            #expect(try Self.titles(path, "def", running) == [])
            #expect(try Self.titles(path, "ghi", running) == ["My Diary of Sorrows"])
        }
        #expect(try Self.titles("/v1/search/isbn?isbn=\(Self.shared)", "def", running) == ["Reef"])
        await running.server.stop()
    }

    @Test func `catalogs are found by everybody`() async throws {
        let running = try await Self.server()
        let path = "/v1/search/isbn?isbn=9780441007318"
        for token in ["abc", "def"] {
            #expect(try Self.titles(path, token, running) == ["The Left Hand of Darkness"])
        }
        await running.server.stop()
    }

    @Test func `pages and look-ups show no book that only another library has`() async throws {
        let running = try await Self.server()
        let (anna, ben) = (try PageBrowser(running, token: "abc"), try PageBrowser(running, token: "def"))
        #expect(try anna.open("/page/book?id=\(Self.secret)").text.contains("My Diary of Sorrows"))
        #expect(try ben.open("/page/book?id=\(Self.secret)").status == 404)
        #expect(try ben.open("/page/book?id=\(Self.shared)").status == 200)
        for path in [
            "/page/library?q=diary", "/page/library?q=\(Self.secret)", "/page/library", "/page/export",
        ] {
            let text = try ben.open(path).text
            #expect(!text.contains("Sorrows") && !text.contains("private"), "\(path)")
        }
        let answer = try running.request(
            "POST", "/api/v2/books/enrich", [("Authorization", "Bearer def")],
            body: "{\"barcode\":\"\(Self.secret)\"}")
        #expect(answer.status == 404)
        await running.server.stop()
    }

    @Test func `nothing of another user's file shows on a page`() async throws {
        let running = try await Self.server()
        let (anna, ben) = (try PageBrowser(running, token: "abc"), try PageBrowser(running, token: "def"))
        _ = try anna.done(
            try anna.importFile(
                "Book Id,Title,Author,ISBN13,Publisher\n777001,Reef,Ana Lee,\(Self.shared),Deep Press\n"))
        let (hers, his) = (
            try anna.open("/page/book?id=\(Self.shared)").text,
            try ben.open("/page/book?id=\(Self.shared)").text
        )
        #expect(hers.contains("Deep Press") && hers.contains("777001"))
        for word in ["Deep Press", "nother user", "777001"] { #expect(!his.contains(word), "\(word)") }
        // Rows are counted in whatever was imported last.
        for row in 1...3 { #expect(try ben.open("/page/book?id=row:\(row)").status == 404) }
        await running.server.stop()
    }

    @Test func `a book can get an ISBN that a book of another library has`() async throws {
        let running = try await Self.server()
        let ben = try PageBrowser(running, token: "def")
        _ = try ben.done(try ben.importFile("Title,Author,ISBN\nCove,Ida Ray,9780140328721\n"))
        // One's own is refused, and named.
        let own = try ben.send("/page/book", "id=9780140328721&field=isbn&value=\(Self.shared)").answer
        #expect(own.status == 400 && own.text.contains("Reef"))
        let set = try ben.send("/page/book", "id=9780140328721&field=isbn&value=\(Self.secret)").answer
        #expect(set.status == 303)
        #expect(try Self.titles("/v1/search/isbn?isbn=\(Self.secret)", "def", running) == ["Cove"])
        #expect(
            try Self.titles("/v1/search/isbn?isbn=\(Self.secret)", "abc", running) == ["My Diary of Sorrows"])
        await running.server.stop()
    }

    @Test func `a correction of a book that only another library has is answered as one of no book`()
        async throws
    {
        let running = try await Self.server()
        let (anna, ben) = (try PageBrowser(running, token: "abc"), try PageBrowser(running, token: "def"))
        _ = try anna.done(
            try anna.importFile("Book Id,Title,Author,ISBN13\n777002,Hidden Log,Ana Lee,9780140328721\n"))
        let unknown = try ben.send("/page/book", "id=9780441013593&field=title&value=q").answer
        #expect(unknown.status == 404 && unknown.text.contains("This book is not in the library."))
        for id in [
            Self.secret, "isbn:\(Self.secret)", "9780140328721", "id:777002", "title:hidden",
            "title:hidden+log|ana+lee",
        ] {
            for field in ["title", "rating", "isbn"] {
                let value = field == "isbn" ? "9780441013593" : "5"
                let refused = try ben.send("/page/book", "id=\(id)&field=\(field)&value=\(value)").answer
                #expect(refused.status == 404 && refused.text == unknown.text, "\(id) \(field)")
            }
        }
        await running.server.stop()
    }

    @Test func `each user corrects books for themselves, also those that others have`() async throws {
        let running = try await Self.server()
        let (anna, ben) = (try PageBrowser(running, token: "abc"), try PageBrowser(running, token: "def"))
        #expect(try ben.open("/page/book?id=\(Self.shared)").text.contains("<option value=\"title\">"))
        #expect(
            try ben.send("/page/book", "id=\(Self.shared)&field=title&value=Ben%27s+Reef").answer.status
                == 303)
        #expect(try ben.open("/page/book?id=\(Self.shared)").text.contains("<h1>Ben&#39;s Reef</h1>"))
        let hers = try anna.open("/page/book?id=\(Self.shared)").text
        #expect(hers.contains("<h1>Reef</h1>") && !hers.contains("Ben"))
        // Who imports the book later does not learn it either.
        _ = try anna.done(try anna.importFile("Title,Author,ISBN\nReef,Ana Lee,\(Self.shared)\n"))
        #expect(try Self.titles("/v1/search/isbn?isbn=\(Self.shared)", "abc", running) == ["Reef"])
        #expect(try Self.titles("/v1/search/isbn?isbn=\(Self.shared)", "def", running) == ["Ben's Reef"])
        await running.server.stop()
    }

    @Test func `an administrator is shown each library's own book, and corrects it there`() async throws {
        let running = try await Self.server()
        let (ben, root) = (try PageBrowser(running, token: "def"), try PageBrowser(running, token: "ghi"))
        #expect(
            try ben.send("/page/book", "id=\(Self.shared)&field=title&value=Ben%27s").answer.status == 303)
        let list = try root.open("/page/library").text
        for library in ["anna", "ben"] {
            #expect(list.contains("/page/book?id=isbn%3A\(Self.shared)&amp;library=\(library)"))
        }
        let page = "/page/book?id=\(Self.shared)&library="
        #expect(try root.open(page + "anna").text.contains("<h1>Reef</h1>"))
        #expect(try root.open(page + "ben").text.contains("<h1>Ben&#39;s</h1>"))
        #expect(try root.open(page + "nobody").status == 404)
        let (answer, _) = try root.send("/page/book", "id=\(Self.shared)&library=ben&field=title&value=Cay")
        #expect(answer.status == 303 && answer.fields["location"]?.contains("&library=ben&changed=") == true)
        #expect(try ben.open("/page/book?id=\(Self.shared)").text.contains("<h1>Cay</h1>"))
        // A user's own library is shown, whatever a link says.
        #expect(try ben.open(page + "anna").text.contains("<h1>Cay</h1>"))
        await running.server.stop()
    }

    /// A store whose libraries were made without tokens, so that they share books.
    private static func sharing() async throws -> RunningServer {
        var sample = try SampleImport(sharing: try await RunningServer.catalog.value)
        for (library, rows) in [
            ("anna", "Reef,Ana Lee,\(shared)\nMy Diary of Sorrows,Ana Lee,\(secret)\n"),
            ("ben", "Reef,Ana Lee,\(shared)\nCove,Ida Ray,9780140328721\n"),
        ] {
            sample.library = library
            sample.files = [try sample.folder.write("Title,Author,ISBN\n\(rows)", to: "\(library).csv")]
            try await sample.run("library.sqlite")
        }
        return try await RunningServer(sample, tokens: try ServerTokens(parsing: tokens, named: "tokens"))
    }

    @Test func `nobody corrects for others what libraries share`() async throws {
        let running = try await Self.sharing()
        let (anna, ben) = (try PageBrowser(running, token: "abc"), try PageBrowser(running, token: "def"))
        let page = try ben.open("/page/book?id=\(Self.shared)").text
        #expect(!page.contains("<option value=\"title\">") && page.contains("<option value=\"rating\">"))
        let refused = try ben.send("/page/book", "id=\(Self.shared)&field=title&value=Stolen").answer
        #expect(refused.status == 400 && refused.text.contains("Another library has this book"))
        #expect(try anna.open("/page/book?id=\(Self.shared)").text.contains("<h1>Reef</h1>"))
        // What is one's own stays one's own to correct.
        #expect(try ben.send("/page/book", "id=\(Self.shared)&field=rating&value=4").answer.status == 303)
        #expect(try anna.send("/page/book", "id=\(Self.secret)&field=title&value=Diary").answer.status == 303)
        let root = try PageBrowser(running, token: "ghi")
        #expect(try root.send("/page/book", "id=\(Self.shared)&field=title&value=Reefs").answer.status == 303)
        #expect(try anna.open("/page/book?id=\(Self.shared)").text.contains("<h1>Reefs</h1>"))
        // A refused ISBN does not name the book of another library.
        let isbn = try ben.send("/page/book", "id=9780140328721&field=isbn&value=\(Self.secret)").answer
        #expect(isbn.status == 400 && isbn.text.contains("This book cannot have the ISBN \(Self.secret)"))
        for word in ["Diary", "nother library"] { #expect(!isbn.text.contains(word), "\(word)") }
        await running.server.stop()
    }
}
