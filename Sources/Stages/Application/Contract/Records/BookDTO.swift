package import Syntax

/// A book in one flat object: work, edition and authors projected (plan v3.2 appendix C).
package struct BookDTO: Sendable, Hashable {
    /// The edition's ISBN; empty where there is none, because clients require the key.
    package var isbn: String
    package var isbn13: String?
    package var title: String
    /// Names, the first author first.
    package var authors: [String]
    package var publisher: String?
    /// `YYYY-MM-DD` or `YYYY`.
    package var publishedDate: String?
    package var description: String?
    package var pageCount: Int?
    package var categories: [String]
    /// ISO 639-1.
    package var language: String?
    package var coverUrl: String?
    /// Mean of all readers' ratings, 1–5, from the provider or the export's own column.
    package var averageRating: Double?
    package var ratingsCount: Int?

    /// A book of which only the title is sure.
    package init(isbn: String = "", title: String, authors: [String] = [], categories: [String] = []) {
        self.isbn = isbn
        self.title = title
        self.authors = authors
        self.categories = categories
    }

    /// Projects the three records (contract.md section 3). What the edition in hand says goes before what is
    /// true of any, its title too: a work's is often in another language than the book its reader knows.
    package init(
        work: WorkDTO, edition: EditionDTO, authors: [AuthorDTO], averageRating: Double? = nil,
        ratingsCount: Int? = nil
    ) {
        isbn = edition.isbn ?? ""
        isbn13 = edition.isbn13s.first
        title = edition.title ?? work.title
        self.authors = authors.map(\.name)
        publisher = edition.publisher
        publishedDate = edition.publicationDate
        description = edition.editionDescription ?? work.description
        pageCount = edition.pageCount
        categories = work.subjectTags
        language = edition.language
        coverUrl = edition.coverImageURL ?? work.coverImageURL
        self.averageRating = averageRating
        self.ratingsCount = ratingsCount
    }

    /// Writes all but title and ISBN, which the views order differently.
    func writeDetails(into out: inout JSONWriter) {
        out.field("isbn13", isbn13)
        out.field("authors", authors)
        out.field("publisher", publisher)
        out.field("publishedDate", publishedDate)
        out.field("description", description)
        out.field("pageCount", pageCount)
        out.field("categories", categories)
        out.field("language", language)
        out.field("coverUrl", coverUrl)
        out.field("averageRating", averageRating)
        out.field("ratingsCount", ratingsCount)
    }
}

extension BookDTO: JSONWritable {
    package func write(into out: inout JSONWriter) {
        out.object { out in
            out.field("isbn", isbn)
            out.field("title", title)
            writeDetails(into: &out)
        }
    }
}

/// What a search answers (API contract v2.1 section 5.4). Works, editions and authors are loosely coupled:
/// clients match them by id and ISBN. A search that finds nothing answers with empty arrays, never with
/// `NOT_FOUND`.
package struct BookSearchResponse: Sendable, Hashable {
    package var works: [WorkDTO]
    package var editions: [EditionDTO]
    /// Each author once.
    package var authors: [AuthorDTO]
    package var totalResults: Int?
    /// The same books flat: the v3.2 client's title search reads nothing else.
    package var books: [BookDTO]

    package init(
        works: [WorkDTO] = [], editions: [EditionDTO] = [], authors: [AuthorDTO] = [],
        totalResults: Int? = nil, books: [BookDTO] = []
    ) {
        self.works = works
        self.editions = editions
        self.authors = authors
        self.totalResults = totalResults
        self.books = books
    }
}

extension BookSearchResponse: JSONWritable {
    package func write(into out: inout JSONWriter) {
        out.object { out in
            out.field("works", works)
            out.field("editions", editions)
            out.field("authors", authors)
            out.field("totalResults", totalResults)
            out.field("books", books)
        }
    }
}

/// A book in its three records: an entry of `enrichedBooks` (plan v3.2 appendix C, `EnrichedBookDTO`).
package struct EnrichedBook: Sendable, Hashable {
    package var work: WorkDTO?
    package var edition: EditionDTO?
    package var authors: [AuthorDTO]

    package init(work: WorkDTO?, edition: EditionDTO?, authors: [AuthorDTO]) {
        self.work = work
        self.edition = edition
        self.authors = authors
    }
}

extension EnrichedBook: JSONWritable {
    package func write(into out: inout JSONWriter) {
        out.object { out in
            out.field("work", work)
            out.field("edition", edition)
            out.field("authors", authors)
        }
    }
}
