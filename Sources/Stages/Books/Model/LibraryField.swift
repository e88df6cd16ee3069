/// What a column of a library export can mean. A profile maps its columns to these; what maps to none is carried
/// along and exported again.
public enum LibraryField: UInt8, Sendable, CaseIterable, Hashable {
    /// The source's own id of the entry (Goodreads' Book Id): the only key that is stable between two exports.
    case sourceID
    case title, author, authorLastFirst, additionalAuthors
    /// People with their roles in brackets behind their names.
    case contributors
    /// Roles of the author, and of the additional authors, parallel to their names and parted by `|`.
    case authorRole, additionalRoles
    case isbn10, isbn13
    case rating, averageRating
    case publisher, binding, pageCount, yearPublished, originalYear
    case language
    case dateRead, dateStarted, dateAdded
    case shelves, shelfPositions, exclusiveShelf
    case review, spoiler, privateNotes
    case readCount, recommendedFor, recommendedBy, ownedCopies
    case purchaseDate, purchaseLocation, condition, conditionDescription, bcid
    case series, seriesNumber
    /// What the source says the book is about: headings, parted by `; `.
    case subjects
    /// Open Library's keys of the work and the edition: `OL45804W`, `OL7353617M`. A row with the first is a book, though
    /// it may have neither title nor ISBN.
    case openLibraryWork, openLibraryEdition
    /// All ISBNs of the book, parted by `;`: asked where the row's own cells tell none.
    case isbns
}
