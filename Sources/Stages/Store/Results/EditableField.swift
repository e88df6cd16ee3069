package import Books

/// A field that the user can set or lock: a value of a work, of an edition or of an entry.
///
/// Raw values are stored: never change or reuse one.
package enum EditableField: UInt8, Sendable, CaseIterable {
    // The work.
    case title = 1
    case subtitle, description, firstPublicationYear, originalLanguage, workCover, genre, subject, seriesName
    case authors
    /// The Open Library key, by which records of the work are recognized.
    case openLibrary

    // The edition.
    case editionTitle = 64
    case editionSubtitle, publisher, publicationDate, pageCount, format, language, editionCover
    case editionDescription
    /// The work that the edition belongs to.
    case work
    /// The ISBN that the edition is found by.
    case isbn

    // The entry.
    case rating = 128
    case shelf, shelves, dateRead, dateAdded, readCount, ownedCopies, review, notes, dateStarted
    case location, lentTo, price, condition, barcode

    /// Details of a copy.
    package static let copyDetails: [EditableField] = [.location, .lentTo, .price, .condition, .barcode]

    /// The part of a book that a field belongs to.
    package enum Part: UInt8, Sendable, CaseIterable {
        case work, edition, entry

        /// The table of its rows.
        package var table: JournaledTable {
            switch self {
            case .work: .works
            case .edition: .editions
            case .entry: .entries
            }
        }

        /// The raw values of its fields.
        var codes: Range<Int64> { Int64(rawValue) << 6..<Int64(rawValue) << 6 + 64 }
    }

    package var part: Part { Part(rawValue: rawValue >> 6) ?? .entry }

    /// The name in reports: `firstPublicationYear`.
    package var name: String { String(describing: self) }

    /// Whether it can be set. The others can only be locked.
    package var isSettable: Bool { self != .openLibrary && self != .work }

    /// The field with a name, or with the name of its column in an export: `cover`, `categories`.
    package init?(named text: String) {
        let name = text.lowercased()
        guard
            let field = Self.allCases.first(where: { $0.name.lowercased() == name })
                ?? Self.otherNames[name]
        else { return nil }
        self = field
    }

    private static let otherNames: [String: EditableField] = [
        "worktitle": .title, "author": .authors, "genres": .genre, "categories": .genre, "subjects": .subject,
        "series": .seriesName, "cover": .editionCover, "coverurl": .editionCover, "pages": .pageCount,
        "publisheddate": .publicationDate, "year": .publicationDate, "isbn13": .isbn, "isbn10": .isbn,
    ]

    /// The field in the lineage of works and editions; nil for a field of the entry, and for the work
    /// of an edition.
    package var field: Field? {
        switch self {
        case .title: .title
        case .subtitle: .subtitle
        case .description: .description
        case .firstPublicationYear: .firstPublicationYear
        case .originalLanguage: .originalLanguage
        case .workCover: .workCover
        case .genre: .genre
        case .subject: .subject
        case .seriesName: .seriesName
        case .authors: .authorName
        case .openLibrary: .workKey
        case .editionTitle: .editionTitle
        case .editionSubtitle: .editionSubtitle
        case .publisher: .publisher
        case .publicationDate: .publicationDate
        case .pageCount: .pageCount
        case .format: .format
        case .language: .language
        case .editionCover: .editionCover
        case .editionDescription: .editionDescription
        case .isbn: .isbn13
        default: nil
        }
    }

    /// The field of an export; nil for a field of the work or the edition.
    var libraryField: LibraryField? {
        switch self {
        case .rating: .rating
        case .shelf: .exclusiveShelf
        case .shelves: .shelves
        case .dateRead: .dateRead
        case .dateAdded: .dateAdded
        case .dateStarted: .dateStarted
        case .readCount: .readCount
        case .ownedCopies: .ownedCopies
        case .review: .review
        case .notes: .privateNotes
        case .location: .location
        case .lentTo: .lentTo
        case .price: .price
        case .condition: .condition
        case .barcode: .barcode
        default: nil
        }
    }

    /// The column of its part's table; nil for the authors, who have rows of their own.
    package var column: String? {
        switch self {
        case .rating, .shelf, .shelves, .review, .notes, .location, .price, .condition, .barcode: return name
        case .lentTo: return "lent_to"
        case .dateRead: return "date_read"
        case .dateAdded: return "date_added"
        case .dateStarted: return "date_started"
        case .readCount: return "read_count"
        case .ownedCopies: return "owned_copies"
        case .work, .isbn: return name
        default: break
        }
        guard let field, self != .authors else { return nil }
        let (index, names) =
            part == .work
            ? (WorkColumns.index, WorkColumns.names) : (EditionColumns.index, EditionColumns.names)
        return names[Int(index[Int(field.rawValue)])]
    }

    /// Whether it has several values, separated by semicolons where a user writes them.
    package var isList: Bool { self == .authors || (self != .isbn && field?.isList == true) }
}
