import Pipeline
import TestSupport
import Testing

@testable import Books
@testable import Formats
@testable import Sources

/// The merge rules, one test each.
@Suite struct MergeCandidatesTests {
    let isbn = RowISBN(isbn: ISBN("9780439023481"))

    @Test func `the work's identity comes from Open Library, whatever its position`() async throws {
        let book = try await MergeFixture.merge([
            Answer(.googleBooks, "G", [(.title, "Google's")]),
            Answer(.openLibrary, "OL1M", [(.workKey, "OL1W"), (.title, "Library's")]),
        ])
        #expect(book.primaryProvider == .openLibrary)
        #expect(!book.isSynthetic)
        #expect(book[.workKey] == "OL1W")
        #expect(book[.title] == "Google's")
        #expect(book.rule(.title) == .firstInOrder)
        #expect(book.contributors == [.googleBooks, .openLibrary])
    }

    @Test func `a work without a work record is synthetic and belongs to the first provider`() async throws {
        let book = try await MergeFixture.merge([
            Answer(.isbndb, "I", [(.title, "T")]), Answer(.googleBooks, "G", [(.title, "T")]),
        ])
        #expect(book.isSynthetic)
        #expect(book.primaryProvider == .isbndb)
        // The second one contributed nothing.
        #expect(book.contributors == [.isbndb])
    }

    @Test func `a real work has precedence over a synthetic one`() async throws {
        let book = try await MergeFixture.merge([
            Answer(.isbndb, "I", [(.title, "T")]),
            Answer(.googleBooks, "G", isSynthetic: false, [(.subject, "S")]),
            Answer(.openLibrary, "O", isSynthetic: true, [(.description, "D")]),
        ])
        #expect(!book.isSynthetic)
        #expect(book.primaryProvider == .googleBooks)
    }

    @Test func `without a match there is no provider and no quality, and nothing is verified`() async throws {
        let book = try await MergeFixture.merge(UserRow(title: "T", isbn: isbn), [])
        #expect(book.primaryProvider == nil)
        #expect(book.contributors.isEmpty)
        #expect(book.isSynthetic)
        #expect(book.quality == 0)
        #expect(book.reviewStatus == .needsReview)
    }

    @Test func `the cover is Google's, otherwise the first in order`() async throws {
        let library = Answer(.openLibrary, "O", [(.workCover, "ol"), (.editionCover, "ol-e")])
        let google = Answer(.googleBooks, "G", [(.workCover, "gb")])
        let isbndb = Answer(.isbndb, "I", [(.workCover, "db")])
        let all = try await MergeFixture.merge([library, isbndb, google])
        #expect(all[.workCover] == "gb")
        #expect(all.rule(.workCover) == .preferredProvider)
        #expect(all[.editionCover] == "ol-e")
        let two = try await MergeFixture.merge([isbndb, library])
        #expect(two[.workCover] == "db")
    }

    @Test func `the longest description in characters wins, the first on a tie`() async throws {
        let book = try await MergeFixture.merge([
            Answer(.openLibrary, "O", [(.description, "short")]),
            Answer(.googleBooks, "G", [(.description, "çççççç")]),
            Answer(.isbndb, "I", [(.description, "sevenths")]),
            Answer(.gemini, "A", [(.description, "eightths")]),
        ])
        #expect(book[.description] == "sevenths")
        #expect(book.rule(.description) == .longest)
        let tie = try await MergeFixture.merge([
            Answer(.openLibrary, "O", [(.description, "abc")]),
            Answer(.googleBooks, "G", [(.description, "äöü")]),
        ])
        #expect(tie[.description] == "abc")
    }

    @Test func `subjects and identifiers are united without duplicates, first provider first`() async throws {
        let book = try await MergeFixture.merge(
            UserRow(),
            [
                Answer(
                    .openLibrary, "O",
                    [
                        (.subject, "Fiction"), (.subject, "War"), (.amazonASIN, "B1"),
                        (.editionLibraryThingID, "7"),
                    ]),
                Answer(.googleBooks, "G", [(.subject, "War"), (.subject, "Space"), (.amazonASIN, "B2")]),
            ], formatName: "generic")
        #expect(book.all(.subject) == ["Fiction", "War", "Space"])
        #expect(book.rule(.subject) == .union)
        #expect(book.all(.amazonASIN) == ["B1", "B2"])
        #expect(book.all(.editionLibraryThingID) == ["7"])
        #expect(book.rule(.editionLibraryThingID) == .given)
    }

    @Test func `a union of thousands keeps each value once`() async throws {
        let many = (0..<5_000).map { (Field.subject, "S\($0 % 2_000)") }
        let book = try await MergeFixture.merge([Answer(.openLibrary, "O", many)])
        #expect(book.all(.subject) == (0..<2_000).map { "S\($0)" })
    }

    @Test func `other fields take the first non-empty value in provider order`() async throws {
        let book = try await MergeFixture.merge([
            Answer(.openLibrary, "O", [(.publisher, ""), (.language, "en")]),
            Answer(.googleBooks, "G", [(.publisher, "Harbour"), (.language, "pt"), (.pageCount, "0")]),
            Answer(.isbndb, "I", [(.publisher, "Quay"), (.pageCount, "312")]),
        ])
        #expect(book[.publisher] == "Harbour")
        #expect(book[.language] == "en")
        #expect(book[.pageCount] == "312")
        #expect(book.rule(.pageCount) == .given)
        #expect(book.origin(.publisher) == "google-books/G")
    }

    @Test func `series name and number come together from one provider`() async throws {
        let book = try await MergeFixture.merge([
            Answer(
                .openLibrary, "O",
                [
                    (.seriesName, "Saga"), (.seriesNumber, ""), (.seriesName, "Cycle"), (.seriesNumber, "2"),
                ]),
            Answer(.googleBooks, "G", [(.seriesName, "Other"), (.seriesNumber, "9")]),
        ])
        #expect(book.all(.seriesName) == ["Saga", "Cycle"])
        #expect(book.all(.seriesNumber) == ["", "2"])
        #expect(book.rule(.seriesName) == .firstInOrder)
        let bare = try await MergeFixture.merge([Answer(.openLibrary, "O", [(.seriesName, "Saga")])])
        #expect(bare.all(.seriesNumber).isEmpty)
    }

    @Test func `a match by title contributes the work and its authors, never the edition`() async throws {
        let book = try await MergeFixture.merge(
            UserRow(title: "T", isbn: isbn),
            [
                Answer(
                    .openLibrary, "O", match: .titleAuthor,
                    [
                        (.workKey, "OL1W"), (.description, "D"), (.editionKey, "OL1M"),
                        (.isbn13, "9780826497529"),
                        (.publisher, "P"), (.format, "Hardcover"), (.amazonASIN, "B1"),
                        (.averageRating, "4.0"),
                    ], authors: [[(.authorName, "Ada")]])
            ])
        #expect(book[.workKey] == "OL1W")
        #expect(book[.description] == "D")
        #expect(book.authors == ["Ada|author|||||openlibrary/O"])
        #expect(book.values.filter { $0.field.isOfEdition }.allSatisfy { $0.origin == "row" })
        #expect(book.reviewStatus == .needsReview)
        #expect(book.primaryProvider == .openLibrary)
    }

    @Test func `one provider matched by ISBN verifies the record`() async throws {
        let book = try await MergeFixture.merge([
            Answer(.openLibrary, "O", match: .titleAuthor), Answer(.googleBooks, "G", match: .isbn),
        ])
        #expect(book.reviewStatus == .verified)
    }

    // MARK: Normalization

    @Test func `dates and years are normalized, and invalid ones are skipped`() async throws {
        let book = try await MergeFixture.merge([
            Answer(.openLibrary, "O", [(.publicationDate, "n.d."), (.firstPublicationYear, "unknown")]),
            Answer(
                .googleBooks, "G",
                [
                    (.publicationDate, "December 31, 1994"), (.firstPublicationYear, "c1999"),
                ]),
        ])
        #expect(book[.publicationDate] == "1994-12-31")
        #expect(book.rule(.publicationDate) == .normalized)
        #expect(book[.firstPublicationYear] == "1999")
        let month = try await MergeFixture.merge([Answer(.isbndb, "I", [(.publicationDate, "2001-03")])])
        #expect(month[.publicationDate] == "2001")
        let whole = try await MergeFixture.merge([
            Answer(.isbndb, "I", [(.publicationDate, "2001-03-05T00:00:00")])
        ])
        #expect(whole[.publicationDate] == "2001-03-05")
        let plain = try await MergeFixture.merge([Answer(.isbndb, "I", [(.publicationDate, "2001-03-05")])])
        #expect(plain.rule(.publicationDate) == .given)
    }

    @Test func `an unknown format of a provider is skipped`() async throws {
        let book = try await MergeFixture.merge([
            Answer(.openLibrary, "O", [(.format, "Leather, gilt")]),
            Answer(.isbndb, "I", [(.format, "E-book")]),
        ])
        #expect(book[.format] == "E-book")
    }

    // MARK: ISBNs

    @Test func `the row's ISBN comes first, and all ISBN-13s come before all ISBN-10s`()
        async throws
    {
        let book = try await MergeFixture.merge(
            UserRow(isbn: isbn),
            [
                Answer(
                    .openLibrary, "O",
                    [
                        (.isbn10, "0826497527"), (.isbn13, "9780439023481"), (.isbn13, "9791090636071"),
                        (.isbn13, "9780826497520"), (.isbn10, "nonsense"),
                    ])
            ])
        #expect(book.all(.isbn13) == ["9780439023481", "9780826497529", "9791090636071"])
        #expect(book.all(.isbn10) == ["0439023483", "0826497527"])
        #expect(book.values.filter { $0.field == .isbn13 }.map(\.rule) == [.given, .normalized, .union])
        #expect(
            book.values.filter { $0.field == .isbn13 }.map(\.origin) == [
                "row", "openlibrary/O", "openlibrary/O",
            ])
    }

    @Test func `a repaired ISBN is marked, and another book's number is not the edition's`() async throws {
        let row = UserRow(
            isbn: RowISBN(isbn: ISBN("0439023483"), other: ISBN("0826497527"), repair: .lostLeadingZeros))
        let book = try await MergeFixture.merge(row, [])
        #expect(book.all(.isbn13) == ["9780439023481"])
        #expect(book.rule(.isbn13) == .repaired)
        #expect(book.all(.isbn10) == ["0439023483"])
    }

    // MARK: The user's row

    @Test(arguments: ["xx", "zz", "EN", "english"])
    func `an invalid language code is left out of the book`(text: String) async throws {
        let row = UserRow(cells: [.language: text], title: "The Hunger Games")
        #expect(try await MergeFixture.merge(row, [])[.language] == nil)
    }

    static let full = UserRow(
        cells: [
            .sourceID: "2767052", .publisher: " Scholastic ", .pageCount: "374", .yearPublished: "2008",
            .originalYear: "-850", .averageRating: "4.34", .language: "en",
        ],
        title: "The Hunger Games", people: [("Suzanne Collins", .author), ("Ann Example", .contributor)],
        series: [("The Hunger Games", "1")], format: .hardcover, isbn: RowISBN(isbn: ISBN("9780439023481")))

    @Test func `a row's keys of Open Library and its Amazon number are those of its edition`() async throws {
        let row = UserRow(
            cells: [.openLibraryEdition: "/books/OL43065148M", .asin: "B000FC1PWA"], title: "The Hunger Games"
        )
        let book = try await MergeFixture.merge(row, [])
        #expect(book[.editionKey] == "OL43065148M")
        #expect(book[.workKey] == nil)
        #expect(book.all(.amazonASIN) == ["B000FC1PWA"])
        let work = try await MergeFixture.merge(
            UserRow(cells: [.openLibraryEdition: "OL45804W"], title: "The Hunger Games"), [])
        #expect(work[.workKey] == "OL45804W")
        #expect(work[.editionKey] == nil)
        let other = try await MergeFixture.merge(
            UserRow(
                cells: [.openLibraryEdition: "43065148", .asin: "0439023483"], title: "The Hunger Games"), [])
        #expect(other[.editionKey] == nil)
        #expect(other.all(.amazonASIN) == [])
    }

    @Test func `the row fills every field without a provider's value`() async throws {
        let book = try await MergeFixture.merge(Self.full, [])
        #expect(book[.title] == "The Hunger Games")
        #expect(book[.publisher] == "Scholastic")
        #expect(book[.pageCount] == "374")
        #expect(book[.publicationDate] == "2008")
        #expect(book[.firstPublicationYear] == "-850")
        #expect(book[.averageRating] == "4.34")
        #expect(book[.language] == "en")
        #expect(book[.format] == "Hardcover")
        #expect(book[.editionGoodreadsID] == "2767052")
        #expect(book[.workGoodreadsID] == nil)
        #expect(book.all(.seriesName) == ["The Hunger Games"])
        #expect(book.all(.seriesNumber) == ["1"])
        #expect(book.authors == ["Suzanne Collins|author|||||row", "Ann Example|contributor|||||row"])
        #expect(book.values.allSatisfy { $0.origin == "row" })
        let others = book.values.filter { $0.field != .isbn13 && $0.field != .isbn10 }
        #expect(others.allSatisfy { $0.rule == .filledFromRow })
    }

    @Test func `a row found by its title keeps its own if the work has another one`() async throws {
        let dune = Answer(.openLibrary, "O", match: .titleAuthor, [(.title, "Dune")])
        let translated = try await MergeFixture.merge(UserRow(title: "Der Wüstenplanet"), [dune])
        #expect(translated[.title] == "Dune" && translated[.editionTitle] == "Der Wüstenplanet")
        for title in ["DUNE!", "Dune (Dune, #1)", "Dune: A Novel"] {
            #expect(
                try await MergeFixture.merge(UserRow(title: title), [dune])[.editionTitle] == nil,
                "\(title)")
        }
    }

    @Test func `people whom only the row names stay as contributors`() async throws {
        let row = UserRow(people: [("Ada Example", .author), ("Ben Example", .translator)])
        let book = try await MergeFixture.merge(
            row, [Answer(.openLibrary, "O", [(.title, "T")], authors: [[(.authorName, "A. Example")]])])
        #expect(book.authors == ["A. Example|author|||||openlibrary/O", "Ben Example|translator|||||row"])
        let second = try await MergeFixture.merge(
            UserRow(people: [
                ("Neil Gaiman", .author), ("Terry Pratchett", .author), ("N. Gaiman", .author),
            ]),
            [Answer(.openLibrary, "O", [(.title, "T")], authors: [[(.authorName, "Neil Gaiman")]])])
        #expect(
            second.authors == ["Neil Gaiman|author|||||openlibrary/O", "Terry Pratchett|contributor|||||row"])
    }

    @Test func `the row overrides no provider`() async throws {
        let book = try await MergeFixture.merge(
            Self.full,
            [
                Answer(
                    .openLibrary, "O",
                    [
                        (.title, "T"), (.publisher, "P"), (.pageCount, "1"), (.publicationDate, "1999"),
                        (.firstPublicationYear, "1998"), (.averageRating, "3.0"), (.language, "pt"),
                        (.format, "Paperback"), (.seriesName, "S"), (.editionGoodreadsID, "1"),
                    ], authors: [[(.authorName, "A")]])
            ])
        for (field, text) in [
            (Field.title, "T"), (.publisher, "P"), (.pageCount, "1"), (.publicationDate, "1999"),
            (.firstPublicationYear, "1998"), (.averageRating, "3.0"), (.language, "pt"),
            (.format, "Paperback"),
        ] {
            #expect(book.all(field) == [text])
        }
        #expect(book.all(.seriesName) == ["S"])
        #expect(book.all(.seriesNumber).isEmpty)
        #expect(book.authors.map { $0.prefix(14) } == ["A|author|||||o", "Suzanne Collin", "Ann Example|co"])
        // Identifiers are united: the user's own edition comes first.
        #expect(book.all(.editionGoodreadsID) == ["2767052", "1"])
    }

    @Test func `Book Id is a Goodreads identifier only in Goodreads' exports`() async throws {
        let book = try await MergeFixture.merge(Self.full, [], formatName: "librarything")
        #expect(book[.editionGoodreadsID] == nil)
    }

    @Test func `meaningless cells fill nothing`() async throws {
        let row = UserRow(cells: [
            .pageCount: "0", .yearPublished: "none", .originalYear: "0", .averageRating: "0.00",
            .language: "English",
            .sourceID: "x", .publisher: "  ",
        ])
        let book = try await MergeFixture.merge(row, [])
        #expect(book.values.isEmpty)
    }

    @Test func `an unknown format stays unknown and adds no quality`() async throws {
        let book = try await MergeFixture.merge([Answer(.openLibrary, "O", [(.title, "T")])])
        #expect(book[.format] == nil && book.rule(.format) == nil)
        let named = try await MergeFixture.merge([
            Answer(.openLibrary, "O", [(.title, "T"), (.format, "Paperback")])
        ])
        #expect(named.quality == book.quality + 5)
    }

    // MARK: Layout

    @Test func `values are in field order and books in row order`() async throws {
        let inputs = (0..<50).map { index in
            (
                UserRow(title: "T\(index)", format: .ebook),
                index % 3 == 0
                    ? [] : [Answer(.openLibrary, "O\(index)", [(.subject, "S"), (.workKey, "W\(index)")])]
            )
        }
        let out = try await MergeCandidates().process(MergeFixture.batch(inputs))
        #expect(out.payload.count == 50)
        #expect(out.sequence == 1)
        for (index, book) in MergeFixture.describe(out.payload).enumerated() {
            #expect(book[.title] == "T\(index)")
            let raws = book.values.map(\.field.rawValue)
            #expect(raws == raws.sorted())
            #expect(book[.format] == "E-book")
        }
        // Books follow each other without gaps.
        #expect(
            out.payload.books.map(\.values.lowerBound).dropFirst()
                == out.payload.books.map(\.values.upperBound).dropLast())
    }

    @Test func `an empty batch merges to an empty one`() async throws {
        #expect(try await MergeCandidates().process(MergeFixture.batch([])).payload.count == 0)
    }

    @Test func `candidates beyond the limit of origins are ignored`() async throws {
        let answers = (0..<300).map { Answer(.isbndb, "\(1000 + $0)", [(.subject, "S\($0)")]) }
        let book = try await MergeFixture.merge(answers)
        #expect(book.all(.subject).count == 256)
    }
}

extension MergeFixture {
    static func merge(_ answers: [Answer]) async throws -> Merged { try await merge(UserRow(), answers) }
}
