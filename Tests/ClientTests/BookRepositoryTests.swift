import BookShelf
import BooksTrack
import Foundation
import Testing

/// Books are stored once in an app's own model: the example with SQLite, and the rules.
@Suite struct BookRepositoryTests {
    private static let dune = book("Dune", "Frank Herbert", "9780441013593", pages: 896)

    private static func book(
        _ title: String, _ author: String, _ isbn: String = "", pages: Int? = nil
    ) -> Book {
        var book = Book(isbn: isbn, title: title, authors: author.isEmpty ? [] : [author])
        book.pageCount = pages
        return book
    }

    private static func open(_ path: String) throws -> SQLiteShelf { try SQLiteShelf(path: path) }

    /// A shelf in memory.
    private func shelf() throws -> SQLiteShelf { try SQLiteShelf(path: ":memory:") }

    @Test func `an import that comes twice stores each book once`() async throws {
        let shelf = try shelf()
        let books = [Self.dune, Self.book("Emma", "Jane Austen"), Self.dune]
        #expect(try await shelf.store(books) == 2)
        #expect(try await shelf.store(books) == 2)
        #expect(try await shelf.books().map(\.title) == ["Dune", "Emma"])
    }

    @Test func `a later import fills gaps, and leaves the user's words alone`() async throws {
        let shelf = try shelf()
        try await shelf.store([Self.book("Dune", "Frank Herbert", "9780441013593")])
        try await shelf.note("Read it on the train.", on: "9780441013593")
        try await shelf.store([Self.dune, Self.book("Another title", "", "9780441013593", pages: 1)])
        let stored = try await shelf.books()
        #expect(stored.count == 1)
        #expect(stored.first?.title == "Dune" && stored.first?.pages == 896)
        #expect(stored.first?.note == "Read it on the train.")
    }

    @Test func `a book without an ISBN is the one with its title and author`() async throws {
        for books in [
            [Self.book("DUNE", "frank  herbert"), Self.dune],
            [Self.dune, Self.book("Dune", "Frank Herbert")],
        ] {
            let together = try shelf()
            #expect(try await together.store(books) == 1)
            let apart = try shelf()
            for book in books { try await apart.store([book]) }
            for shelf in [together, apart] {
                #expect(try await shelf.books().map(\.isbn) == ["9780441013593"])
            }
        }
    }

    @Test func `two ISBNs are two books, and so are two authors`() async throws {
        let shelf = try shelf()
        let other = Self.book("Dune", "Frank Herbert", "9780593099322")
        #expect(try await shelf.store([Self.dune, other, Self.book("Dune", "Somebody Else")]) == 3)
        #expect(try await shelf.store([other, Self.dune]) == 2)
        #expect(try await shelf.books().count == 3)
    }

    @Test func `titles are the same without case, accents and blanks`() {
        #expect(
            Self.book("  Les  Misérables ", "Victor HUGO").identity
                == Self.book("les miserables", "Victor Hugo").identity)
        #expect(Self.book("A", "").identity != Self.book("B", "").identity)
    }

    @Test func `a shelf that cannot be opened is an error, and an empty import is none`() async throws {
        let shelf = try shelf()
        #expect(throws: (any Error).self) { try Self.open("/no/such/folder/shelf.sqlite") }
        try await shelf.store([])
        #expect(try await shelf.books().isEmpty)
    }

    @Test func `a book that was looked up is stored like any other`() throws {
        let json = """
            {"work":{"id":"w","title":"Dune","subjectTags":["Science Fiction"],"subjects":[],"isbndbQuality":1,
            "reviewStatus":"verified","contributors":[],"description":"Sand"},
            "edition":{"id":"e","isbns":["9780441013593","0441013597"],"format":"Paperback","isbndbQuality":1,
            "pageCount":896},"authors":[{"name":"Frank Herbert","gender":"Male"}]}
            """
        let found = try JSONDecoder().decode(EnrichedBook.self, from: Data(json.utf8))
        let book = try #require(Book(found))
        #expect(book.identity == Self.dune.identity && book.pageCount == 896)
        #expect(book.authors == ["Frank Herbert"] && book.categories == ["Science Fiction"])
        #expect(book.description == "Sand")
        #expect(Book(try JSONDecoder().decode(EnrichedBook.self, from: Data("{}".utf8))) == nil)
    }

    @Test func `a work of a search names its editions and authors, and an older service need not`() throws {
        func results(_ work: String, _ edition: String, _ author: String) throws -> SearchResults {
            let json = """
                {"works":[{"id":"w","title":"The Memory Police","subjectTags":[],"subjects":[],"isbndbQuality":1,
                "reviewStatus":"verified","contributors":[]\(work)}],
                "editions":[{"id":"f","isbns":[],"format":"Paperback","isbndbQuality":1},
                {"id":"e","isbns":[],"format":"E-book","isbndbQuality":1\(edition)}],
                "authors":[{"name":"Yoko Ogawa","gender":"Female"\(author)}],"books":[]}
                """
            return try JSONDecoder().decode(SearchResults.self, from: Data(json.utf8))
        }
        let new = try results(
            #","originalTitle":"密やかな結晶","authorKeys":["a"],"editionIds":["e","f"]"#,
            #","workId":"w""#, #","key":"a""#)
        let work = try #require(new.works.first)
        #expect(work.originalTitle == "密やかな結晶")
        #expect(new.editions(of: work).map(\.id) == ["e", "f"] && new.editions[1].workID == work.id)
        #expect(new.authors(of: work).map(\.name) == ["Yoko Ogawa"])
        let again = try JSONDecoder().decode(SearchResults.self, from: JSONEncoder().encode(new))
        #expect(again == new)

        let old = try results("", "", "")
        let first = try #require(old.works.first)
        #expect(first.editionIDs == nil && first.originalTitle == nil && old.editions(of: first).isEmpty)
    }

    /// The tutorial's code is compiled and run here.
    @Test func `every file of the example is shown in the tutorial`() throws {
        let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../..").standardized
        let catalog = root.appending(path: "Sources/Client/Sources/BooksTrack/BooksTrack.docc")
        let shown = try String(
            contentsOf: catalog.appending(path: "Tutorials/ImportingALibrary.tutorial"), encoding: .utf8)
        let files = try FileManager.default.contentsOfDirectory(
            atPath: root.appending(path: "Tests/BookShelf").path)
        #expect(files.count >= 5)
        for file in files {
            let link = try FileManager.default.destinationOfSymbolicLink(
                atPath: catalog.appending(path: "Code/\(file)").path)
            #expect(link == "../../../../../../Tests/BookShelf/\(file)")
            #expect(shown.contains("file: \"\(file)\""))
        }
        let dependency = #".product(name: "BooksTrack", package: "Client")"#
        for file in [
            catalog.appending(path: "Code/manifest.txt"),
            root.appending(path: "Tests/ClientApp/Package.swift"),
        ] {
            #expect(try String(contentsOf: file, encoding: .utf8).contains(dependency), "\(file.path)")
        }
    }
}
