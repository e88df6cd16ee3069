package import Books
package import Syntax

/// A work as clients read it (`docs/contract.md`).
///
/// Some values have two names in the contract. Each is stored once here and written under both.
package struct WorkDTO: Sendable, Hashable {
    /// The public key.
    package var id: String
    package var title: String
    /// Canonical genres.
    package var subjectTags: [String] = []
    /// Subjects as the providers spell them; written as `subjects`.
    package var rawSubjects: [String] = []
    package var goodreadsWorkIDs: [String] = []
    package var amazonASINs: [String] = []
    package var librarythingIDs: [String] = []
    package var googleBooksVolumeIDs: [String] = []
    /// Completeness, 0–100.
    package var isbndbQuality: Int
    package var reviewStatus: ReviewStatus

    /// ISO 639-1.
    package var originalLanguage: String?
    /// Also written as `firstPublishYear`.
    package var firstPublicationYear: Int?
    package var description: String?
    package var coverImageURL: String?

    package var isSynthetic: Bool?
    package var primaryProvider: Provider?
    package var contributors: [Provider] = []

    /// Open Library's work, `OL12345W`; also written as `openLibraryWorkID`.
    package var openLibraryID: String?
    package var isbndbID: String?
    /// When ISBNdb was last asked, in milliseconds since 1970.
    package var lastISBNDBSync: Int64?

    /// The photo in which a scan found the work.
    package var originalImagePath: String?
    package var boundingBox: BoundingBox?

    package init(id: String, title: String, isbndbQuality: Int, reviewStatus: ReviewStatus) {
        self.id = id
        self.title = title
        self.isbndbQuality = isbndbQuality
        self.reviewStatus = reviewStatus
    }
}

extension WorkDTO: JSONWritable {
    package func write(into out: inout JSONWriter) {
        out.object { out in
            out.field("id", id)
            out.field("title", title)
            out.field("subjectTags", subjectTags)
            out.field("goodreadsWorkIDs", goodreadsWorkIDs)
            out.field("amazonASINs", amazonASINs)
            out.field("librarythingIDs", librarythingIDs)
            out.field("googleBooksVolumeIDs", googleBooksVolumeIDs)
            out.field("isbndbQuality", isbndbQuality)
            out.field("reviewStatus", reviewStatus)
            out.field("originalLanguage", originalLanguage)
            out.field("firstPublicationYear", firstPublicationYear)
            out.field("description", description)
            out.field("coverImageURL", coverImageURL)
            out.field("synthetic", isSynthetic)
            out.field("primaryProvider", primaryProvider)
            out.field("contributors", contributors)
            out.field("openLibraryID", openLibraryID)
            out.field("openLibraryWorkID", openLibraryID)
            out.field("isbndbID", isbndbID)
            // The older single-value fields: the first value of each list.
            out.field("googleBooksVolumeID", googleBooksVolumeIDs.first)
            out.field("goodreadsID", goodreadsWorkIDs.first)
            out.field("lastISBNDBSync", lastISBNDBSync.map(Timestamp.withoutFraction))
            out.field("originalImagePath", originalImagePath)
            out.field("boundingBox", boundingBox)
            out.field("subjects", rawSubjects)
            out.field("firstPublishYear", firstPublicationYear)
        }
    }
}

/// The place of a book in a photo, as fractions of its width and height.
package struct BoundingBox: Sendable, Hashable {
    /// Left and top edge, 0–1.
    package var x: Double
    package var y: Double
    /// Size, 0–1.
    package var width: Double
    package var height: Double

    package init(x: Double, y: Double, width: Double, height: Double) {
        self.x = x
        self.y = y
        self.width = width
        self.height = height
    }
}

extension BoundingBox: JSONWritable {
    package func write(into out: inout JSONWriter) {
        out.object { out in
            out.field("x", x)
            out.field("y", y)
            out.field("width", width)
            out.field("height", height)
        }
    }
}
