package import Books

/// An edition as clients read it (`docs/contract.md`).
///
/// Some values have two names in the contract. Each is stored once here and written under both.
package struct EditionDTO: Sendable, Hashable {
    /// The public key.
    package var id: String
    /// ``WorkDTO/id`` of its work; written as `workId`.
    package var workID: String?
    /// ISBN-13s as digits, the preferred one first.
    package var isbn13s: [String] = []
    /// ISBN-10s as digits; only ISBNs with the prefix 978 have one.
    package var isbn10s: [String] = []
    package var format: EditionFormat
    package var amazonASINs: [String] = []
    package var googleBooksVolumeIDs: [String] = []
    package var librarythingIDs: [String] = []
    /// Completeness, 0–100.
    package var isbndbQuality: Int

    package var title: String?
    /// Also written as the only element of `publishers`.
    package var publisher: String?
    /// `YYYY-MM-DD` or `YYYY`.
    package var publicationDate: String?
    /// Also written as `numberOfPages`.
    package var pageCount: Int?
    package var coverImageURL: String?
    /// The title, if the work's own is another text: `Dune: Deluxe Illustrated Edition`.
    package var editionTitle: String?
    /// Not `description`, because SwiftData reserves that name.
    package var editionDescription: String?
    /// ISO 639-1.
    package var language: String?
    /// The name of ``format``, if a source has stated it; nil if it is only assumed.
    package var physicalFormat: String?

    package var primaryProvider: Provider?
    package var contributors: [Provider] = []

    /// Open Library's edition, `OL7353617M`; also written as `openLibraryEditionID`.
    package var openLibraryID: String?
    package var isbndbID: String?
    /// Goodreads' Book Id.
    package var goodreadsID: String?
    /// When ISBNdb was last asked, in milliseconds since 1970.
    package var lastISBNDBSync: Int64?

    package init(id: String, format: EditionFormat, isbndbQuality: Int) {
        self.id = id
        self.format = format
        self.isbndbQuality = isbndbQuality
    }

    /// The ISBN that represents the edition: the first ISBN-13, or the first ISBN-10 if there is none.
    package var isbn: String? { isbn13s.first ?? isbn10s.first }
}

extension EditionDTO: ContractRecord {
    package static var example: EditionDTO { EditionDTO(id: "", format: .paperback, isbndbQuality: 0) }
    package static var schemaName: String? { "Edition" }

    package func fields(into table: inout some FieldTable) {
        table.field("id", id)
        table.field("isbn", isbn)
        table.field("isbns", isbn13s + isbn10s)
        table.field("format", format)
        table.field("amazonASINs", amazonASINs)
        table.field("googleBooksVolumeIDs", googleBooksVolumeIDs)
        table.field("librarythingIDs", librarythingIDs)
        table.field("isbndbQuality", isbndbQuality)
        table.field("title", title)
        table.field("publisher", publisher)
        table.field("publicationDate", publicationDate)
        table.field("pageCount", pageCount)
        table.field("coverImageURL", coverImageURL)
        table.field("editionTitle", editionTitle)
        table.field("editionDescription", editionDescription)
        table.field("language", language)
        table.field("primaryProvider", primaryProvider)
        table.field("contributors", contributors)
        table.field("openLibraryID", openLibraryID)
        table.field("openLibraryEditionID", openLibraryID)
        table.field("isbndbID", isbndbID)
        // The older single-value field.
        table.field("googleBooksVolumeID", googleBooksVolumeIDs.first)
        table.field("goodreadsID", goodreadsID)
        table.field("lastISBNDBSync", lastISBNDBSync.map { Moment($0) })
        table.field("numberOfPages", pageCount)
        table.field("physicalFormat", physicalFormat)
        table.field("publishers", publisher.map { [$0] } ?? [])
        table.field("workId", workID)
    }
}
