import Books

/// A work, an edition and its authors in one flat object.
package struct BookDTO: Sendable, Hashable {
    /// The edition's ISBN; empty if it has none, because clients require the key.
    package var isbn: String
    package var isbn13: String?
    package var title: String
    /// Names, first author first.
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
    /// Mean rating by the public, 1–5, from the provider or a column of the export.
    package var averageRating: Double?
    package var ratingsCount: Int?

    /// Makes a book of which only the title is certain.
    package init(isbn: String = "", title: String, authors: [String] = [], categories: [String] = []) {
        self.isbn = isbn
        self.title = title
        self.authors = authors
        self.categories = categories
    }

    /// Makes a book of the three records. Values of the edition go before those of the work.
    package init(
        work: WorkDTO, edition: EditionDTO, authors: [AuthorDTO], averageRating: Double? = nil,
        ratingsCount: Int? = nil
    ) {
        isbn = edition.isbn ?? ""
        isbn13 = edition.isbn13s.first
        title = ShownTitle(edition: edition.title, work: work.title).text
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

    /// All fields except title and ISBN, whose order differs between the views.
    func details(into table: inout some FieldTable) {
        table.field("isbn13", isbn13)
        table.field("authors", authors)
        table.field("publisher", publisher)
        table.field("publishedDate", publishedDate)
        table.field("description", description)
        table.field("pageCount", pageCount)
        table.field("categories", categories)
        table.field("language", language)
        table.field("coverUrl", coverUrl)
        table.field("averageRating", averageRating)
        table.field("ratingsCount", ratingsCount)
    }
}

extension BookDTO: ContractRecord {
    package static var example: BookDTO { BookDTO(title: "") }
    package static var schemaName: String? { "Book" }

    package func fields(into table: inout some FieldTable) {
        table.field("isbn", isbn)
        table.field("title", title)
        details(into: &table)
    }
}

/// The result of a search. Works, editions and authors are loosely coupled: clients match them by id and
/// ISBN. A search without results has empty arrays; it is never `NOT_FOUND`.
package struct BookSearchResponse: Sendable, Hashable {
    package var works: [WorkDTO]
    package var editions: [EditionDTO]
    /// Each author once.
    package var authors: [AuthorDTO]
    package var totalResults: Int?
    /// The same books, flat. Newer clients read only this array of a title search.
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

extension BookSearchResponse: ContractRecord {
    package static var example: BookSearchResponse { BookSearchResponse() }
    package static var schemaName: String? { "SearchResponse" }

    package func fields(into table: inout some FieldTable) {
        table.field("works", works)
        table.field("editions", editions)
        table.field("authors", authors)
        table.field("totalResults", totalResults)
        table.field("books", books)
    }
}

/// A book as three records: an element of `enrichedBooks`.
package struct EnrichedBook: Sendable, Hashable {
    package var work: WorkDTO?
    package var edition: EditionDTO?
    package var authors: [AuthorDTO]

    package init(work: WorkDTO?, edition: EditionDTO?, authors: [AuthorDTO]) {
        var editions = edition.map { [$0] } ?? []
        self.work = work
        self.work?.join(&editions, authors)
        self.edition = editions.first
        self.authors = authors
    }
}

extension EnrichedBook: ContractRecord {
    package static var example: EnrichedBook { EnrichedBook(work: nil, edition: nil, authors: []) }
    package static var schemaName: String? { "EnrichedBook" }

    package func fields(into table: inout some FieldTable) {
        table.field("work", work)
        table.field("edition", edition)
        table.field("authors", authors)
    }
}
