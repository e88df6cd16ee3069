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
