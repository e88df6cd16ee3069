package import Bytes
import Pipeline

/// A batch of records as the source parsed them: the first payload of `csv_import`.
package struct LibraryRows: Payload {
    /// The bytes of all texts in the batch.
    package var arena: Arena
    /// The rows, in input order.
    package var rows: [LibraryRow]
    /// The cells of all rows, row after row.
    package var cells: [Text]
    /// Series of all rows, row after row.
    package var series: [SeriesMention]
    /// People of all rows, row after row.
    package var people: [Person]
    /// Values that formats derived for fields whose cells need interpretation, row after row.
    package var readings: [FieldReading] = []
    /// Meaning of the columns. All batches of a file have the same value.
    package var columns: ColumnMap

    /// A batch; usually created empty and filled record by record.
    package init(
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

    /// Number of rows; rejected records are not among them.
    package var count: Int { rows.count }

    /// Bytes of arena, cells and rows.
    package var byteCount: Int {
        arena.byteCount + cells.count * MemoryLayout<Text>.stride
            + rows.count * MemoryLayout<LibraryRow>.stride
    }

    /// A row's value for a field: the format's reading if there is one, else the untrimmed cell. Empty if
    /// the export has no such column or the record is too short.
    package func cell(_ field: LibraryField, of row: LibraryRow) -> Text {
        cell(field, readings: row.readings, cells: row.cells)
    }

    /// The same for a row's index, which avoids copying the row.
    package func cell(_ field: LibraryField, ofRow number: Int) -> Text {
        cell(field, readings: rows[number].readings, cells: rows[number].cells)
    }

    @inline(__always)
    private func cell(_ field: LibraryField, readings own: Range<Int>, cells range: Range<Int>) -> Text {
        for index in own where readings[index].field == field { return readings[index].value }
        guard let column = columns[field], column < range.count else { return .none }
        return cells[range.lowerBound + column]
    }

    /// A row's cell in a column, from 0; empty if the record is too short.
    package func cell(column: Int, of row: LibraryRow) -> Text {
        column < row.cells.count ? cells[row.cells.lowerBound + column] : .none
    }

    /// Sets a row's value for a field whose cell expresses it in the source's own notation. Replaces a value set
    /// before.
    package mutating func read(_ field: LibraryField, as value: Text, of row: inout LibraryRow) {
        for index in row.readings where readings[index].field == field {
            readings[index].value = value
            return
        }
        if row.readings.isEmpty { row.readings = readings.count..<readings.count }
        readings.append(FieldReading(field: field, value: value))
        row.readings = row.readings.lowerBound..<readings.count
    }

    /// The same as a `String`.
    package func string(_ field: LibraryField, of row: LibraryRow) -> String { arena[cell(field, of: row)] }
}

/// Which column holds which field. Columns are identified by name, never by position.
package struct ColumnMap: Sendable, Hashable {
    /// The format that made the map: `goodreads`.
    package let formatName: String
    /// Column names as the file spells them, in its order.
    package let names: [String]
    private let columnOfField: [Int16]
    /// The order of day and month in dates that end with the year.
    package var dateOrder = DateOrder.dayFirst
    /// Order of the parts of people's names, as far as the file shows it.
    package var nameOrder = NameOrder.unknown
    /// Whether characters are written as in HTML (`&amp;`), as far as the file shows it.
    package var areTextsEscaped = false
    /// Whether texts were encoded in UTF-8 twice (`FranÃ§ois`), as far as the file shows it.
    package var areTextsDoublyEncoded = false

    /// Makes a map from a header.
    ///
    /// - Parameters:
    ///   - formatName: The name of the format.
    ///   - names: The names of the columns.
    ///   - fields: The column of each field, from 0, below 32,767. Fields without a column are absent.
    package init(formatName: String, names: [String], fields: [LibraryField: Int]) {
        self.formatName = formatName
        self.names = names
        var columns = [Int16](repeating: -1, count: LibraryField.allCases.count)
        for (field, column) in fields { columns[Int(field.rawValue)] = Int16(column) }
        columnOfField = columns
    }

    /// The maximum number of columns.
    package static let maxColumns = Int(Int16.max)

    /// A file must have one of these fields: without a title or an ISBN no record identifies a book.
    package static let identifying: [LibraryField] = [.title, .isbn13, .isbn10]

    /// The column of a field, from 0.
    package subscript(_ field: LibraryField) -> Int? {
        let column = columnOfField[Int(field.rawValue)]
        return column < 0 ? nil : Int(column)
    }

    /// Whether a column says something about one copy of a book.
    package var listsCopies: Bool { LibraryField.copy.contains { self[$0] != nil } }

    /// The column of each field that has one.
    package var fields: [LibraryField: Int] {
        var fields: [LibraryField: Int] = [:]
        for field in LibraryField.allCases { fields[field] = self[field] }
        return fields
    }

    /// The same map with other columns.
    package func with(names: [String], fields: [LibraryField: Int]) -> ColumnMap {
        var map = ColumnMap(formatName: formatName, names: names, fields: fields)
        (map.dateOrder, map.nameOrder, map.areTextsEscaped) = (dateOrder, nameOrder, areTextsEscaped)
        map.areTextsDoublyEncoded = areTextsDoublyEncoded
        return map
    }

    /// Columns that map to no field. They are stored and exported unchanged.
    package var unmapped: [Int] {
        let mapped = Set(columnOfField.filter { $0 >= 0 }.map(Int.init))
        return names.indices.filter { !mapped.contains($0) }
    }
}

/// Order of the parts of names in a column.
package enum NameOrder: UInt8, Sendable, Hashable {
    /// Not known: each cell decides for itself.
    case unknown
    /// The family name first: a comma in a cell with one name is inside the name.
    case familyFirst
    /// The given name first: a comma is only before a suffix or between names.
    case readingOrder
}

/// Meaning of a column of a library export. Columns that map to no field are stored and exported
/// unchanged.
package enum LibraryField: UInt8, Sendable, CaseIterable, Hashable {
    /// The source's own id of the entry, such as Goodreads' Book Id: the only key that is stable between two
    /// exports.
    case sourceID
    case title, author, authorLastFirst, additionalAuthors
    /// People, each with a role in brackets after the name.
    case contributors
    /// Roles of the author and of the additional authors, in the order of their names, separated by `|`.
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
    /// Subject headings, separated by `; `.
    case subjects
    /// Open Library's keys of the work and the edition: `OL45804W`, `OL7353617M`. A row with a work key
    /// identifies a book even without title and ISBN.
    case openLibraryWork, openLibraryEdition
    /// All ISBNs of the book, separated by `;`. Used if the row's own cells have no usable ISBN.
    case isbns
    /// Text after the title, in a column of its own.
    case subtitle
    /// People with this role.
    case translators, illustrators, editors, narrators
    /// The identifiers of the work in LibraryThing and of the book in Goodreads.
    case libraryThingWork, goodreadsBook
    /// The language of the original.
    case originalLanguage
    /// The edition's numbers in OCLC's catalog and in the Library of Congress.
    case oclcNumber, lccn
    /// Amazon's number of the edition.
    case asin
    /// The readings other than the latest, as ``StoredReadings`` holds them.
    case earlierReadings
    /// Where a copy stands, who has borrowed it, what it cost, and the number of this one copy.
    case location, lentTo, price, barcode

    /// All that name people or their roles.
    package static let people: [LibraryField] = [
        .author, .authorLastFirst, .additionalAuthors, .contributors, .authorRole, .additionalRoles,
        .translators,
        .illustrators, .editors, .narrators,
    ]

    /// What a row says about one copy of a book, not about the book or its reader.
    package static let copy: [LibraryField] = [
        .barcode, .bcid, .location, .lentTo, .price, .condition, .conditionDescription, .purchaseDate,
        .purchaseLocation,
    ]
}

/// A set of fields of a library export, one bit each.
package struct LibraryFields: Sendable, Hashable {
    private var bits: UInt64 = 0

    /// The empty set.
    package init() {}

    /// Whether the set is empty.
    package var isEmpty: Bool { bits == 0 }

    /// Whether the set has a field.
    package func contains(_ field: LibraryField) -> Bool { bits & Self.bit(field) != 0 }

    /// Adds a field.
    package mutating func insert(_ field: LibraryField) { bits |= Self.bit(field) }

    /// The fields of this set that another one does not have.
    package func subtracting(_ other: LibraryFields) -> LibraryFields {
        var rest = self
        rest.bits &= ~other.bits
        return rest
    }

    private static func bit(_ field: LibraryField) -> UInt64 { 1 << UInt64(field.rawValue) }
}
