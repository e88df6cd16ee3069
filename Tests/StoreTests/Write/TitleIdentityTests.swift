import TestSupport
import Testing

@testable import Books
@testable import Database
@testable import Store

/// Rows without an ISBN that have the same title, author and language.
@Suite struct TitleIdentityTests {
    private typealias Row = (series: String, publisher: String, year: String)

    /// The numbers of works and editions, and the codes of warnings, after an import of *Emma* by rows with different
    /// source ids.
    private func imported(_ rows: [Row]) async throws -> (works: Int, editions: Int, merged: Int) {
        let store = try FilledStore()
        let lines = rows.enumerated().map { number, row in
            SmallLibrary.row(
                "\(number + 1)", "Emma\(row.series)", "Jane Austen", publisher: row.publisher, year: row.year)
        }
        try await store.importing(
            [([SmallLibrary.header] + lines).joined(separator: "\n") + "\n"], job: "job")
        let connection = try store.open()
        func number(_ sql: String) throws -> Int { try Int(connection.number(sql)) }
        return (
            try number("SELECT count(*) FROM works"), try number("SELECT count(*) FROM editions"),
            try number("SELECT count(*) FROM warnings WHERE code = 'merged_by_title'")
        )
    }

    @Test func `volumes of a series with the title's name are books of their own`() async throws {
        let found = try await imported([
            (" (Emma, #1)", "", ""), (" (Emma, #2)", "", ""), (" (Emma, #3)", "", ""),
        ])
        #expect(found == (3, 3, 0))
    }

    @Test func `a title without a number is not a later volume of its series`() async throws {
        #expect(try await imported([(" (Emma, #3)", "", ""), ("", "", ""), ("", "", "")]) == (2, 2, 1))
        #expect(try await imported([("", "", ""), (" (Emma, #3)", "", ""), ("", "", "")]) == (2, 2, 1))
        // The first book of a series often has its name.
        #expect(try await imported([(" (Emma, #1)", "", ""), ("", "", "")]) == (1, 1, 1))
    }

    @Test func `places in other series are those of other books`() async throws {
        let found = try await imported([
            (" (The Search, #1)", "", ""), (" (The Search, #2)", "", ""), (" (The Promise, #2)", "", ""),
        ])
        #expect(found == (3, 3, 0))
    }

    @Test func `publisher and year make editions of one book`() async throws {
        let found = try await imported([
            ("", "Penguin", "2003"), ("", "Vintage", "2003"), ("", "Penguin", "1994"),
        ])
        #expect(found == (1, 3, 0))
    }

    @Test func `rows that nothing distinguishes are reported as one edition`() async throws {
        #expect(try await imported([("", "Penguin", "2003"), ("", "Penguin Books", "")]) == (1, 1, 1))
    }

    @Test(arguments: [
        ("Dune", "Dune Messiah", true), ("Dune Messiah", "Dune", true),
        ("Saga, Vol. 1", "Saga, Vol. 2", true),
        ("Dune", "Dune: A Novel", false), ("Dune", "Duna", false), ("Emma", "Emma (Vintage Classics)", false),
    ])
    func `two books of an author that share an ISBN are reported as separate`(
        first: String, second: String, areTwo: Bool
    ) async throws {
        let store = try FilledStore()
        let rows = [first, second].enumerated().map { number, title in
            SmallLibrary.row("\(number + 1)", title, "Frank Herbert", isbn: "9780441172719")
        }
        try await store.importing(
            [([SmallLibrary.header] + rows).joined(separator: "\n") + "\n"], job: "job")
        let connection = try store.open()
        #expect(try connection.number("SELECT count(*) FROM works") == (areTwo ? 2 : 1))
        #expect(
            try connection.number("SELECT count(*) FROM warnings WHERE code = 'isbn_other_book'")
                == (areTwo ? 1 : 0))
    }

    @Test func `what was found out about a title counts for rows that are the same in everything`()
        async throws
    {
        let store = try FilledStore()
        let books = [
            ("Dune", "Frank Herbert"), ("Cooking for Beginners", "Jane Smith"),
            ("Dune: A Novel", "Frank Herbert"),
            ("Cooking for Beginners", "Jane Smith"), ("Cooking for Beginners", "Frank Herbert"),
            ("Dune: A Novel", "Frank Herbert"), ("Dune: A Novel", "Jane Smith"),
        ]
        let rows = books.enumerated().map { number, book in
            SmallLibrary.row("\(number + 1)", book.0, book.1, isbn: "9780441172719")
        }
        try await store.importing(
            [([SmallLibrary.header] + rows).joined(separator: "\n") + "\n"], job: "job")
        let connection = try store.open()
        #expect(try connection.number("SELECT count(*) FROM works") == 2)
        let ofOtherBook = """
            SELECT count(*) FROM entries e JOIN editions d ON d.id = e.edition JOIN works w ON w.id = d.work
            WHERE w.title = 'Cooking for Beginners'
            """
        #expect(try connection.number(ofOtherBook) == 2)
    }

    @Test func `rows with the titles of two translations are two editions of one work`() async throws {
        let catalog = try await CatalogFixture([
            DumpFixture.author(1, #""name": "Franz Kafka""#),
            DumpFixture.work(1, #""title": "Die Verwandlung""#, author: 1),
            DumpFixture.edition(1, #""title": "Die Verwandlung""#, work: 1),
            DumpFixture.edition(2, #""title": "The Metamorphosis""#, work: 1),
        ])
        var sample = try SampleImport(asking: catalog)
        sample.files = [
            try sample.folder.write(
                "Title,Author\nDie Verwandlung,Franz Kafka\nThe Metamorphosis,Franz Kafka\n", to: "rows.csv")
        ]
        _ = try await sample.run("s.sqlite")
        let store = try StoreFile.openForReading(sample.folder.file("s.sqlite"))
        #expect(try store.number("SELECT count(*) FROM works") == 1)
        #expect(try store.number("SELECT count(*) FROM editions") == 2)
        #expect(try store.number("SELECT count(*) FROM warnings WHERE code = 'merged_by_title'") == 0)
        #expect(try store.number("SELECT count(*) FROM editions WHERE title = 'The Metamorphosis'") == 1)
    }

    @Test func `importing the rows again changes nothing`() async throws {
        let rows = [("1", "Penguin"), ("2", "Vintage"), ("3", "Ace")].map {
            SmallLibrary.row($0.0, "Emma", "Jane Austen", publisher: $0.1)
        }
        let text = ([SmallLibrary.header] + rows).joined(separator: "\n") + "\n"
        let store = try FilledStore()
        try await store.importing([text], job: "first")
        let before = try store.open().canonicalDump()
        let again = try await store.importing([text], job: "second")
        #expect(again.counts.duplicatesSkipped == 3)
        #expect(try store.open().canonicalDump() == before)
    }

    @Test func `spellings of an author are one author`() async throws {
        let store = try FilledStore()
        let rows = ["J. K. Rowling", "J.K. Rowling", "JK Rowling", "Rowling, J.K."].enumerated().map {
            number, name in
            SmallLibrary.row("\(number)", "Title \(number)", name)
        }
        try await store.importing([([SmallLibrary.header] + rows).joined(separator: "\n") + "\n"], job: "job")
        #expect(try store.open().number("SELECT count(*) FROM authors") == 1)
    }

    // MARK: Rows without ids

    /// An import of a table without ids, and again.
    private func importedTwice(_ text: String) async throws -> FilledStore {
        let store = try FilledStore()
        try await store.importing([text], job: "first")
        let before = try store.open().canonicalDump()
        let again = try await store.importing([text], job: "second")
        #expect(again.counts.booksCreated == 0)
        #expect(again.counts.booksUpdated == 0)
        #expect(try store.open().canonicalDump() == before)
        return store
    }

    @Test func `rows without ids that contradict each other are entries of their own`() async throws {
        let store = try await importedTwice(
            """
            Title,Author,Binding,My Rating
            Hamlet,William Shakespeare,Paperback,2
            Hamlet,William Shakespeare,Audio CD,4
            """)
        #expect(try store.open().number("SELECT count(*) FROM entries") == 2)
        #expect(try store.open().number("SELECT count(DISTINCT edition) FROM entries") == 2)
        #expect(try store.open().number("SELECT sum(rating) FROM entries") == 6)
    }

    @Test func `rows with one ISBN and different books are reported as separate books`() async throws {
        let store = try await importedTwice(
            """
            Title,Author,ISBN13
            Cooking for Beginners,Jane Smith,9780441013593
            Dune,Frank Herbert,9780441013593
            """)
        #expect(
            try store.open().number(
                """
                SELECT count(*) FROM entries e JOIN editions d ON d.id = e.edition JOIN works w ON w.id = d.work
                WHERE w.title IN ('Cooking for Beginners', 'Dune')
                """) == 2)
        #expect(try store.open().number("SELECT count(*) FROM works") == 2)
        #expect(try store.open().number("SELECT count(*) FROM warnings WHERE code = 'isbn_other_book'") == 1)
    }

    @Test func `rows with one ISBN and two titles of a book are one book`() async throws {
        let store = try await importedTwice(
            """
            Title,Author,ISBN13
            Dune,Frank Herbert,9780441013593
            Der Wüstenplanet,Frank Herbert,9780441013593
            """)
        #expect(try store.open().number("SELECT count(*) FROM works") == 1)
    }

    @Test func `people whom only a later row names are added to the work`() async throws {
        let store = try FilledStore()
        let rows = [
            SmallLibrary.row("1", "East", "Jon Hick", publisher: "Ace", others: "Nick Drag"),
            SmallLibrary.row("2", "East", "Jon Hick", publisher: "Penguin", others: "Felix Serr, Nick Drag"),
        ]
        try await store.importing([([SmallLibrary.header] + rows).joined(separator: "\n") + "\n"], job: "job")
        #expect(try store.open().number("SELECT count(*) FROM works") == 1)
        #expect(try store.open().number("SELECT count(*) FROM contributors") == 3)
    }

    // MARK: Contradictions

    @Test func `each fact contradicts a work, an edition, or nothing`() {
        var facts = DistinctiveFacts()
        (facts.subtitle, facts.work, facts.firstYear, facts.volumes) = (
            "a novel", "OL1W", 1815, ["emma": "1"]
        )
        (facts.publisher, facts.year, facts.pages, facts.format) = ("penguin", 2003, 400, "Paperback")
        func expect(
            _ expected: DistinctiveFacts.Contradiction, _ name: String,
            _ change: (inout DistinctiveFacts) -> Void
        ) {
            var other = facts
            change(&other)
            #expect(facts.contradiction(to: other) == expected, "\(name)")
            #expect(other.contradiction(to: facts) == expected, "\(name)")
        }
        expect(.work, "subtitle") { $0.subtitle = "a play" }
        expect(.work, "work") { $0.work = "OL2W" }
        expect(.work, "year of the work") { $0.firstYear = 1900 }
        expect(.work, "volume") { $0.volumes = ["emma": "2"] }
        #expect(
            DistinctiveFacts().editionName.isEmpty && facts.editionName.hasPrefix("emma 1 a novel OL1W 1815"))
        expect(.work, "own volume") { $0.ownVolume = "2" }
        expect(.edition, "publisher") { $0.publisher = "vintage" }
        expect(.edition, "year") { $0.year = 1994 }
        expect(.edition, "pages") { $0.pages = 500 }
        expect(.edition, "format") { $0.format = "Hardcover" }
        expect(.none, "longer name") { $0.publisher = "penguin classics" }
        expect(.none, "next year") { $0.year = 2004 }
        expect(.none, "front matter") { $0.pages = 408 }
        expect(.none, "another series") { $0.volumes = ["works": "7"] }
        expect(.none, "nothing known") { $0 = DistinctiveFacts() }
    }
}
