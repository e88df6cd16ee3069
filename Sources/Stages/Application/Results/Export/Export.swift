import Books
package import Database
package import Pipeline
import Syntax

/// Data out: `etl export`. The order is that of public keys, so that the same library is written in the same bytes,
/// whatever order or haste it was imported in.
package struct Export {
    /// What is taken out. The raw values are those of `--what`.
    package enum What: String, Sendable, CaseIterable {
        /// Readers' entries with their books.
        case books
        case works, editions, authors
        /// The canonical dump (``CanonicalDump``).
        case all
    }

    /// In what form. The raw values are those of `--format`.
    package enum Format: String, Sendable, CaseIterable {
        /// An object a line.
        case ndjson
        /// One array of objects.
        case json
        /// A header, then a record a line; lists are joined by `; `.
        case csv
    }

    private let connection: Connection

    /// - Parameter connection: A store opened for reading.
    package init(_ connection: Connection) { self.connection = connection }

    /// Writes an export, reading while it writes. Keys are sorted in temporary files where they outgrow the page
    /// cache; nothing else is held.
    ///
    /// - Parameters:
    ///   - library: Whose books are written; nil: everybody's.
    ///   - guardsFormulas: Whether cells of CSV that a spreadsheet would run get an apostrophe.
    /// - Returns: How many records were written.
    /// - Throws: `.configuration` for the canonical dump as CSV, its records being of several kinds, and for that of one
    ///   library; `.missing` for a library that the store does not hold.
    @discardableResult
    package func write(
        _ what: What, as format: Format, of library: String? = nil, guardsFormulas: Bool = false,
        to sink: ByteSink
    ) throws(StageFailure) -> Int {
        try connection.snapshot { () throws(StageFailure) -> Int in
            guard let table = what.table else {
                guard library == nil else {
                    throw StageFailure(
                        .configuration, "The canonical dump is of the whole store, not of one library.",
                        advice:
                            "Leave out \(UserSetting.library), or export books, works, editions or authors.")
                }
                guard format != .csv else {
                    throw StageFailure(
                        .configuration,
                        "The canonical dump holds records of several kinds: it has no form as CSV.",
                        advice:
                            "Leave out \(UserSetting.format), or export books, works, editions or authors.")
                }
                var objects = JSONObjects(isArray: format == .json)
                try CanonicalDump(connection).write(into: &objects, to: sink)
                return try objects.end(to: sink)
            }
            let ids = try ids(of: table, in: library)
            return format == .csv
                ? try writeCSV(table, ids, guardsFormulas, isReadBack: what == .books, to: sink)
                : try writeJSON(table, ids, isArray: format == .json, to: sink)
        }
    }

    /// The rows of a table in its order, of one library or of all.
    private func ids(of table: ExportTable, in library: String?) throws(StageFailure) -> Statement {
        guard let library else { return try connection.question(table.order) }
        let libraries = try connection.question("SELECT name, id FROM libraries ORDER BY name")
        var names: [String] = []
        while try libraries.next() {
            guard libraries.string(0) != library else {
                let ids = try connection.question(table.orderInLibrary)
                ids.bind(1, libraries.integer(1))
                return ids
            }
            names.append(libraries.string(0))
        }
        throw StageFailure(
            .missing, "The store holds no library \u{201C}\(library)\u{201D}.",
            advice: names.isEmpty
                ? "Nothing has been imported into it yet."
                : "It holds \(names.map { "\u{201C}\($0)\u{201D}" }.joined(separator: ", ")).")
    }

    private func writeJSON(
        _ table: ExportTable, _ ids: Statement, isArray: Bool, to sink: ByteSink
    ) throws(StageFailure) -> Int {
        let row = try ExportRow(table, in: connection)
        var objects = JSONObjects(isArray: isArray)
        while try ids.next() {
            guard try row.move(to: ids.integer(0)) else { continue }
            try objects.write(to: sink) { out throws(StageFailure) in try row.writeFields(into: &out) }
        }
        return try objects.end(to: sink)
    }

    private func writeCSV(
        _ table: ExportTable, _ ids: Statement, _ guardsFormulas: Bool, isReadBack: Bool, to sink: ByteSink
    ) throws(StageFailure) -> Int {
        let row = try ExportRow(table, in: connection)
        var out = CSVWriter(guardsFormulas: guardsFormulas)
        var count = 0
        // Whoever reads it back knows by this column to take the apostrophes off again.
        let mark: [String] = guardsFormulas && isReadBack ? [FormulaGuard.mark] : []
        out.record(row.names + mark.map { _ in FormulaGuard.column })
        while try ids.next() {
            guard try row.move(to: ids.integer(0)) else { continue }
            try row.writeCells(into: &out)
            for cell in mark { out.cell(cell) }
            out.endRecord()
            try out.handOn(to: sink)
            count += 1
        }
        try out.handOn(to: sink, isEnd: true)
        return count
    }
}

extension Export.What {
    /// What it consists of; nil for the canonical dump, which is made of several.
    fileprivate var table: ExportTable? {
        switch self {
        case .books: .books
        case .works: .works
        case .editions: .editions
        case .authors: .authors
        case .all: nil
        }
    }
}

/// Objects on their way out: a line each, or all in one array.
struct JSONObjects: ~Copyable {
    private var out = JSONWriter(capacity: 2 * JSONWriter.pieceBytes)
    private let isArray: Bool
    private var count = 0

    init(isArray: Bool) {
        self.isArray = isArray
        if isArray { out.beginArray() }
    }

    /// Writes an object whose fields `fields` writes.
    mutating func write(
        to sink: ByteSink, _ fields: (inout JSONWriter) throws(StageFailure) -> Void
    ) throws(StageFailure) {
        try out.object(fields)
        if !isArray { out.endLine() }
        count += 1
        try out.handOn(to: sink)
    }

    /// Hands on what is left.
    ///
    /// - Returns: How many objects there were.
    consuming func end(to sink: ByteSink) throws(StageFailure) -> Int {
        if isArray {
            out.endArray()
            out.endLine()
        }
        try out.handOn(to: sink, isEnd: true)
        return count
    }
}
