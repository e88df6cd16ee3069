package import Books
import Bytes

/// A work as clients read it (`docs/contract.md`).
///
/// Some values have two names in the contract. Each is stored once here and written under both.
package struct WorkDTO: Sendable, Hashable {
    /// The public key.
    package var id: String
    /// The title of the edition at hand.
    package var title: String
    /// The work's own title, usually in the original language; nil if ``title`` is the same title.
    package var originalTitle: String?
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

    /// ``AuthorDTO/key`` of its authors, first author first.
    package var authorKeys: [String] = []
    /// ``EditionDTO/id`` of its editions in the same answer, the one at hand first.
    package var editionIDs: [String] = []

    /// Open Library's work, `OL12345W`; also written as `openLibraryWorkID`.
    package var openLibraryID: String?
    package var isbndbID: String?
    /// When ISBNdb was last asked, in milliseconds since 1970.
    package var lastISBNDBSync: Int64?

    /// The photo in which a scan found the work.
    package var originalImagePath: String?
    package var boundingBox: BoundingBox?

    /// The work's own title, by which it is matched.
    package private(set) var ownTitle: String

    package init(id: String, title: String, isbndbQuality: Int, reviewStatus: ReviewStatus) {
        self.id = id
        self.title = title
        ownTitle = title
        self.isbndbQuality = isbndbQuality
        self.reviewStatus = reviewStatus
    }

    /// Shows the work under the title of one of its editions.
    package mutating func show(titleOf edition: EditionDTO?) {
        let title = ShownTitle(edition: edition?.title, work: ownTitle)
        self.title = title.text
        originalTitle = title.original
    }

    /// Shows the work with the title and the identifiers of its edition, which works have no values of their own for.
    package mutating func show(_ edition: EditionDTO) {
        show(titleOf: edition)
        amazonASINs = edition.amazonASINs
        googleBooksVolumeIDs = edition.googleBooksVolumeIDs
        isbndbID = edition.isbndbID
        lastISBNDBSync = edition.lastISBNDBSync
    }

    /// Notes the keys by which clients join the work with its editions and authors in the lists of an answer, and which
    /// editions have titles of their own.
    package mutating func join(_ editions: inout [EditionDTO], _ authors: [AuthorDTO]) {
        authorKeys = authors.compactMap(\.key)
        editionIDs = editions.map(\.id)
        let own = Folding.fold(ownTitle)
        for index in editions.indices {
            editions[index].workID = id
            if let title = editions[index].title, !own.isEmpty, Folding.fold(title) != own {
                editions[index].editionTitle = title
            }
        }
    }
}

extension WorkDTO: ContractRecord {
    package static var example: WorkDTO {
        WorkDTO(id: "", title: "", isbndbQuality: 0, reviewStatus: .verified)
    }
    package static var schemaName: String? { "Work" }

    package func fields(into table: inout some FieldTable) {
        table.field("id", id)
        table.field("title", title)
        table.field("subjectTags", subjectTags)
        table.field("goodreadsWorkIDs", goodreadsWorkIDs)
        table.field("amazonASINs", amazonASINs)
        table.field("librarythingIDs", librarythingIDs)
        table.field("googleBooksVolumeIDs", googleBooksVolumeIDs)
        table.field("isbndbQuality", isbndbQuality)
        table.field("reviewStatus", reviewStatus)
        table.field("originalTitle", originalTitle)
        table.field("originalLanguage", originalLanguage)
        table.field("firstPublicationYear", firstPublicationYear)
        table.field("description", description)
        table.field("coverImageURL", coverImageURL)
        table.field("synthetic", isSynthetic)
        table.field("primaryProvider", primaryProvider)
        table.field("contributors", contributors)
        table.field("openLibraryID", openLibraryID)
        table.field("openLibraryWorkID", openLibraryID)
        table.field("isbndbID", isbndbID)
        // The older single-value fields: the first value of each list.
        table.field("googleBooksVolumeID", googleBooksVolumeIDs.first)
        table.field("goodreadsID", goodreadsWorkIDs.first)
        table.field("lastISBNDBSync", lastISBNDBSync.map { Moment($0) })
        table.field("originalImagePath", originalImagePath)
        table.field("boundingBox", boundingBox)
        table.field("subjects", rawSubjects)
        table.field("firstPublishYear", firstPublicationYear)
        table.field("authorKeys", authorKeys)
        table.field("editionIds", editionIDs)
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

extension BoundingBox: ContractRecord {
    package static var example: BoundingBox { BoundingBox(x: 0, y: 0, width: 0, height: 0) }

    package func fields(into table: inout some FieldTable) {
        table.field("x", x)
        table.field("y", y)
        table.field("width", width)
        table.field("height", height)
    }
}
