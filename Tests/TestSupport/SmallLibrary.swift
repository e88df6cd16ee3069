import Books
import Foundation
package import Sources
import System

/// A library of six records, one for each outcome, for tests that read a store.
package enum SmallLibrary {
    package static let header =
        "Book Id,Title,Author,Additional Authors,ISBN13,My Rating,Average Rating,Publisher,Binding,"
        + "Number of Pages,Year Published,Date Read,Date Added,Bookshelves,Bookshelves with positions,"
        + "Exclusive Shelf,My Review,ISBN,Original Publication Year,Author l-f,Private Notes,Read Count,Owned Copies"

    /// A record with the columns of the header.
    package static func row(
        _ id: String, _ title: String, _ author: String = "", isbn: String = "", rating: String = "0",
        publisher: String = "", review: String = "", year: String = "", others: String = ""
    ) -> String {
        [
            id, title, author, others, isbn, rating, "4.20", publisher, "Paperback", "", year, "",
            "2020/10/21",
            "", "",
            "read", review, "", "", "", "", "1", "0",
        ].map(quoted).joined(separator: ",")
    }

    private static func quoted(_ cell: String) -> String { "\"" + cell.replacing("\"", with: "\"\"") + "\"" }

    package static let dune = row(
        "1", "Dune", "Frank Herbert", isbn: "9780441013593", rating: "5", publisher: "Ace Trade")
    /// Title and author only.
    package static let earthsea = row(
        "2", "A Wizard of Earthsea (Earthsea Cycle, #1)", "Ursula K. Le Guin", review: "Fine.")
    /// With a wrong check digit.
    package static let damaged = row("3", "Broken \"Number\"", "Somebody", isbn: "9780441013594")
    /// Neither title nor ISBN.
    package static let nothing = row("4", "", "Nobody at all", isbn: "12345")

    /// Rows 2 to 6; the last one repeats the first.
    package static let text = [header, dune, earthsea, damaged, nothing, dune].joined(separator: "\n") + "\n"

    package static let known: [String: [KnownBook]] = [
        "9780441013593": [
            KnownBook(
                .openLibrary, "OL893415W",
                [
                    (.workKey, "OL893415W"), (.title, "Dune"), (.subject, "Science fiction"),
                    (.subject, "Deserts"),
                    (.firstPublicationYear, "1965"), (.editionKey, "OL7353617M"), (.isbn13, "9780441013593"),
                    (.publisher, "Ace"), (.pageCount, "528"), (.language, "en"),
                ],
                authors: [
                    [(.authorName, "Frank Herbert"), (.authorKey, "OL79034A"), (.authorBirthYear, "1920")]
                ]),
            KnownBook(
                .googleBooks, "B1hSG45JCX4C",
                [
                    (.title, "Dune Deluxe"), (.publisher, "Penguin"), (.publicationDate, "2005-08-02"),
                    (.description, "A desert planet."), (.workCover, "https://books.example/dune.jpg"),
                    (.googleBooksVolumeID, "B1hSG45JCX4C"), (.format, "Paperback"),
                ],
                authors: [[(.authorName, "Frank Herbert")]]),
        ],
        "A Wizard of Earthsea": [
            KnownBook(
                .openLibrary, "OL59798W", match: .titleAuthor,
                [(.workKey, "OL59798W"), (.title, "A Wizard of Earthsea"), (.subject, "Fantasy")],
                authors: [[(.authorName, "Ursula K. Le Guin"), (.authorKey, "OL31353A")]])
        ],
    ]

    /// Frank Herbert, with the Open Library key in his item.
    package static var herbert: PersonFacts {
        var person = PersonFacts(item: 7934, kind: .human)
        person.label = "Frank Herbert"
        person.gender = .male
        person.citizenships = [30]
        person.birthYear = 1920
        person.deathYear = 1986
        person.openLibraryKeys = ["OL79034A"]
        return person
    }

    /// A store with the library, imported by a job called `first`.
    package static func store() async throws -> FilledStore {
        let store = try FilledStore()
        store.known = known
        store.people = [herbert]
        try await store.importing([text], job: "first")
        return store
    }
}
