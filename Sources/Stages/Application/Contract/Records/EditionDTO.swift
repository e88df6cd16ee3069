package import Books
package import Syntax

/// An edition as clients read it (`docs/contract.md`).
///
/// Some values have two names in the contract. Each is stored once here and written under both.
package struct EditionDTO: Sendable, Hashable {
    /// The public key.
    package var id: String
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
    /// `Deluxe Illustrated Edition`.
    package var editionTitle: String?
    /// Not `description`, because SwiftData reserves that name.
    package var editionDescription: String?
    /// ISO 639-1.
    package var language: String?
    /// The binding as its source spells it.
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

extension EditionDTO: JSONWritable {
    package func write(into out: inout JSONWriter) {
        out.object { out in
            out.field("id", id)
            out.field("isbn", isbn)
            out.field("isbns", isbn13s + isbn10s)
            out.field("format", format)
            out.field("amazonASINs", amazonASINs)
            out.field("googleBooksVolumeIDs", googleBooksVolumeIDs)
            out.field("librarythingIDs", librarythingIDs)
            out.field("isbndbQuality", isbndbQuality)
            out.field("title", title)
            out.field("publisher", publisher)
            out.field("publicationDate", publicationDate)
            out.field("pageCount", pageCount)
            out.field("coverImageURL", coverImageURL)
            out.field("editionTitle", editionTitle)
            out.field("editionDescription", editionDescription)
            out.field("language", language)
            out.field("primaryProvider", primaryProvider)
            out.field("contributors", contributors)
            out.field("openLibraryID", openLibraryID)
            out.field("openLibraryEditionID", openLibraryID)
            out.field("isbndbID", isbndbID)
            // The older single-value field.
            out.field("googleBooksVolumeID", googleBooksVolumeIDs.first)
            out.field("goodreadsID", goodreadsID)
            out.field("lastISBNDBSync", lastISBNDBSync.map(Timestamp.withoutFraction))
            out.field("numberOfPages", pageCount)
            out.field("physicalFormat", physicalFormat)
            out.field("publishers", publisher.map { [$0] } ?? [])
        }
    }
}
