import Testing

@testable import Bytes
@testable import Database
@testable import Sources

@Suite struct FullTextSearchTests {
    private let connection: Connection
    private var texts: [Int64: SearchText] = [:]

    /// Documents from 1, each with its title, author and number of editions, the most editions first.
    private init(_ documents: [(String, String, Int64)]) throws {
        connection = try Connection(":memory:", .create)
        try connection.execute(FullTextSchema.tables)
        let writer = try FullTextWriter(connection)
        for (index, document) in documents.enumerated() {
            let place = Int64(index + 1)
            let parts = document.0.split(separator: ":").map { Folding.fold($0) }
            let text = SearchText(
                title: parts.first ?? "", subtitle: parts.dropFirst().first ?? "",
                author: Folding.fold(document.1))
            texts[place] = text
            try writer.append(place: place, document: place, editions: document.2, text)
        }
        try writer.finish()
    }

    init() throws {
        try self.init([
            ("The Lord of the Rings", "J.R.R. Tolkien", 300),
            ("The Hobbit: or There and Back Again", "J.R.R. Tolkien", 250),
            ("The Great Gatsby", "F. Scott Fitzgerald", 200),
            ("Cien años de soledad", "Gabriel García Márquez", 150),
            ("The Stand", "Stephen King", 90), ("Stand and Deliver", "Ann Other", 80),
            ("Gatsby's Girl", "Caroline Preston", 3),
            ("The Art of the Hobbit", "J.R.R. Tolkien", 3), ("Hobbitt", "Somebody", 1),
            ("It", "Stephen King", 100),
        ])
    }

    private func find(title: String = "", author: String = "") throws -> [Int64] {
        try FullTextSearch(connection).find(title: title, author: author) { texts[$0] }.map(\.document)
    }

    @Test func `complete titles come before partial ones`() throws {
        #expect(try find(title: "The Stand") == [5])
        #expect(try find(title: "Stand") == [5, 6])
        #expect(try find(title: "the hobbit").prefix(2) == [2, 8])
        #expect(try find(title: "It") == [10])
    }

    @Test func `case, diacritics and punctuation do not matter`() throws {
        #expect(try find(title: "CIEN ANOS DE SOLEDAD!") == [4])
        #expect(try find(author: "garcia marquez") == [4])
        #expect(try find(author: "Márquez, García") == [4])
        #expect(try find(title: "gatsbys girl") == [7])
    }

    @Test(arguments: ["zzzz yyyy gatsby", "the zzzz yyyy", "zzzz gatsby"])
    func `unknown words find nothing unless more words are known`(words: String) throws {
        #expect(try find(title: words) == [])
    }

    @Test func `one unknown word among several does no harm`() throws {
        #expect(try find(title: "cien anos de zzzz") == [4])
    }

    @Test(arguments: ["hobit", "hobbti", "hobbbit", "hobbut"])
    func `a mistyped word finds the intended one`(word: String) throws {
        #expect(try find(title: "the \(word)").first == 2)
    }

    @Test func `a known word can be a misspelling of a more common one`() throws {
        // `hobbitt` is a title too and comes first for those who type it.
        #expect(try find(title: "hobbitt").first == 9)
    }

    @Test func `an unfinished word is completed`() throws {
        for count in 3..."soledad".count {
            #expect(try find(title: String("soledad".prefix(count))) == [4], "\(count) letters")
        }
        #expect(try find(title: "cien anos de sol") == [4])
        // Two letters are missing within the word: it is not its beginning.
        #expect(try find(title: "solda") == [])
    }

    @Test func `title and author must both match`() throws {
        #expect(try find(title: "hobbit", author: "tolkien") == [2, 8])
        #expect(try find(title: "stand", author: "king") == [5])
        #expect(try find(title: "stand", author: "tolkien") == [])
        #expect(Set(try find(author: "tolkein")) == [1, 2, 8])
    }

    @Test func `an author's name may be among the words of a title`() throws {
        #expect(try find(title: "gatsby fitzgerald") == [3])
    }

    @Test func `unknown words find nothing`() throws {
        #expect(try find(title: "zzzzzz") == [])
        // FTS5 operators are treated as words, and an unknown word among known ones is ignored.
        #expect(try find(title: "\" OR there:* NEAR( ^") == [2])
        #expect(try find(title: "!!!") == [])
        #expect(try find() == [])
    }

    @Test func `results are limited to the documents with most editions`() throws {
        let many = try FullTextSearchTests(
            (1...500).map { ("Common Word \($0 % 7)", "Author \($0)", Int64(1_000 - $0)) })
        #expect(try many.find(title: "common word") == (1...20).map(Int64.init))
    }

    @Test func `documents with other titles come after those with that title of their own`() throws {
        let connection = try Connection(":memory:", .create)
        try connection.execute(FullTextSchema.tables)
        let writer = try FullTextWriter(connection)
        let texts: [Int64: SearchText] = [
            1: SearchText(title: "nineteen eighty four", author: "orwell", otherTitles: ["other", "1984"]),
            2: SearchText(title: "1984", author: "nobody"),
            3: SearchText(title: "1984 explained to children", author: "somebody"),
        ]
        for (place, text) in texts.sorted(by: { $0.key < $1.key }) {
            try writer.append(place: place, document: place, editions: 1, text)
        }
        try writer.finish()
        let hits = try FullTextSearch(connection).find(title: "1984", author: "") { texts[$0] }
        #expect(hits.map(\.document) == [2, 1, 3])
        #expect(hits.map(\.otherTitle) == [nil, 1, nil])
        let own = try FullTextSearch(connection).find(title: "eighty four", author: "") { texts[$0] }
        #expect(own.map(\.document) == [1] && own.first?.otherTitle == nil)
    }

    @Test func `missing documents are left out`() throws {
        let hits = try FullTextSearch(connection).find(title: "hobbit", author: "") {
            $0 == 2 ? nil : texts[$0]
        }
        #expect(hits.map(\.document).contains(8))
        #expect(!hits.map(\.document).contains(2))
    }
}
