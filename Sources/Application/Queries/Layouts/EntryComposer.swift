import Books
import Bytes
import Formats
import Store

/// Composes an entry from the user's row and the stored values.
struct EntryComposer {
    private let formatName: String
    private let row: EntryRow
    private let stored: StoredEntry
    private var entry = LibraryEntry()
    /// Fields whose cells no longer match the entry.
    private var outdated: Set<LibraryField> = []
    /// The people of the book if the row names none.
    var people: [LibraryEntry.Contributor] = []
    /// The number of the copy, from 1.
    var copy = 1

    init(_ formatName: String, _ row: EntryRow, _ stored: StoredEntry) {
        self.formatName = formatName
        self.row = row
        self.stored = stored
    }

    /// - Parameters:
    ///   - cells: The row's cells.
    ///   - names: The names of their columns.
    ///   - fields: The keys of the columns and the fields that use them.
    ///   - ownColumns: Keys of columns without data of the user.
    mutating func entry(
        _ cells: [String], names: [String], fields: [(key: String, field: LibraryField?)],
        ownColumns: Set<String>
    ) -> LibraryEntry {
        entry.formatName = formatName
        entry.library = stored.library
        if copy > 1 { entry[.copies] = "copy \(copy)" }
        takeBook()
        takeOwnValues()
        takeShelves()
        takeReadings()
        for (index, column) in fields.enumerated() where index < names.count {
            // A record can be shorter than its header.
            let text = index < cells.count ? cells[index] : ""
            entry.cells[column.key] = LibraryEntry.OwnCell(
                column: names[index], text: text,
                isMapped: column.field.map { !isUnread(text, $0) } ?? ownColumns.contains(column.key),
                isCurrent: column.field.map { !outdated.contains($0) } ?? true)
        }
        // Cells that belong to no column.
        for index in cells.indices where index >= names.count && !cells[index].isEmpty {
            let name = "#\(index + 1)"
            entry.cells[name] = LibraryEntry.OwnCell(
                column: name, text: cells[index], isMapped: false, isCurrent: true)
        }
        return entry
    }

    /// Whether a cell has a number that is no ISBN, which would be lost like a cell that nothing uses.
    private func isUnread(_ text: String, _ field: LibraryField) -> Bool {
        Self.numberFields.contains(field) && entry[.isbn].isEmpty && entry[.asin].isEmpty
            && text.contains { $0.isLetter || $0.isNumber }
    }

    private static let numberFields: Set<LibraryField> = [.isbn13, .isbn10, .isbns]

    // MARK: The book

    /// The fields of the row that say the same as a field of the entry.
    private static let bookFields: [(field: EntryField, columns: [LibraryField])] = [
        (.publisher, [.publisher]), (.publishedDate, [.yearPublished]),
        (.firstPublicationYear, [.originalYear]), (.pageCount, [.pageCount]), (.language, [.language]),
        (.originalLanguage, [.originalLanguage]), (.averageRating, [.averageRating]), (.asin, [.asin]),
        (.openLibraryWork, [.openLibraryWork]), (.openLibraryEdition, [.openLibraryEdition]),
        (.libraryThingWork, [.libraryThingWork]), (.goodreadsBook, [.goodreadsBook]),
        (.oclcNumber, [.oclcNumber]), (.lccn, [.lccn]),
    ]

    private mutating func takeBook() {
        for (field, columns) in Self.bookFields {
            take(field, columns.compactMap { row.values[$0] }.first, of: columns)
        }
        let published = entry[.publishedDate]
        entry[.publishedDate] =
            Self.date(published, .dayFirst) ?? PublicationDate.canonical(published) ?? published
        take(.title, row.title.isEmpty ? nil : row.title, of: [.title, .subtitle])
        entry.isLanguageInTitle = row.isLanguageInTitle
        entry.people = row.people.isEmpty ? people : row.people
        if row.people.isEmpty, !people.isEmpty {
            outdated.formUnion([.author, .authorLastFirst, .additionalAuthors, .contributors])
        }
        entry.series = row.series
        if row.series.isEmpty, !stored.series.isEmpty {
            entry.series = stored.series.map { .init(name: $0.name, number: $0.number ?? "") }
            outdated.formUnion([.title, .subtitle, .series, .seriesNumber])
        }
        entry.format = row.format ?? stored.format
        if row.format == nil, stored.format != nil { outdated.insert(.binding) }
        // The row's cells can be damaged, or of another book. The stored number is checked.
        entry[.isbn] = stored.book[.isbn] ?? ""
        let digits = [LibraryField.isbn13, .isbn10, .isbns].compactMap { row.values[$0] }.joined()
        if !entry[.isbn].isEmpty, !digits.contains(where: \.isNumber) {
            outdated.formUnion([.isbn10, .isbn13, .isbns])
        }
        entry.subjects = row.values[.subjects].map(Self.list) ?? stored.genres
        entry.areSubjectsDerived = row.values[.subjects] == nil
    }

    /// Takes the row's value, else the stored one.
    private mutating func take(_ field: EntryField, _ value: String?, of columns: [LibraryField]) {
        if let value, !value.isEmpty {
            entry[field] = value
        } else if let known = stored.book[field], !known.isEmpty {
            entry[field] = known
            outdated.formUnion(columns)
        }
    }

    private static func list(_ text: String) -> [String] {
        text.split(separator: ";").map { $0.trimming(.spaces) }.filter { !$0.isEmpty }
    }

    // MARK: The user

    private static let ownFields: [(field: EntryField, column: LibraryField)] = [
        (.shelf, .exclusiveShelf), (.dateAdded, .dateAdded), (.readCount, .readCount),
        (.ownedCopies, .ownedCopies), (.review, .review), (.notes, .privateNotes), (.location, .location),
        (.lentTo, .lentTo), (.price, .price), (.condition, .condition), (.barcode, .barcode),
    ]

    /// Values that only the row has.
    private static let rowFields: [(field: EntryField, column: LibraryField)] = [
        (.spoiler, .spoiler), (.shelfPositions, .shelfPositions), (.recommendedFor, .recommendedFor),
        (.recommendedBy, .recommendedBy), (.purchaseDate, .purchaseDate),
        (.purchaseLocation, .purchaseLocation),
        (.conditionDescription, .conditionDescription), (.bcid, .bcid),
    ]

    private mutating func takeOwnValues() {
        for (field, column) in Self.ownFields {
            let value = stored.own[field] ?? ""
            entry[field] = value
            let said = row.values[column] ?? ""
            let isSame = said == value || column == .review || Self.isSameNumber(said, value)
            let isSameDate = DateOrder.allCases.contains { Self.date(said, $0) == value }
            if !isSame, !isSameDate { outdated.insert(column) }
        }
        entry.rating = stored.rating
        let stars = row.values[.rating].flatMap(Double.init)
        if (stars == 0 ? nil : stars) != stored.rating { outdated.insert(.rating) }
        for (field, column) in Self.rowFields { entry[field] = row.values[column] ?? "" }
        entry[.purchaseDate] = Self.date(entry[.purchaseDate], .dayFirst) ?? ""
    }

    private static func isSameNumber(_ a: String, _ b: String) -> Bool {
        guard let a = Double(a), let b = Double(b) else { return false }
        return a == b
    }

    private mutating func takeShelves() {
        if (row.values[.shelves] ?? "") != stored.shelves { outdated.insert(.shelves) }
        let shelf = entry[.shelf]
        var tags: [String] = []
        for tag in ShelfList.names(in: stored.shelves) {
            let isStatus = tag == shelf || ReadingStatus(tag)?.rawValue == shelf
            if !isStatus, !tags.contains(tag) { tags.append(tag) }
        }
        entry.tags = tags
    }

    private mutating func takeReadings() {
        let said = StoredReadings(listed: row.readings, Self.order(row, stored))
        entry.readings = stored.readings.all
        if entry.readings != said.all { outdated.formUnion([.dateRead, .dateStarted, .earlierReadings]) }
    }

    private static func order(_ row: EntryRow, _ stored: StoredEntry) -> DateOrder {
        let last = row.values[.dateRead] ?? ""
        return date(last, .dayFirst) != stored.dateRead && date(last, .monthFirst) == stored.dateRead
            ? .monthFirst : .dayFirst
    }

    /// A date as it is stored; nil if the text is none.
    static func date(_ text: String, _ order: DateOrder) -> String? {
        CalendarDate(text, order)?.description
    }
}
