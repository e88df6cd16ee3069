import Testing

@testable import Books
@testable import Sources

@Suite struct AuthorMergeTests {
    @Test func `all authors come from the first candidate with any`() async throws {
        let book = try await MergeFixture.merge(
            UserRow(people: [("Row Person", .author)]),
            [
                Answer(.googleBooks, "G", [(.title, "T")]),
                Answer(
                    .openLibrary, "O",
                    authors: [
                        [(.authorName, "Ada Example"), (.authorKey, "OL1A"), (.authorBirthYear, "1950")],
                        [(.authorKey, "OL2A")],
                        [
                            (.authorName, "Tra Nslator"), (.authorRole, "Translator"),
                            (.authorDeathYear, "-44"),
                        ],
                    ]),
                Answer(.isbndb, "I", authors: [[(.authorName, "Example, Ada")]]),
            ])
        #expect(
            book.authors == [
                "Ada Example|author|OL1A||1950||openlibrary/O", "Tra Nslator|translator||||-44|openlibrary/O",
            ])
        #expect(book.contributors == [.googleBooks, .openLibrary])
    }

    @Test(arguments: [
        // Another script or transliteration is another name, except of the row's first author.
        (["Epictetus", "عادل مصطفى"], ["Epictetus"], ["عادل مصطفى|contributor"]),
        (["Фёдор Достоевский", "Констанс Гарнетт"], ["Fyodor Dostoevsky"], ["Констанс Гарнетт|contributor"]),
        (
            ["Lev Tolstoy", "Fjodor Dostojewski"], ["Lev Tolstoy", "Fyodor Dostoevsky"],
            ["Fjodor Dostojewski|contributor"]
        ),
        // The same person is named once.
        (["Bo Ek", "A. Lee"], ["Bo Ek", "Ana Lee"], []), (["Bo Ek", "Lee Ana"], ["Bo Ek", "Ana Lee"], []),
        // The provider lacks the first author.
        (["Neil Gaiman", "Terry Pratchett"], ["Terry Pratchett"], ["Neil Gaiman|contributor"]),
        (["Neil Gaiman"], ["Terry Pratchett"], []),
    ])
    func `people of the row stay unless they are certainly the provider's`(
        row: [String], provider: [String], added: [String]
    ) async throws {
        let book = try await MergeFixture.merge(
            UserRow(people: row.enumerated().map { ($1, $0 == 0 ? .author : .contributor) }),
            [Answer(.openLibrary, "O", authors: provider.map { [(.authorName, $0)] })])
        #expect(
            book.authors == provider.map { "\($0)|author|||||openlibrary/O" } + added.map { "\($0)|||||row" })
    }

    @Test func `a candidate matched by ISBN has precedence over one matched by title`() async throws {
        let book = try await MergeFixture.merge([
            Answer(.openLibrary, "O", match: .titleAuthor, authors: [[(.authorName, "Namesake")]]),
            Answer(.googleBooks, "G", match: .isbn, authors: [[(.authorName, "Ada")]]),
        ])
        #expect(book.authors == ["Ada|author|||||google-books/G"])
    }

    @Test func `other candidates fill gaps of authors with the same name`() async throws {
        let book = try await MergeFixture.merge([
            Answer(.googleBooks, "G", authors: [[(.authorName, "Ada")], [(.authorName, "Bea")]]),
            Answer(
                .openLibrary, "O",
                authors: [
                    [
                        (.authorName, "Bea"), (.authorKey, "OL2A"), (.authorWikidata, "Q2"),
                        (.authorBirthYear, "1900"),
                    ],
                    [(.authorName, "Cid"), (.authorKey, "OL3A")],
                ]),
        ])
        #expect(book.authors == ["Ada|author|||||google-books/G", "Bea|author|OL2A|Q2|1900||google-books/G"])
        #expect(book.contributors == [.googleBooks, .openLibrary])
    }

    @Test func `a person with the same name and another key is another person`() async throws {
        let book = try await MergeFixture.merge([
            Answer(.openLibrary, "A", authors: [[(.authorName, "Ada"), (.authorKey, "OL1A")]]),
            Answer(
                .openLibrary, "B",
                authors: [
                    [(.authorName, "Ada"), (.authorKey, "OL9A"), (.authorWikidata, "Q9")]
                ]),
        ])
        #expect(book.authors == ["Ada|author|OL1A||||openlibrary/A"])
    }

    @Test func `a policy can prefer another provider's authors`() async throws {
        let policy = try MergePolicy(overrides: ["authorName": "prefer:google-books"])
        let book = try await MergeFixture.merge(
            UserRow(),
            [
                Answer(.openLibrary, "O", authors: [[(.authorName, "Ada")]]),
                Answer(.googleBooks, "G", authors: [[(.authorName, "Bea")]]),
            ], policy: policy)
        #expect(book.authors == ["Bea|author|||||google-books/G"])
    }

    @Test func `an unknown role becomes contributor, and author number 255 is an author`() async throws {
        var authors = [[(Field, String)]](repeating: [], count: 256)
        authors[255] = [(.authorName, "Last"), (.authorRole, "Bookbinder")]
        let book = try await MergeFixture.merge([Answer(.openLibrary, "O", authors: authors)])
        #expect(book.authors == ["Last|contributor|||||openlibrary/O"])
    }
}
