import Books

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
