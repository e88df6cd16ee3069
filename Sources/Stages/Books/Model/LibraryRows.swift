public import Bytes
public import Pipeline

/// A batch of records as the source read them: the first shape of what travels through `csv_import`.
public struct LibraryRows: Payload {
    /// The bytes that all texts of the batch point into.
    public var arena: Arena
    /// The rows, in input order.
    public var rows: [LibraryRow]
    /// The cells of all rows, row after row.
    public var cells: [Text]
    /// Series of all rows, row after row.
    public var series: [SeriesMention]
    /// People of all rows, row after row.
    public var people: [Person]
    /// What profiles made of fields whose cells do not say it, row after row.
    public var readings: [FieldReading] = []
    /// What the columns mean; the same value for all batches of a file.
    public var columns: ColumnMap

    /// A batch, usually begun empty and filled record by record.
    public init(
        arena: Arena = Arena(), rows: [LibraryRow] = [], cells: [Text] = [],
        series: [SeriesMention] = [], people: [Person] = [], columns: ColumnMap
    ) {
        self.arena = arena
        self.rows = rows
        self.cells = cells
        self.series = series
        self.people = people
        self.columns = columns
    }

    /// Rows, which are as many as records that were not turned away.
    public var count: Int { rows.count }

    /// Bytes of arena, cells and rows.
    public var byteCount: Int {
        arena.byteCount + cells.count * MemoryLayout<Text>.stride
            + rows.count * MemoryLayout<LibraryRow>.stride
    }

    /// What a row says for a field: the profile's reading, else the cell, trimmed by nobody; empty where the export
    /// has no such column or the record is too short.
    public func cell(_ field: LibraryField, of row: LibraryRow) -> Text {
        cell(field, readings: row.readings, cells: row.cells)
    }

    /// The same of a row by its number: without taking the row out, which copies it.
    func cell(_ field: LibraryField, ofRow number: Int) -> Text {
        cell(field, readings: rows[number].readings, cells: rows[number].cells)
    }

    @inline(__always)
    private func cell(_ field: LibraryField, readings own: Range<Int>, cells range: Range<Int>) -> Text {
        for index in own where readings[index].field == field { return readings[index].value }
        guard let column = columns[field], column < range.count else { return .none }
        return cells[range.lowerBound + column]
    }

    /// The cell of a row in a column, from 0; empty where the record is too short.
    public func cell(column: Int, of row: LibraryRow) -> Text {
        column < row.cells.count ? cells[row.cells.lowerBound + column] : .none
    }

    /// Notes what a field of a row means, where its cell does not say it so that others understand.
    public mutating func read(_ field: LibraryField, as value: Text, of row: inout LibraryRow) {
        if row.readings.isEmpty { row.readings = readings.count..<readings.count }
        readings.append(FieldReading(field: field, value: value))
        row.readings = row.readings.lowerBound..<readings.count
    }

    /// The same as a `String`.
    public func string(_ field: LibraryField, of row: LibraryRow) -> String { arena[cell(field, of: row)] }
}

/// Which column holds which field, by the header's names, never by position.
public struct ColumnMap: Sendable, Hashable {
    /// The profile that made the map: `goodreads`.
    public let profile: String
    /// Column names as the file spells them, in its order.
    public let names: [String]
    private let columnOfField: [Int16]
    /// How dates in the columns are meant that have their year last.
    public var dateOrder = DateOrder.dayFirst

    /// A map made from a header.
    ///
    /// - Parameter fields: The column of each field that has one, from 0, below 32,767.
    public init(profile: String, names: [String], fields: [LibraryField: Int]) {
        self.profile = profile
        self.names = names
        var columns = [Int16](repeating: -1, count: LibraryField.allCases.count)
        for (field, column) in fields { columns[Int(field.rawValue)] = Int16(column) }
        columnOfField = columns
    }

    /// Columns a map can tell apart.
    static let maxColumns = Int(Int16.max)

    /// Fields of which a file must have one: without a title or an ISBN nothing in it is a book.
    static let identifying: [LibraryField] = [.title, .isbn13, .isbn10]

    /// The column of a field, from 0.
    public subscript(_ field: LibraryField) -> Int? {
        let column = columnOfField[Int(field.rawValue)]
        return column < 0 ? nil : Int(column)
    }

    /// Columns that map to no field: carried along and exported again.
    public var unmapped: [Int] {
        let mapped = Set(columnOfField.filter { $0 >= 0 }.map(Int.init))
        return names.indices.filter { !mapped.contains($0) }
    }
}

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

/// Some of the fields of a library export: a bit for each.
public struct LibraryFields: Sendable, Hashable {
    private var bits: UInt64 = 0

    /// None.
    public init() {}

    /// Whether there are none.
    public var isEmpty: Bool { bits == 0 }

    /// Whether a field is among them.
    public func contains(_ field: LibraryField) -> Bool { bits & Self.bit(field) != 0 }

    /// Adds a field.
    public mutating func insert(_ field: LibraryField) { bits |= Self.bit(field) }

    private static func bit(_ field: LibraryField) -> UInt64 { 1 << UInt64(field.rawValue) }
}
