package import Books
package import Contract
package import Database
import Store
import Syntax

/// A stored book: an edition, its work and its authors, in the shapes that clients read.
package struct StoredBook {
    package var work: WorkDTO
    package var edition: EditionDTO
    package var authors: [AuthorDTO]
    var averageRating: Double?
    var ratingsCount: Int?

    /// The book as one flat object.
    var flat: BookDTO {
        BookDTO(
            work: work, edition: edition, authors: authors, averageRating: averageRating,
            ratingsCount: ratingsCount)
    }

    /// The columns that a query must select, from `works w` and `editions d`, to make a book.
    ///
    /// - Parameter entry: Alias of the entry whose book it is, if there is one.
    static func columns(entry: String? = nil) -> String {
        let status = entry.map { EntryMatches.reviewStatus(entry: $0, work: "w") } ?? "w.review_status"
        return """
            w.id, w.key, w.title, w.description, w.first_publication_year, w.original_language, w.cover, w.genres,
            w.subjects, w.open_library, w.goodreads, w.librarything, w.synthetic, w.providers, w.quality,
            \(status),
            d.key, d.isbns, d.title, d.publisher, d.publication_date, d.page_count, d.format, d.language, d.cover,
            d.description, d.open_library, d.goodreads, d.librarything, d.asin, d.google_books, d.isbndb,
            d.average_rating, d.ratings_count, d.providers, d.quality,
            iif(d.isbndb IS NULL, NULL,
                (SELECT a.fetched_at FROM answers a WHERE a.service = 'isbndb' AND a.key = 'isbn:' || d.isbndb)),
            d.lineage
            """
    }

    /// Reads the statement's current row. The work's tags are its genres alone.
    ///
    /// - Parameter first: Index of the first of ``columns``.
    init(_ row: Statement, at first: Int32 = 0, authors: [AuthorDTO]) {
        var next = RowCursor(row, at: first + 1)
        work = Self.work(&next)
        edition = Self.edition(&next)
        averageRating = next.optionalNumber()
        ratingsCount = next.optionalInteger()
        edition.contributors = next.providers()
        edition.primaryProvider = edition.contributors.first
        edition.isbndbQuality = Int(next.integer())
        edition.lastISBNDBSync = next.optionalInteger().map { Int64($0) }
        if next.rule(of: .format) == .assumed { edition.physicalFormat = nil }
        self.authors = authors

        work.show(edition)
        work.coverImageURL = edition.coverImageURL ?? work.coverImageURL
    }

    /// Adds the topics of the work's subjects to its tags.
    mutating func addTopics(_ tags: inout SubjectTags) {
        work.subjectTags = tags.tags(genres: work.subjectTags, subjects: work.rawSubjects)
    }

    private static func work(_ next: inout RowCursor) -> WorkDTO {
        var work = WorkDTO(
            id: next.text() ?? "", title: next.text() ?? "", isbndbQuality: 0, reviewStatus: .needsReview)
        work.description = next.text()
        work.firstPublicationYear = next.optionalInteger()
        work.originalLanguage = next.text()
        work.coverImageURL = next.text().map(CoverAddress.shown)
        work.subjectTags = next.list()
        work.rawSubjects = next.list()
        work.openLibraryID = next.text()
        work.goodreadsWorkIDs = next.list()
        work.librarythingIDs = next.list()
        work.isSynthetic = next.integer() != 0
        work.contributors = next.providers()
        work.primaryProvider = work.contributors.first
        work.isbndbQuality = Int(next.integer())
        work.reviewStatus = ReviewStatus(rawValue: UInt8(truncatingIfNeeded: next.integer())) ?? .needsReview
        return work
    }

    private static func edition(_ next: inout RowCursor) -> EditionDTO {
        var edition = EditionDTO(id: next.text() ?? "", format: .paperback, isbndbQuality: 0)
        let isbns = next.list()
        edition.isbn13s = isbns.filter { $0.utf8.count == 13 }
        edition.isbn10s = isbns.filter { $0.utf8.count != 13 }
        edition.title = next.text()
        edition.publisher = next.text()
        edition.publicationDate = next.text()
        edition.pageCount = next.optionalInteger()
        if let name = next.text() {
            edition.format = EditionFormat(contractName: name) ?? .paperback
            edition.physicalFormat = edition.format.contractName
        }
        edition.language = next.text()
        edition.coverImageURL = next.text().map(CoverAddress.shown)
        edition.editionDescription = next.text()
        edition.openLibraryID = next.text()
        edition.goodreadsID = next.text()
        edition.librarythingIDs = next.list()
        edition.amazonASINs = next.list()
        edition.googleBooksVolumeIDs = next.list()
        edition.isbndbID = next.text()
        return edition
    }
}

/// Reads a row's columns one after the other.
package struct RowCursor {
    private let row: Statement
    private var column: Int32

    package init(_ row: Statement, at column: Int32 = 0) {
        self.row = row
        self.column = column
    }

    private mutating func take() -> Int32 {
        defer { column += 1 }
        return column
    }

    /// Text; nil if NULL.
    package mutating func text() -> String? { row.optionalString(take()) }

    package mutating func integer() -> Int64 { row.integer(take()) }

    /// An integer; nil if NULL.
    package mutating func optionalInteger() -> Int? { row.optionalInteger(take()).map { Int($0) } }

    /// A number; nil if NULL.
    package mutating func optionalNumber() -> Double? {
        let column = take()
        return row.isNull(column) ? nil : row.double(column)
    }

    /// A stored list; empty if NULL.
    package mutating func list() -> [String] { row.withBytes(take()) { StoredList.strings($0) } }

    /// The rule of a field in a stored lineage; nil if unknown.
    mutating func rule(of field: Field) -> MergeRule? {
        row.withBytes(take()) { Lineage.rule(of: field, in: $0) }
    }

    /// A stored list of providers, the main one first.
    package mutating func providers() -> [Provider] {
        list().compactMap { Provider(contractName: $0) }
    }
}
