import Books
import Contract
import Testing

@testable import TestSupport

@Suite struct RecordsTests {
    @Test func `a full work is decoded by both clients, each with its own field names`() throws {
        let written = Written(Sample.fullWork)
        let old = try written.decoded(as: V21.Work.self)
        #expect(old.title == "The Left Hand of Darkness")
        #expect(old.subjectTags == ["Fiction", "Science Fiction"])
        #expect(old.goodreadsWorkIDs == ["817527", "817528"])
        #expect(old.isbndbQuality == 85)
        #expect(old.reviewStatus == .verified)
        #expect(old.originalLanguage == "en")
        #expect(old.firstPublicationYear == 1969)
        #expect(old.synthetic == false)
        #expect(old.primaryProvider == .openlibrary)
        #expect(old.contributors == [.openlibrary, .googleBooks, .isbndb, .gemini])
        #expect(old.openLibraryID == "OL82563W")
        #expect(old.openLibraryWorkID == "OL82563W")
        #expect(old.googleBooksVolumeID == "abc123XYZ")
        #expect(old.goodreadsID == "817527")
        #expect(old.lastISBNDBSync == "2025-11-15T20:00:00Z")
        #expect(old.originalImagePath == "IMG_1234.jpg")
        #expect(old.boundingBox == V21.BoundingBox(x: 0.12, y: 0.34, width: 0.08, height: 0.25))
        let new = try written.decoded(as: V32.WorkDTO.self)
        #expect(new.id == "OL82563W")
        #expect(new.subjects == ["Fiction, science fiction, general", "Lending library"])
        #expect(new.firstPublishYear == 1969)
    }

    @Test func `a full edition is decoded by both clients, ISBN-13s first`() throws {
        let written = Written(Sample.fullEdition)
        let old = try written.decoded(as: V21.Edition.self)
        #expect(old.isbns == ["9780441478125", "9791234567896", "0441478123"])
        #expect(old.isbn == "9780441478125")
        #expect(old.format == .massMarket)
        #expect(old.publisher == "Ace")
        #expect(old.publicationDate == "1987-03-15")
        #expect(old.pageCount == 304)
        #expect(old.editionTitle == "Deluxe Illustrated Edition")
        #expect(old.editionDescription == "With a new afterword.")
        #expect(old.primaryProvider == .googleBooks)
        #expect(old.openLibraryID == "OL7353617M")
        #expect(old.openLibraryEditionID == "OL7353617M")
        #expect(old.googleBooksVolumeID == "abc123XYZ")
        #expect(old.goodreadsID == "18423")
        let new = try written.decoded(as: V32.EditionDTO.self)
        #expect(new.id == "9780441478125")
        #expect(new.numberOfPages == 304)
        #expect(new.physicalFormat == "mass market paperback")
        #expect(new.publishers == ["Ace"])
    }

    @Test func `an edition with only an ISBN-10 uses it as its ISBN`() throws {
        var edition = Sample.bareEdition
        edition.isbn10s = ["043970818X"]
        #expect(try Written(edition).decoded(as: V21.Edition.self).isbn == "043970818X")
        #expect(BookDTO(work: Sample.bareWork, edition: edition, authors: []).isbn == "043970818X")
        #expect(BookDTO(work: Sample.bareWork, edition: edition, authors: []).isbn13 == nil)
    }

    @Test func `a full author is decoded by both clients`() throws {
        let written = Written(Sample.fullAuthor)
        let old = try written.decoded(as: V21.Author.self)
        #expect(old.gender == .female)
        #expect(old.culturalRegion == .northAmerica)
        #expect(old.nationality == "United States")
        #expect(old.birthYear == 1929)
        #expect(old.deathYear == 2018)
        #expect(old.bookCount == 15)
        let new = try written.decoded(as: V32.AuthorDTO.self)
        #expect(new.key == "OL31353A")
        #expect(new.birthDate == "1929")
    }

    @Test func `an author born BC has a negative year and a readable date`() throws {
        var author = AuthorDTO(name: "Marcus Tullius Cicero")
        author.birthYear = -106
        #expect(try Written(author).decoded(as: V21.Author.self).birthYear == -106)
        #expect(try Written(author).decoded(as: V32.AuthorDTO.self).birthDate == "106 BC")
    }

    @Test func `minimal records have all required fields`() throws {
        let work = try Written(Sample.bareWork).decoded(as: V21.Work.self)
        #expect(work.subjectTags.isEmpty && work.contributors == [] && work.primaryProvider == nil)
        #expect(try Written(Sample.bareWork).decoded(as: V32.WorkDTO.self).title == "")
        #expect(try Written(Sample.bareEdition).decoded(as: V21.Edition.self).isbn == nil)
        #expect(try Written(Sample.bareEdition).decoded(as: V32.EditionDTO.self).publishers == [])
        #expect(try Written(AuthorDTO(name: "Anon")).decoded(as: V21.Author.self).gender == .unknown)
    }

    @Test func `absent values are omitted, not null`() {
        for written in [
            Written(Sample.bareWork), Written(Sample.bareEdition), Written(AuthorDTO(name: "Anon")),
            Written(BookDTO(title: "x")), Written(EnrichedBook(work: nil, edition: nil, authors: [])),
            Written(BookSearchResponse()),
        ] {
            #expect(!written.text.contains("null"), "\(written.text)")
        }
    }

    @Test func `a book combines its work, edition and authors`() throws {
        let book = try Written(Sample.fullBook).decoded(as: V32.BookDTO.self)
        #expect(book.isbn == "9780441478125")
        #expect(book.isbn13 == "9780441478125")
        #expect(
            book.title == "The Left Hand of Darkness (SF Masterworks)",
            "the title of the edition, not of the work")
        #expect(book.authors == ["Ursula K. Le Guin", "Charlie Jane Anders"])
        #expect(book.publisher == "Ace")
        #expect(book.publishedDate == "1987-03-15")
        #expect(book.description == "With a new afterword.")
        #expect(book.pageCount == 304)
        #expect(book.categories == ["Fiction", "Science Fiction"])
        #expect(book.language == "en")
        #expect(book.coverUrl == "https://covers.openlibrary.org/b/id/777-L.jpg")
        #expect(book.averageRating == 4.11)
        #expect(book.ratingsCount == 201_337)
    }

    @Test func `a book takes from its work what its edition lacks`() {
        let book = BookDTO(work: Sample.fullWork, edition: Sample.bareEdition, authors: [])
        #expect(book.description == "An envoy on a world of winter.")
        #expect(book.coverUrl == "https://covers.openlibrary.org/b/id/12345-L.jpg")
        // The original language is not the language of this edition.
        #expect(book.language == nil)
    }

    @Test func `a book without an ISBN has an empty one`() throws {
        let book = BookDTO(work: Sample.bareWork, edition: Sample.bareEdition, authors: [])
        #expect(try Written(book).decoded(as: V32.BookDTO.self).isbn == "")
    }

    @Test func `a search response is decoded by both clients`() throws {
        let response = BookSearchResponse(
            works: [Sample.fullWork], editions: [Sample.fullEdition], authors: [Sample.fullAuthor],
            totalResults: 1, books: [Sample.fullBook])
        let old = try Written(response).decoded(as: V21.BookSearchResponse.self)
        #expect(old.works.count == 1 && old.editions.count == 1 && old.authors.count == 1)
        #expect(old.totalResults == 1)
        #expect(try Written(response).decoded(as: V32.SearchResponseDTO.self).books.count == 1)
    }

    @Test func `a work keeps its own title under whatever titles it is shown`() {
        var work = WorkDTO(id: "w", title: "Dune: A Novel", isbndbQuality: 0, reviewStatus: .verified)
        var edition = EditionDTO(id: "e", format: .paperback, isbndbQuality: 0)
        for (title, original) in [("Dune", nil), ("Der Wüstenplanet", "Dune: A Novel"), ("Dune", nil)] {
            edition.title = title
            work.show(titleOf: edition)
            #expect(work.title == title && work.originalTitle == original && work.ownTitle == "Dune: A Novel")
        }
    }
}
