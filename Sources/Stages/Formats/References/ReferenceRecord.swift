import Books
import Bytes
import Syntax
import System

/// The columns for a book in files of reference managers.
enum ReferenceColumn: Int, FormatColumn {
    case key, title, people, roles, isbn, publisher, date, originalYear, pages, language, originalLanguage
    case series, seriesNumber, keywords, notes, review, kind, summary, place, address, identifier

    var name: String {
        switch self {
        case .key: "Key"
        case .title: "Title"
        case .people: "People"
        case .roles: "Roles"
        case .isbn: "ISBN"
        case .publisher: "Publisher"
        case .date: "Date"
        case .originalYear: "Original Year"
        case .pages: "Pages"
        case .language: "Language"
        case .originalLanguage: "Original Language"
        case .series: "Series"
        case .seriesNumber: "Series Number"
        case .keywords: "Keywords"
        case .notes: "Notes"
        case .review: "Review"
        case .kind: "Type"
        case .summary: "Abstract"
        case .place: "Place"
        case .address: "URL"
        case .identifier: "DOI"
        }
    }

    var field: LibraryField? {
        switch self {
        case .key: .sourceID
        case .title: .title
        case .people: .author
        case .isbn: .isbn13
        case .publisher: .publisher
        case .date: .yearPublished
        case .originalYear: .originalYear
        case .pages: .pageCount
        case .language: .language
        case .originalLanguage: .originalLanguage
        case .series: .series
        case .seriesNumber: .seriesNumber
        case .keywords: .shelves
        case .notes: .privateNotes
        case .review: .review
        default: nil
        }
    }
}

/// A record of a reference manager, in any syntax.
struct ReferenceRecord {
    private var texts: [ReferenceColumn: String] = [:]
    private var people: [(name: String, role: ContributorRole)] = []
    /// The date to the day, if it is apart from the year.
    var day = ""

    /// A column's text. A second value of a column is added to the first.
    subscript(_ column: ReferenceColumn) -> String { texts[column] ?? "" }

    /// Adds a value to a column.
    ///
    /// - Parameter separator: Stands between it and an earlier value; nil to keep the earlier one alone.
    mutating func add(_ column: ReferenceColumn, _ value: String, separator: String? = nil) {
        guard !value.isEmpty else { return }
        guard let known = texts[column], !known.isEmpty else {
            texts[column] = value
            return
        }
        if let separator { texts[column] = known + separator + value }
    }

    /// Adds a person whose name has the family name first if it has a comma.
    ///
    /// - Parameter isWhole: Whether the name is an organization's, in which commas and `and` separate nothing.
    mutating func addPerson(_ name: String, _ role: ContributorRole, isWhole: Bool = false) {
        let name = name.filter { $0 != "|" }
        guard !isWhole else {
            if !name.isEmpty { people.append((name, role)) }
            return
        }
        let found = PeopleCell(name, .familyFirst)
        for person in found.people { people.append((person.name, person.role ?? role)) }
        // The row notes them.
        for name in found.leftOut { people.append((name, role)) }
    }

    /// Uses the date to the day in place of the year, if it is one: `1968/10/05`.
    mutating func takeDay() {
        let parts = day.split { $0 == "/" || $0 == "-" }
        if parts.count >= 3, parts.prefix(3).allSatisfy({ $0.allSatisfy(\.isNumber) }) {
            texts[.date] = parts.prefix(3).joined(separator: "-")
            return
        }
        // `1968///`
        let year = self[.date].prefix { $0 != "/" }
        texts[.date] = year.isEmpty ? parts.first.map(String.init) : String(year)
    }

    /// Appends the cells.
    func append(in arena: inout Arena, to cells: inout [Text]) -> Range<Int> {
        var row = CellRow<ReferenceColumn>()
        for (column, text) in texts { row[column] = arena.append(text) }
        row[.people] = arena.append(people.map(\.name).joined(separator: "|"))
        row[.roles] = arena.append(people.map { String(describing: $0.role) }.joined(separator: "|"))
        return row.append(to: &cells)
    }
}

/// The records of a file of a reference manager.
struct ReferenceStream<Framing: RecordFraming>: SingleRecordStream, ~Copyable {
    private var frames: FrameReader<Framing>
    private let decode: (String) -> ReferenceRecord?

    /// - Parameter decode: Reads a record; nil for a text that is not a record, such as a comment.
    init(
        _ source: some ByteSource, _ framing: Framing, encoding: TextEncoding, limits: RecordLimits,
        from start: Position, decode: @escaping (String) -> ReferenceRecord?
    ) {
        frames = FrameReader(
            source, framing: framing, encoding: encoding, limit: limits.recordBytes, from: start)
        self.decode = decode
    }

    var position: Position { frames.position }

    mutating func next(arena: inout Arena, cells: inout [Text]) throws(ETLError) -> Record? {
        while var found = try frames.next(arena: &arena) {
            guard found.flags.isDisjoint(with: .withoutCells) else { return found }
            guard let record = decode(arena[found.raw]) else { continue }
            found.cells = record.append(in: &arena, to: &cells)
            return found
        }
        return nil
    }
}
