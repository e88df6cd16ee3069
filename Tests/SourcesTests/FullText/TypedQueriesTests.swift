import Testing

@testable import Bytes
@testable import Database
@testable import Sources

/// Searches as people type them, not as records are spelled.
@Suite struct TypedQueriesTests {
    private let connection: Connection
    private let texts: [Int64: SearchText]

    /// Documents from 1, each with its title, author and number of editions.
    private init(_ documents: [(String, String, Int64)]) throws {
        connection = try Connection(":memory:", .create)
        try connection.execute(FullTextSchema.tables)
        let writer = try FullTextWriter(connection)
        var texts: [Int64: SearchText] = [:]
        for (index, document) in documents.enumerated() {
            let place = Int64(index + 1)
            let text = SearchText(title: Folding.fold(document.0), author: Folding.fold(document.1))
            texts[place] = text
            try writer.append(place: place, document: place, editions: document.2, text)
        }
        try writer.finish()
        self.texts = texts
    }

    init() throws {
        try self.init([
            ("The Hobbit", "J.R.R. Tolkien", 12), ("Harry Potter", "J. K. Rowling", 11),
            ("A Game of Thrones", "George R. R. Martin", 10), ("Sapiens", "Yuval Noah Harari", 9),
            ("U.S.A.", "John Dos Passos", 8), ("The Third Policeman", "Flann O'Brien", 7),
            ("ノルウェイの森", "村上春樹", 6), ("채식주의자", "한강", 5), ("The Stranger", "Albert Camus", 4),
            ("Stranger Things", "Somebody", 3), ("Hobbit Tales", "R. J. Tolkien", 1),
            ("Hobbit 7", "Some USA", 1),
            ("Summary of Dune 1 (Dune, Book)", "Nobody", 1), ("Dune", "Frank Herbert", 1),
            ("2 States", "Chetan", 1),
        ])
    }

    private func find(title: String = "", author: String = "", isTyped: Bool = true) throws -> [Int64] {
        try FullTextSearch(connection).find(title: title, author: author, isTyped: isTyped) { texts[$0] }
            .map(\.document)
    }

    @Test(arguments: [
        ("A Game of Thrones (A Song of Ice and Fire, #1)", 3), ("Sapiens: A Brief History of Humankind", 4),
        ("The Hobbit (Middle-earth, #0)", 1), ("The Hobbit [Illustrated Edition]: There and Back", 1),
    ])
    func `a title is found with a series or subtitle it does not have`(title: String, wanted: Int64)
        throws
    {
        #expect(try find(title: title).first == wanted)
        #expect(try find(title: title, isTyped: false) == [], "the caller cuts the titles of records")
    }

    @Test func `words in brackets do not hide the title before them`() throws {
        #expect(try find(title: "Dune (Dune, Book 1)") == [14, 13])
    }

    @Test(arguments: [
        ("jrr tolkien", [Int64(1)]), ("JK Rowling", [2]), ("rr martin", [3]), ("O Brien", [6]),
        ("o'brien", [6]),
        ("rj tolkien", [11]), ("u s a", [12]), ("zq tolkien", [1, 11]), ("j r r tolkien", [1, 11]),
    ])
    func `initials match together or apart`(author: String, wanted: [Int64]) throws {
        #expect(try find(author: author) == wanted)
    }

    @Test func `a title of initials matches without dots`() throws {
        #expect(try find(title: "usa") == [5])
        #expect(try find(title: "U.S.A.") == [5])
    }

    @Test func `a leading article does not matter`() throws {
        #expect(try find(title: "hobbit") == [1, 11, 12])
        #expect(try find(title: "the hobbit").first == 1)
        #expect(try find(title: "a hobbit").first == 1)
        #expect(try find(title: "stranger") == [9, 10])
        #expect(try find(title: "the stranger").first == 9)
        #expect(try find(title: "game of thrones") == [3])
        #expect(try find(title: "a game of thrones") == [3])
        #expect(try find(title: "a dune").first == 14)
    }

    @Test func `a complete title with an article is found after hundreds of partial matches`() throws {
        let many = (1...400).map { ("Stranger Number \($0)", "Somebody", Int64(1_000 - $0)) }
        let search = try TypedQueriesTests(many + [("The Stranger", "Albert Camus", 1)])
        #expect(try search.find(title: "stranger").first == 401)
        #expect(
            try search.find(title: "zzz stranger") == [],
            "with an unknown word every other word must match")
    }

    @Test(arguments: ["teh hobbit", "hobbit teh", "hobbit 2", "hobbit OR", "hobbit zz", "x hobbit"])
    func `an unknown short word does not empty the result`(title: String) throws {
        #expect(try find(title: title).first == 1)
    }

    @Test func `a known short word comes first and excludes the rest`() throws {
        #expect(try find(title: "hobbit 7") == [12])
        #expect(try find(title: "zzzz hobbit") == [])
    }

    @Test(arguments: ["村", "村上", "村上春"])
    func `one character is enough to complete names without spaces`(author: String) throws {
        #expect(try find(author: author) == [7])
    }

    @Test(arguments: ["채식의자", "채식주자", "채식주의사", "채식주위자", "채식", "채주식의자"])
    func `a Hangul syllable counts as a letter`(title: String) throws {
        #expect(try find(title: title) == [8])
    }

    @Test func `repeated searches give the same result`() throws {
        for title in ["hobbit 2", "stranger", "usa", "Dune (Dune, Book 1)"] {
            #expect(try find(title: title) == find(title: title))
        }
    }
}
