import System
import TestSupport
import Testing

@testable import Books
@testable import Bytes
@testable import Sources

/// Rows whose ISBN belongs to another book.
@Suite struct MismatchCheckTests {
    /// The reported book of a row whose ISBN leads to the offered books; nil if nothing is reported.
    private func other(
        _ title: String, by people: [String], language: String = "", offered books: [[(Field, String)]]
    ) -> String? {
        var library = LibraryRows(
            columns: ColumnMap(formatName: "test", names: ["Language"], fields: [.language: 0]))
        library.cells = [library.arena.append(language)]
        var row = LibraryRow(position: .start, raw: .none, cells: 0..<1)
        row.title = library.arena.append(title)
        library.people = people.map { Person(name: library.arena.append($0), role: .author) }
        row.people = library.people.indices
        library.rows = [row]
        var matched = MatchedRows(ValidatedRows(library: library, isbns: [RowISBN()]))
        for book in books {
            let first = matched.values.count
            for (field, text) in book {
                matched.values.append(CandidateValue(field, matched.library.arena.append(text)))
            }
            matched.candidates.append(
                Candidate(
                    provider: .openLibrary, record: .none, match: .isbn, isSynthetic: false,
                    values: first..<matched.values.count))
        }
        guard let check = MismatchCheck(0, among: matched.candidates.indices, in: matched),
            check.verdict == .contradicted
        else { return nil }
        return "\(check.title) by \(check.author)"
    }

    private static let hobbit: [(Field, String)] = [
        (.title, "The Hobbit"), (.editionTitle, "The Hobbit"), (.editionSubtitle, "There and Back Again"),
        (.authorName, "J. R. R. Tolkien"), (.authorAlternateName, "John Ronald Reuel Tolkien"),
        (.authorAlternateName, "Толкин"),
    ]

    @Test func `a book with another title and another author is reported`() {
        #expect(
            other("Dune", by: ["Frank Herbert"], offered: [Self.hobbit]) == "The Hobbit by J. R. R. Tolkien")
    }

    @Test(
        arguments: [
            ("Dune", ["Tolkien, J.R.R."]), ("Dune", ["Frank Herbert", "John Ronald Reuel Tolkien"]),
            ("The Hobbit, or There and Back Again", ["Somebody Else"]),
            ("There and Back Again", ["Bilbo Baggins"]), ("Hobit", ["J. R. R. Tolkien"]),
            ("Хоббит", ["Джон Толкин"]), ("The Hobit", []), ("", ["Frank Herbert"]),
        ] as [(String, [String])])
    func `a book whose title or author may agree is not reported`(title: String, people: [String]) {
        #expect(other(title, by: people, offered: [Self.hobbit]) == nil)
    }

    @Test(
        arguments: [
            ("Cooking for Beginners", []), ("Cooking with Hobbits", ["Smith, J. R."]),
            ("Der kleine Hobbit", ["Somebody Else"]), ("The Hobbit Companion", ["J. R. R. Tolkien"]),
            ("The Hobbit Box Set, Books 1-6", ["J. R. R. Tolkien"]),
        ] as [(String, [String])])
    func `a book is reported although its title or author agrees in part`(title: String, people: [String]) {
        #expect(other(title, by: people, offered: [Self.hobbit]) != nil)
    }

    @Test(
        arguments: [
            ("Robinson Crusoe", "The Life and Strange Surprising Adventures of Robinson Crusoe of York"),
            ("The Hobbit", "The Hobbit or There and Back Again"), ("Pippi Longstocking", "Pippi Långstrump"),
            ("Animal Farm / 1984", "Animal Farm & 1984"), ("The Little Prince", "Le Petit Prince"),
            ("Stormbreaker (Alex Rider, #1)", "Alex Rider: Stormbreaker"),
            ("Schindler's List", "Schindler's Ark"),
        ])
    func `a shortened or translated title of the author is not reported`(title: String, offered: String) {
        #expect(
            other(title, by: ["A. B. Author"], offered: [[(.title, offered), (.authorName, "A. B. Author")]])
                == nil)
    }

    @Test(arguments: [
        ("Dune (2 of 2)", BookContradiction.Verdict.otherTitle), ("Dune: The Graphic Novel", .otherTitle),
        ("Dune 1-3", .contradicted), ("Dune (Gesamtausgabe)", .contradicted), ("Dune (Book 2)", .agrees),
        ("Dune, Vol. 1", .agrees), ("Dume", .agrees), ("Dune (Vintage Classics)", .agrees),
    ])
    func `another kind of book of that title is not simply the book`(
        title: String, verdict: BookContradiction.Verdict
    ) {
        let row = BookContradiction(title: title, people: ["Frank Herbert"])
        #expect(row.verdict(onTitles: [("Dune", "")], people: ["Frank Herbert"]) == verdict)
    }

    @Test func `a row without a title is compared by its people`() {
        func verdict(_ people: [String]) -> BookContradiction.Verdict {
            BookContradiction(title: "", people: people).verdict(
                onTitles: [("The Hobbit", "")], people: ["J. R. R. Tolkien"])
        }
        #expect(verdict(["Jane Smith"]) == .otherPeople)
        #expect(verdict(["Tolkien"]) == .agrees && verdict([]) == .agrees)
    }

    @Test func `a book without an author or in another script is not reported`() {
        #expect(other("Dune", by: ["Frank Herbert"], offered: [[(.title, "The Hobbit")]]) == nil)
        #expect(other("Dune", by: ["Frank Herbert"], offered: [[(.authorName, "J. R. R. Tolkien")]]) == nil)
        let russian: [(Field, String)] = [(.title, "Война и мир"), (.authorName, "Лев Толстой")]
        #expect(other("War and Peace", by: ["Leo Tolstoy"], offered: [russian]) == nil)
        #expect(other("Dune", by: ["Frank Herbert"], offered: []) == nil)
    }

    @Test(arguments: [("1Q84 Book 2", true), ("1Q84 BOOK 3", true), ("1Q84 Book 1", false), ("1Q84", false)])
    func `another volume is reported`(title: String, isOther: Bool) {
        let book: [(Field, String)] = [
            (.title, "1Q84 BOOK 1 [Ichi-kyū-hachi-yon]"), (.authorName, "Haruki Murakami"),
        ]
        #expect((other(title, by: ["Haruki Murakami"], offered: [book]) != nil) == isOther)
        // The work has no volume in its title.
        let edition = [(.title, "1Q84"), (.editionTitle, book[0].1), book[1]]
        #expect((other(title, by: ["Haruki Murakami"], offered: [edition]) != nil) == isOther)
    }

    @Test(arguments: [("de", true), ("ger", true), ("en", false), ("", false), ("German?", false)])
    func `a title in another language is reported if the book is not in the row's language`(
        language: String, isOther: Bool
    ) {
        let book: [(Field, String)] = [
            (.title, "Pride and Prejudice"), (.authorName, "Jane Austen"), (.language, "en"),
        ]
        let found = other("Stolz und Vorurteil", by: ["Jane Austen"], language: language, offered: [book])
        #expect((found != nil) == isOther)
    }

    @Test func `a longer title is another book, but not with a subtitle or an edition`() {
        let dune: [(Field, String)] = [(.title, "Dune"), (.authorName, "Frank Herbert")]
        for title in ["Dune Messiah", "Children of Dune", "The Road to Dune"] {
            #expect(other(title, by: ["Frank Herbert"], offered: [dune]) != nil, "\(title)")
        }
        for title in ["Dune Deluxe Edition", "Dune: A Novel", "Dune, 50th Anniversary Edition"] {
            #expect(other(title, by: ["Frank Herbert"], offered: [dune]) == nil, "\(title)")
        }
    }

    @Test func `one provider that confirms the row's book is enough`() {
        let dune: [(Field, String)] = [(.title, "Dune"), (.authorName, "Frank Herbert")]
        #expect(other("Dune", by: ["Frank Herbert"], offered: [Self.hobbit, dune]) == nil)
    }
}
