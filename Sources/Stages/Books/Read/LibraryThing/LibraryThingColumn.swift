/// The columns of LibraryThing's JSON: its keys, those that go by other names in other years under one, and what has
/// no column of its own in the last.
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
        default: nil
        }
    }

    /// The column of a key, as the years spell it: `dateread`, `date_read`, `DateRead`.
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
