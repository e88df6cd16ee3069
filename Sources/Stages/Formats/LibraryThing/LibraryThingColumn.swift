import Books
import Bytes

/// The columns of LibraryThing's JSON, one for each key. Different spellings of a key share a column, and the
/// last column holds keys without a column.
enum LibraryThingColumn: Int, FormatColumn {
    case booksID, title, authors, roles, isbn13, isbn10, publisher, date, pages, format, language
    case series, subject, tags, collections, rating, review, privateComment, comment
    case dateStarted, dateRead, dateAcquired, entryDate, copies, fromWhere, bcid
    case publication, originalTitle, originalLanguage, genre, ddc, lcc, workCode, asin, summary, more

    var name: String {
        switch self {
        case .booksID: "books_id"
        case .privateComment: "privatecomment"
        case .dateStarted: "datestarted"
        case .dateRead: "dateread"
        case .dateAcquired: "dateacquired"
        case .entryDate: "entrydate"
        case .fromWhere: "fromwhere"
        case .originalTitle: "originaltitle"
        case .originalLanguage: "originallanguage"
        case .workCode: "workcode"
        default: "\(self)"
        }
    }

    var field: LibraryField? {
        switch self {
        case .booksID: .sourceID
        case .title: .title
        case .authors: .author
        case .isbn13: .isbn13
        case .isbn10: .isbn10
        case .publisher: .publisher
        case .date: .yearPublished
        case .pages: .pageCount
        case .format: .binding
        case .language: .language
        case .series: .series
        case .subject: .subjects
        case .tags: .shelves
        case .collections: .exclusiveShelf
        case .rating: .rating
        case .review: .review
        case .privateComment: .privateNotes
        case .dateStarted: .dateStarted
        case .dateRead: .dateRead
        case .dateAcquired: .purchaseDate
        case .entryDate: .dateAdded
        case .copies: .ownedCopies
        case .fromWhere: .purchaseLocation
        case .bcid: .bcid
        case .originalLanguage: .originalLanguage
        case .workCode: .libraryThingWork
        case .asin: .asin
        default: nil
        }
    }

    /// The field that it is added to.
    var additional: LibraryField? {
        switch self {
        case .genre: .subjects
        case .comment: .privateNotes
        default: nil
        }
    }

    /// The column of a key. Spellings differ by year: `dateread`, `date_read`, `DateRead`.
    static func column(of key: String) -> LibraryThingColumn? {
        let bare = key.lowercased().filter { $0 != "_" && $0 != " " && $0 != "-" }
        return byKey[bare]
    }

    private static let byKey: [String: LibraryThingColumn] = {
        var byKey: [String: LibraryThingColumn] = [
            "bookid": .booksID, "id": .booksID, "publicationdate": .date, "pagecount": .pages,
            "media": .format,
            "languages": .language, "subjects": .subject, "tag": .tags, "collection": .collections,
            "stars": .rating, "reviews": .review, "privatecomments": .privateComment, "comments": .comment,
            "publiccomment": .comment, "started": .dateStarted, "finished": .dateRead, "read": .dateRead,
            "acquired": .dateAcquired, "dewey": .ddc, "workid": .workCode,
            "originallanguages": .originalLanguage,
        ]
        // These have no key of their own.
        for column in allCases where ![.roles, .isbn13, .isbn10, .publisher, .more].contains(column) {
            byKey[column.name.filter { $0 != "_" }] = column
        }
        return byKey
    }()

    /// Keys that only repeat others in another form.
    static let repeated: Set = [
        "sortcharacter", "tagidA", "collections_idA", "language_codeA", "originallanguage_codeA",
        "primaryauthor",
        "primaryauthorrole", "secondaryauthor", "secondaryauthorroles", "originalisbn",
    ]
}

/// Parses LibraryThing's combined cell: `Del Rey (2011), Edition: Reprint, Paperback, 528 pages`.
struct LibraryThingPublication {
    private(set) var publisher: Range<Int>
    /// The digits of the number of pages.
    private(set) var pages: Range<Int>?
    private(set) var format: EditionFormat?
    /// Whether a part names a film or a record.
    private(set) var isNoBook = false

    init(_ bytes: UnsafeRawBufferPointer) {
        publisher = Self.publisher(bytes)
        var left = publisher.upperBound..<bytes.count
        while !left.isEmpty {
            let end = bytes[left].firstIndex(of: UInt8(ascii: ",")) ?? left.upperBound
            let part = bytes.trimmedBlanks(in: left.lowerBound..<end)
            left = min(end + 1, left.upperBound)..<left.upperBound
            let text = UnsafeRawBufferPointer(rebasing: bytes[part])
            let digits = text.prefix { $0 &- 0x30 < 10 }.count
            if digits > 0, text.dropFirst(digits).elementsEqual(" pages".utf8) {
                pages = part.lowerBound..<part.lowerBound + digits
            } else if !text.starts(with: "Edition:".utf8), !part.isEmpty {
                format = EditionFormat(binding: text) ?? format
                isNoBook = isNoBook || NonBookWords.names(text)
            }
        }
    }

    /// The text before the year in brackets; before the first comma if there is no year.
    private static func publisher(_ bytes: UnsafeRawBufferPointer) -> Range<Int> {
        let bracket = bytes.indices.first { at in
            bytes[at] == UInt8(ascii: "(") && at + 5 < bytes.count && bytes[at + 5] == UInt8(ascii: ")")
                && bytes[(at + 1)...(at + 4)].allSatisfy { $0 &- 0x30 < 10 }
        }
        let end = bracket ?? bytes.firstIndex(of: UInt8(ascii: ",")) ?? bytes.count
        // A library's imprint begins with the place.
        let place = bracket == nil ? bytes[..<end].firstRange(of: Array(" : ".utf8))?.upperBound : nil
        let part = bytes.trimmedBlanks(in: (place ?? 0)..<end)
        return bytes[part].elementsEqual("Publisher Unknown".utf8) ? part.lowerBound..<part.lowerBound : part
    }
}
