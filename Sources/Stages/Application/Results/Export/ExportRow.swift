import Books
import Bytes
import Database
import Pipeline
import Syntax

/// Writes rows of an export table, one at a time, as JSON or as CSV.
struct ExportRow {
    private let columns: [ExportColumn]
    private let question: Statement
    private let contributors: ContributorReader
    private let titles: UserTitles
    /// For each column that shows lists of a work's editions, what asks for them.
    private let lists: [Statement?]

    init(_ table: ExportTable, in connection: Connection) throws(StageFailure) {
        columns = table.columns
        question = try connection.question(table.question)
        contributors = try ContributorReader(connection)
        var lists: [Statement?] = []
        for column in table.columns {
            guard case .ofEditions(let name) = column.kind else {
                lists.append(nil)
                continue
            }
            let works = EditionsOfWork.condition(work: "?1")
            lists.append(
                try connection.question(
                    "SELECT \(name) FROM editions WHERE \(works) AND \(name) IS NOT NULL ORDER BY key, id"))
        }
        self.lists = lists
        titles = try SQLiteError.reported { () throws(SQLiteError) in try UserTitles(connection) }
    }

    /// The names of the columns, for a header.
    var names: [String] { columns.map { "\($0.name)" } }

    /// Moves to a row; false where there is none of that id. The row stays in hand until the next one.
    func move(to id: Int64) throws(StageFailure) -> Bool {
        question.reset()
        question.bind(1, id)
        return try question.next()
    }

    private func readersTitle(_ index: Int32) throws(StageFailure) -> String? {
        let entry = question.integer(index)
        return try SQLiteError.reported { () throws(SQLiteError) in try titles.title(of: entry) }
    }

    private func isAssumed(_ field: Field) -> Bool {
        Lineage(decoding: question.bytes(Int32(columns.count))).origin(of: field)?.rule == .assumed
    }

    /// What the work's editions have in the column, each value once.
    private func listsOfEditions(_ index: Int) throws(StageFailure) -> [String] {
        guard let lists = lists[index] else { return [] }
        lists.bind(1, question.integer(Int32(index)))
        defer { lists.reset() }
        var all: [String] = []
        while try lists.next() { all += lists.withBytes(0) { StoredList.strings($0) } }
        return all.deduplicated
    }

    // MARK: JSON

    /// Writes the row in hand as fields of an object. What is absent is left out; a list is there, if empty.
    func writeFields(into out: inout JSONWriter) throws(StageFailure) {
        for (index, column) in columns.enumerated() {
            let index = Int32(index)
            switch column.kind {
            case .authors:
                out.key(column.name)
                let authors = try contributors.authors(of: question.integer(index))
                out.array { out in
                    for author in authors { out.string(author.name) }
                }
            case .list, .series:
                out.key(column.name)
                question.withBytes(index) { stored in
                    if stored.isEmpty { out.array { _ in } } else { out.spliced(json: stored) }
                }
            case .ofEditions: out.field(column.name, try listsOfEditions(Int(index)))
            case .readersTitle:
                if let title = try readersTitle(index) { out.field(column.name, title) }
            case _ where question.isNull(index): break
            case .text, .unlessAssumed:
                out.key(column.name)
                question.withBytes(index) { out.string(utf8: $0) }
            case .integer: out.field(column.name, question.integer(index))
            case .number: out.field(column.name, question.double(index))
            case .flag: out.field(column.name, question.integer(index) != 0)
            case .name(let names): out.field(column.name, Self.name(question.integer(index), names))
            }
        }
    }

    // MARK: CSV

    /// What stands between the parts of a list in one cell.
    private static let listSeparator = "; "

    /// Writes the row in hand as the cells of a record. What is absent is an empty one.
    func writeCells(into out: inout CSVWriter) throws(StageFailure) {
        for (index, column) in columns.enumerated() {
            let index = Int32(index)
            switch column.kind {
            case .text: question.withBytes(index) { out.cell(utf8: $0) }
            case .unlessAssumed(let field):
                if isAssumed(field) { out.cell("") } else { question.withBytes(index) { out.cell(utf8: $0) } }
            case .authors:
                let authors = try contributors.authors(of: question.integer(index))
                out.cell(authors.map(\.name).joined(separator: Self.listSeparator))
            case .list:
                out.cell(StoredList.strings(question.string(index)).joined(separator: Self.listSeparator))
            case .series:
                let series = StoredSeries.read(question.string(index))
                out.cell(series.map(\.description).joined(separator: Self.listSeparator))
            case .ofEditions:
                out.cell(try listsOfEditions(Int(index)).joined(separator: Self.listSeparator))
            case .readersTitle: out.cell(try readersTitle(index) ?? "")
            case _ where question.isNull(index): out.cell("")
            case .integer: out.cell(String(question.integer(index)))
            case .number: out.cell(Self.spelled(question.double(index)))
            case .flag: out.cell(question.integer(index) != 0 ? "true" : "false")
            case .name(let names): out.cell(Self.name(question.integer(index), names) ?? "")
            }
        }
    }

    private static func name(_ number: Int64, _ names: [String]) -> String? {
        names.indices.contains(Int(number)) ? names[Int(number)] : nil
    }

    /// As JSON spells it: the shortest digits, whole numbers without a point.
    private static func spelled(_ number: Double) -> String {
        Int64(exactly: number).map(String.init) ?? number.description
    }
}

/// A column of an export: what it is called, where it is read and how it shows. Named and read in one place, so that
/// JSON and CSV cannot differ.
struct ExportColumn: Sendable {
    enum Kind: Sendable {
        /// Text as it is stored.
        case text
        case integer
        case number
        /// 0 or 1.
        case flag
        /// A stored list of texts: an array in JSON, its parts behind one another in CSV.
        case list
        /// A stored list of series.
        case series
        /// A number that stands for one of these names.
        case name([String])
        /// A work's row id, shown as the names of its authors.
        case authors
        /// A work's row id, shown as what its editions have in a column of lists, each value once, in the order of the
        /// editions' keys: a work has no such column of its own.
        case ofEditions(String)
        /// Text of a field that the lineage may call assumed. A table has an empty cell for it then: read back, it would
        /// be somebody's word.
        case unlessAssumed(Field)
        /// An entry's row id, shown as the title that the reader's own row has.
        case readersTitle
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

/// What one kind of export consists of.
struct ExportTable: Sendable {
    let columns: [ExportColumn]
    /// Tables, joined; the row in hand is the one whose id is bound.
    let source: String
    /// Asks for all row ids in the export's order: that of public keys, which no import's timing changes.
    let order: String
    /// The same of those of one library, whose id is bound; empty where it is never asked for.
    var orderInLibrary = ""
    /// The lineage of what ``ExportColumn/Kind/unlessAssumed(_:)`` shows.
    var lineage = "NULL"

    /// The columns, and behind them the lineage.
    var question: String {
        "SELECT \((columns.map(\.sql) + [lineage]).joined(separator: ", ")) FROM \(source)"
    }
}
