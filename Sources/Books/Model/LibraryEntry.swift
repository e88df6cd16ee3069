/// One entry of a library with everything that it says about the book and the user, whatever format it was
/// read from. Layouts are written from it (``ExportLayout``).
///
/// The user's own row comes first: a value that the row has is exported as the row has it. Values that the row
/// lacks come from the stored edition and work, so lookups fill gaps.
package struct LibraryEntry: Sendable {
    /// A person and what they did.
    package struct Contributor: Sendable, Hashable {
        package var name: String
        package var role: ContributorRole

        package init(name: String, role: ContributorRole) {
            self.name = name
            self.role = role
        }
    }

    /// A series and the book's place in it, as the source spells it; the number can be empty.
    package struct Series: Sendable, Hashable {
        package var name: String
        package var number: String

        package init(name: String, number: String) {
            self.name = name
            self.number = number
        }
    }

    /// A cell of the user's row.
    package struct OwnCell: Sendable, Hashable {
        /// The column's name as the file spells it.
        package var column: String
        package var text: String
        /// Whether a field uses the column, or it has no data of the user.
        package var isMapped: Bool
        /// Whether the cell still matches the entry. It does not if the value was changed since, or if a
        /// lookup filled it.
        package var isCurrent: Bool

        package init(column: String, text: String, isMapped: Bool, isCurrent: Bool) {
            self.column = column
            self.text = text
            self.isMapped = isMapped
            self.isCurrent = isCurrent
        }
    }

    /// The format of the file the entry was read from: `goodreads`.
    package var formatName = ""
    /// The library that has the entry.
    package var library = ""
    /// Single values as text: dates as `YYYY-MM-DD`, `YYYY-MM`, `YYYY` or the file's own text; languages as
    /// ISO 639-1 codes; the reading status by its ``ReadingStatus``.
    package var texts: [EntryField: String] = [:]
    /// In the order of the record, the author first.
    package var people: [Contributor] = []
    package var series: [Series] = []
    package var format: EditionFormat?
    /// Subjects of the row, else the book's genres.
    package var subjects: [String] = []
    /// Whether ``subjects`` are genres that were derived from something else. Leaving them out loses nothing.
    package var areSubjectsDerived = false
    /// Whether the title says the language, so that leaving it out loses nothing.
    package var isLanguageInTitle = false
    /// From 0.25 to 5; nil if not rated.
    package var rating: Double?
    /// The user's shelves and tags, without the reading status.
    package var tags: [String] = []
    /// The oldest first.
    package var readings: [ReadingDates] = []
    /// The row's cells by the key of their column (``HeaderNames/key(_:)``).
    package var cells: [String: OwnCell] = [:]

    package init() {}

    /// A single value; empty if there is none.
    package subscript(field: EntryField) -> String {
        get { texts[field] ?? "" }
        set { texts[field] = newValue.isEmpty ? nil : newValue }
    }

    /// The reading status; nil for a shelf of the user's own, or none.
    package var status: ReadingStatus? { ReadingStatus(rawValue: self[.shelf]) }

    /// Authors, and people whose role is not stated.
    package var authors: [String] {
        people.filter { $0.role == .author || $0.role == .contributor }.map(\.name)
    }

    /// People with another role than author.
    package var helpers: [Contributor] {
        people.filter { $0.role != .author && $0.role != .contributor }
    }
}

/// Fields of an entry. The raw values name fields in reports of what a layout loses; they are those of `etl export
/// --to csv` where it has the field.
package enum EntryField: String, Sendable, CaseIterable, Hashable {
    case title, series, authors, contributors
    case isbn, asin, oclcNumber, lccn, openLibraryWork, openLibraryEdition, libraryThingWork, goodreadsBook
    case publisher, publishedDate, firstPublicationYear, pageCount, format, language, originalLanguage
    case averageRating, categories
    case rating, shelf, shelves, shelfPositions
    case dateStarted, dateRead, earlierReadings, dateAdded, readCount, ownedCopies
    case review, spoiler, notes
    case recommendedFor, recommendedBy, purchaseDate, purchaseLocation, condition, conditionDescription, bcid
    case location, lentTo, price, barcode
    /// Which copy of its book the entry is, if the library has several: `copy 2`.
    case copies
}

extension LibraryEntry {
    /// Value of a field, as text; nil if it has none. Values that follow from others, such as one reading of a book
    /// that was read, are none.
    package func value(of field: EntryField) -> String? {
        let text: String =
            switch field {
            case .series: series.map(\.text).joined(separator: "; ")
            case .authors: authors.joined(separator: "; ")
            case .contributors: helpers.map { "\($0.name) (\($0.role))" }.joined(separator: "; ")
            case .format: format?.contractName ?? ""
            case .categories: areSubjectsDerived ? "" : subjects.joined(separator: "; ")
            case .language: isLanguageInTitle ? "" : self[.language]
            case .rating: rating.map(Self.spelled) ?? ""
            case .shelves: tags.joined(separator: ", ")
            case .dateStarted: readings.last?.started ?? ""
            case .dateRead: readings.last?.finished ?? ""
            case .earlierReadings: readings.dropLast().map(\.text).joined(separator: ", ")
            case .readCount: Int(self[.readCount]).flatMap { $0 > impliedReadings ? String($0) : nil } ?? ""
            case .ownedCopies: Int(self[.ownedCopies]).flatMap { $0 > 0 ? String($0) : nil } ?? ""
            // Programs write zero for a number that they do not know.
            case .pageCount, .averageRating: Double(self[field]) == 0 ? "" : self[field]
            case .spoiler: self[.spoiler].lowercased() == "true" ? "true" : ""
            default: self[field]
            }
        return text.isEmpty ? nil : text
    }

    /// Number of readings that this status implies if no others are listed.
    package var impliedReadings: Int { status == .read ? max(1, readings.count) : 0 }

    /// The shortest digits: `4`, `3.75`.
    package static func spelled(_ number: Double) -> String {
        Int(exactly: number).map(String.init) ?? number.description
    }
}

extension LibraryEntry.Series {
    /// `Earthsea Cycle #1`
    package var text: String { number.isEmpty ? name : "\(name) #\(number)" }
}
