import Books
import Bytes
import Database
import Store
import Syntax
import System

/// Writes rows of an export table, one at a time, as JSON or as cells.
final class ExportRow {
    private let columns: [ExportColumn]
    private let query: Statement
    private let contributors: ContributorNames
    private let userCells: UserCells
    /// For each column that shows lists of a work's editions, the statement that reads them.
    private let lists: [Statement?]
    /// The list that is being composed as a cell, and its number of elements.
    private var cell: [UInt8] = []
    private var elements = 0

    init(_ table: ExportTable, in connection: Connection) throws(ETLError) {
        columns = table.columns
        query = try connection.query(table.query)
        contributors = try ContributorNames(connection)
        var lists: [Statement?] = []
        for column in table.columns {
            guard case .ofEditions(let name) = column.kind else {
                lists.append(nil)
                continue
            }
            let works = EditionsOfWork.condition(work: "?1")
            lists.append(
                try connection.query(
                    "SELECT \(name) FROM editions WHERE \(works) AND \(name) IS NOT NULL ORDER BY key, id"))
        }
        self.lists = lists
        userCells = try UserCells(connection)
    }

    /// Moves to the row with this id; false if there is none. It stays the current row until the next call.
    func move(to id: Int64) throws(ETLError) -> Bool {
        query.reset()
        return try query.first(id)
    }

    /// The column with the layout's row id.
    private var layoutIndex: Int32 { Int32(columns.count + 1) }

    private func userTitle(_ index: Int32) throws(ETLError) -> String? {
        try userCells.title(in: query, layout: layoutIndex, cells: index)
    }

    private func userAuthors(_ index: Int32) throws(ETLError) -> String? {
        guard !query.isNull(index) else { return nil }
        return try userCells.authors(in: query, layout: layoutIndex, cells: index)
    }

    private func isAssumed(_ field: Field) -> Bool {
        query.withBytes(Int32(columns.count)) { Lineage.rule(of: field, in: $0) } == .assumed
    }

    /// The distinct values that the work's editions have in the column.
    private func listsOfEditions(_ index: Int) throws(ETLError) -> [String] {
        guard let lists = lists[index] else { return [] }
        lists.bind(1, query.integer(Int32(index)))
        defer { lists.reset() }
        var all: [String] = []
        while try lists.next() { all += lists.withBytes(0) { StoredList.strings($0) } }
        return all.deduplicated
    }

    /// Calls `body` with the contributors who are not authors: `Edith Grossman (translator)`.
    private func forEachHelper(
        ofWork work: Int64, _ body: (UnsafeRawBufferPointer) -> Void
    ) throws(ETLError) {
        try contributors.forEachHelper(of: work) { name, role in
            var text = Array(name)
            text.append(contentsOf: " (\(role))".utf8)
            text.withUnsafeBytes(body)
        }
    }

    // MARK: JSON

    /// Writes the current row as fields of an object. Missing values are left out; lists are written even if
    /// empty.
    func writeFields(into out: inout JSONWriter) throws(ETLError) {
        for (index, column) in columns.enumerated() {
            let index = Int32(index)
            switch column.kind {
            case .authors:
                out.key(column.name)
                out.beginArray()
                try contributors.forEachAuthor(of: query.integer(index)) { out.string(utf8: $0) }
                out.endArray()
            case .helpers:
                out.key(column.name)
                out.beginArray()
                try forEachHelper(ofWork: query.integer(index)) { out.string(utf8: $0) }
                out.endArray()
            case .listIfAny where query.isNull(index): break
            case .list, .listIfAny, .series:
                out.key(column.name)
                query.withBytes(index) { stored in
                    if stored.isEmpty { out.array { _ in } } else { out.spliced(json: stored) }
                }
            case .ofEditions: out.field(column.name, try listsOfEditions(Int(index)))
            case .userAuthors:
                if let authors = try userAuthors(index) { out.field(column.name, authors) }
            case .userTitle:
                if let title = try userTitle(index) { out.field(column.name, title) }
            case _ where query.isNull(index): break
            case .cover: out.field(column.name, CoverAddress.shown(query.string(index)))
            case .text, .date, .unlessAssumed:
                out.key(column.name)
                query.withBytes(index) { out.string(utf8: $0) }
            case .integer: out.field(column.name, query.integer(index))
            case .number: out.field(column.name, query.double(index))
            case .flag: out.field(column.name, query.integer(index) != 0)
            case .name(let names): out.field(column.name, Self.name(query.integer(index), names))
            }
        }
    }

    // MARK: Cells

    /// Separates the elements of a list in one cell.
    private static let listSeparator: StaticString = "; "

    /// Writes the current row as the cells of a record. Missing values are empty cells.
    func writeCells<Cells: ExportCells & ~Copyable>(into out: inout Cells) throws(ETLError) {
        for (index, column) in columns.enumerated() {
            let index = Int32(index)
            switch column.kind {
            case .text: query.withBytes(index) { out.add(text: $0) }
            case .date: query.withBytes(index) { out.add(date: $0) }
            case .unlessAssumed(let field):
                if isAssumed(field) { out.add("") } else { query.withBytes(index) { out.add(text: $0) } }
            case .authors:
                beginCell()
                try contributors.forEachAuthor(of: query.integer(index), addToCell)
                cell.withUnsafeBytes { out.add(text: $0) }
            case .helpers:
                beginCell()
                try forEachHelper(ofWork: query.integer(index), addToCell)
                cell.withUnsafeBytes { out.add(text: $0) }
            case .list, .listIfAny:
                beginCell()
                query.withBytes(index) {
                    StoredList.append($0, separatedBy: Self.listSeparator, to: &cell)
                }
                cell.withUnsafeBytes { out.add(text: $0) }
            case .series where query.isNull(index): out.add("")
            case .series:
                let series = StoredSeries.read(query.string(index))
                out.add(series.map(\.description).joined(separator: "\(Self.listSeparator)"))
            case .ofEditions:
                out.add(try listsOfEditions(Int(index)).joined(separator: "\(Self.listSeparator)"))
            case .userAuthors: out.add(try userAuthors(index) ?? "")
            case .userTitle: out.add(try userTitle(index) ?? "")
            case _ where query.isNull(index): out.add("")
            case .cover: out.add(CoverAddress.shown(query.string(index)))
            case .integer: out.add(query.integer(index))
            case .number: out.add(query.double(index))
            case .flag: out.add(query.integer(index) != 0)
            case .name(let names): out.add(Self.name(query.integer(index), names) ?? "")
            }
        }
    }

    private func beginCell() {
        cell.removeAll(keepingCapacity: true)
        elements = 0
    }

    /// Adds an element to the list in ``cell``.
    private func addToCell(_ text: UnsafeRawBufferPointer) {
        if elements > 0 { cell.append(Self.listSeparator) }
        elements += 1
        cell.append(contentsOf: text)
    }

    private static func name(_ number: Int64, _ names: [String]) -> String? {
        names.indices.contains(Int(number)) ? names[Int(number)] : nil
    }
}

/// A column of an export: its name, its SQL expression and its form. All formats share this definition, so
/// that they cannot differ.
struct ExportColumn: Sendable {
    enum Kind: Sendable {
        /// Stored text.
        case text
        /// The address of a cover, shown in the largest size (``CoverAddress``).
        case cover
        /// The same, a date if it is a whole one: `2026-04-02`, but not `2026`.
        case date
        case integer
        case number
        /// 0 or 1.
        case flag
        /// A stored list of texts: an array in JSON, one cell in CSV.
        case list
        /// The same, left out of JSON if it is empty.
        case listIfAny
        /// A stored list of series.
        case series
        /// A number that stands for one of these names.
        case name([String])
        /// A work's row id, shown as the names of its authors.
        case authors
        /// A work's row id, shown as the names of its other contributors, each with the role in brackets.
        case helpers
        /// A work's row id, shown as the distinct values that its editions have in a list column, in the
        /// order of the editions' keys. A work has no such column of its own.
        case ofEditions(String)
        /// Text of a field whose value may be an assumption. In CSV the cell is empty then: if the table is
        /// imported again, the assumption must not count as the user's value.
        case unlessAssumed(Field)
        /// An entry's packed cells, shown as the title in the user's own row.
        case userTitle
        /// An entry's packed cells, shown as the authors in the user's own row; none if NULL.
        case userAuthors
    }

    let name: StaticString
    let sql: String
    let kind: Kind

    init(_ name: StaticString, _ sql: String, _ kind: Kind = .text) {
        self.name = name
        self.sql = sql
        self.kind = kind
    }
}

/// The definition of one kind of export.
struct ExportTable: Sendable {
    private(set) var columns: [ExportColumn]
    /// Joined tables; the current row is the one whose id is bound.
    let source: String
    /// Selects all row ids in the export's order: by public key, which does not depend on the timing of
    /// imports.
    let order: String
    /// The same for one library, whose id is bound; empty if the table is never exported for one library.
    var orderInLibrary = ""
    /// The same for a store with one library, imported in one format; nil if that makes no difference. Comparing
    /// equal names would take a third of the time for sorting.
    var orderOfOneFormat: String?
    /// The lineage for ``ExportColumn/Kind/unlessAssumed(_:)``.
    var lineage = "NULL"
    /// The row id of the layout of the cells for ``ExportColumn/Kind/userTitle``.
    var layout = "NULL"

    /// The same with the addresses of covers as they are stored: for the canonical dump.
    var withStoredCovers: ExportTable {
        var table = self
        table.columns = columns.map { column in
            if case .cover = column.kind { ExportColumn(column.name, column.sql) } else { column }
        }
        return table
    }

    /// The names of the columns, for a header.
    var names: [String] { columns.map { "\($0.name)" } }

    /// Selects the columns, followed by lineage and layout.
    var query: String {
        "SELECT \((columns.map(\.sql) + [lineage, layout]).joined(separator: ", ")) FROM \(source)"
    }
}
