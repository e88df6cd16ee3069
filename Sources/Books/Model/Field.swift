/// A bibliographic field, as used in candidates, merging and lineage.
///
/// Raw values are stored in lineage and packed candidates: never reuse one; add new ones at the end of a
/// block.
package enum Field: UInt8, Sendable, CaseIterable, Hashable {
    // The work.
    case workKey = 1  // Open Library's, without the path: OL45804W
    case title, subtitle, description
    case firstPublicationYear, originalLanguage
    case subject  // repeats; the provider's own spelling
    case workCover  // URL
    case seriesName, seriesNumber  // repeat in parallel
    case genre  // repeats; canonical, after NormalizeGenres
    case workGoodreadsID, workLibraryThingID, workWikidata

    // The edition.
    case editionKey = 32  // Open Library's, without the path: OL7353617M
    case editionTitle, editionSubtitle
    case isbn13, isbn10  // repeat; normalized digits
    case publisher, publicationDate, pageCount, format, language
    case editionCover  // URL
    case editionDescription
    case editionGoodreadsID, editionLibraryThingID, amazonASIN, googleBooksVolumeID, isbndbID
    case averageRating, ratingsCount
    case oclcNumber, lccn  // repeat
    /// Repeats: another edition with the same ISBN, as a ``PackedRecord``. It is kept with its provider's record, and
    /// is no value of the edition.
    case otherEdition

    // An author. The fields repeat by author number.
    case authorKey = 96  // Open Library's, without the path: OL34184A
    case authorName, authorRole
    case authorAlternateName  // repeats
    case authorBirthYear, authorDeathYear  // digits, with a minus sign before the common era
    case authorWikidata  // Q42
    case authorGoodreadsID, authorVIAF, authorISNI

    /// Whether the field describes an author and not the work or the edition.
    package var isOfAuthor: Bool { rawValue >= 96 }
    /// Whether the field describes the edition.
    package var isOfEdition: Bool { (32..<96).contains(rawValue) }
    /// Whether each element of its list has an origin of its own. Positions in series belong together.
    package var hasOriginPerElement: Bool { isList && self != .seriesName }
    /// Whether the field can have several values and its column is a JSON array.
    package var isList: Bool {
        switch self {
        case .genre, .subject, .seriesName, .workGoodreadsID, .workLibraryThingID, .isbn13,
            .editionLibraryThingID, .amazonASIN, .googleBooksVolumeID:
            true
        default: false
        }
    }
    /// The name used by `etl explain`, exports and pipeline files: `firstPublicationYear`.
    package var name: String { String(describing: self) }
}

/// A set of fields in two machine words.
package struct FieldSet: Equatable {
    private(set) var low: UInt64 = 0
    private(set) var high: UInt64 = 0

    /// The empty set.
    package init() {}

    package func contains(_ field: Field) -> Bool {
        let raw = field.rawValue
        return (raw < 64 ? low >> raw : high >> (raw & 63)) & 1 == 1
    }

    package mutating func insert(_ field: Field) {
        let raw = field.rawValue
        if raw < 64 { low |= 1 << raw } else { high |= 1 << (raw & 63) }
    }

    mutating func remove(_ field: Field) {
        let raw = field.rawValue
        if raw < 64 { low &= ~(1 << raw) } else { high &= ~(1 << (raw & 63)) }
    }

    /// Removes and returns the field with the smallest raw value.
    package mutating func popFirst() -> Field? {
        var raw = low.trailingZeroBitCount
        if raw < 64 {
            low &= low &- 1
        } else {
            guard high != 0 else { return nil }
            raw = 64 + high.trailingZeroBitCount
            high &= high &- 1
        }
        return Field(rawValue: UInt8(raw))
    }
}
