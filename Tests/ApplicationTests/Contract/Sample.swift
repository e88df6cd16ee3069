import Books
import Contract

/// Complete and minimal records for tests of the contract.
enum Sample {
    static let moment: Int64 = 1_763_236_800_000  // 2025-11-15T20:00:00Z
    /// The longest valid job id.
    static let longestJobId = "J" + String(repeating: "x", count: 63)

    static var fullWork: WorkDTO {
        var work = WorkDTO(
            id: "OL82563W", title: "The Left Hand of Darkness", isbndbQuality: 85, reviewStatus: .verified)
        work.subjectTags = ["Fiction", "Science Fiction"]
        work.rawSubjects = ["Fiction, science fiction, general", "Lending library"]
        work.goodreadsWorkIDs = ["817527", "817528"]
        work.amazonASINs = ["B000ABC123"]
        work.librarythingIDs = ["1234"]
        work.googleBooksVolumeIDs = ["abc123XYZ", "def456"]
        work.originalTitle = "Winter's King"
        work.originalLanguage = "en"
        work.firstPublicationYear = 1969
        work.description = "An envoy on a world of winter."
        work.coverImageURL = "https://covers.openlibrary.org/b/id/12345-L.jpg"
        work.isSynthetic = false
        work.primaryProvider = .openLibrary
        work.contributors = [.openLibrary, .googleBooks, .isbndb, .gemini]
        work.authorKeys = ["OL31353A"]
        work.editionIDs = ["9780441478125"]
        work.openLibraryID = "OL82563W"
        work.isbndbID = "x1"
        work.lastISBNDBSync = moment
        work.originalImagePath = "IMG_1234.jpg"
        work.boundingBox = BoundingBox(x: 0.12, y: 0.34, width: 0.08, height: 0.25)
        return work
    }

    static var bareWork: WorkDTO {
        WorkDTO(id: "9780439708180", title: "", isbndbQuality: 0, reviewStatus: .needsReview)
    }

    static var fullEdition: EditionDTO {
        var edition = EditionDTO(id: "9780441478125", format: .massMarket, isbndbQuality: 70)
        edition.workID = "OL82563W"
        edition.isbn13s = ["9780441478125", "9791234567896"]
        edition.isbn10s = ["0441478123"]
        edition.amazonASINs = ["B000ABC123"]
        edition.googleBooksVolumeIDs = ["abc123XYZ"]
        edition.librarythingIDs = ["99"]
        edition.title = "The Left Hand of Darkness (SF Masterworks)"
        edition.publisher = "Ace"
        edition.publicationDate = "1987-03-15"
        edition.pageCount = 304
        edition.coverImageURL = "https://covers.openlibrary.org/b/id/777-L.jpg"
        edition.editionTitle = "Deluxe Illustrated Edition"
        edition.editionDescription = "With a new afterword."
        edition.language = "en"
        edition.physicalFormat = "mass market paperback"
        edition.primaryProvider = .googleBooks
        edition.contributors = [.googleBooks]
        edition.openLibraryID = "OL7353617M"
        edition.isbndbID = "x2"
        edition.goodreadsID = "18423"
        edition.lastISBNDBSync = moment
        return edition
    }

    static var bareEdition: EditionDTO { EditionDTO(id: "k", format: .paperback, isbndbQuality: 0) }

    static var fullAuthor: AuthorDTO {
        var author = AuthorDTO(name: "Ursula K. Le Guin")
        author.key = "OL31353A"
        author.gender = .female
        author.culturalRegion = .northAmerica
        author.nationality = "United States"
        author.birthYear = 1929
        author.deathYear = 2018
        author.openLibraryID = "OL31353A"
        author.isbndbID = "x3"
        author.googleBooksID = "x4"
        author.goodreadsID = "874602"
        author.bookCount = 15
        return author
    }

    static var fullBook: BookDTO {
        BookDTO(
            work: fullWork, edition: fullEdition,
            authors: [fullAuthor, AuthorDTO(name: "Charlie Jane Anders")],
            averageRating: 4.11, ratingsCount: 201_337)
    }

    static var detectedBook: DetectedBook {
        DetectedBook(
            title: "The Great Gatsby", author: "F. Scott Fitzgerald", isbn: "9780743273565", confidence: 0.95,
            boundingBox: BoundingBox(x: 0, y: 1, width: 0.08, height: 0.25),
            enrichment: DetectedBook.Enrichment(
                .success, work: fullWork, editions: [fullEdition], authors: [fullAuthor]))
    }
}
