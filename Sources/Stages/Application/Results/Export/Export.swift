import Books
package import Database
package import Pipeline
import Syntax

/// Exports a store: `etl export`. The order is that of public keys, so that the same library gives the same
/// bytes, whatever the order and timing of its imports.
package struct Export {
    /// What is exported. The raw values are those of `--what`.
    package enum What: String, Sendable, CaseIterable {
        /// Entries with their books.
        case books
        case works, editions, authors
        /// The canonical dump (``CanonicalDump``).
        case all
    }

    /// The output format. The raw values are those of `--format`.
    package enum Format: String, Sendable, CaseIterable {
        /// One object per line.
        case ndjson
        /// One array of objects.
        case json
        /// A header, then one line per record; lists are joined with `; `.
        case csv
    }

    private let connection: Connection

    /// - Parameter connection: A store opened for reading.
    package init(_ connection: Connection) { self.connection = connection }

    /// Writes an export while it is read. Keys are sorted in temporary files if they do not fit into the page
    /// cache; nothing else is held in memory.
    ///
    /// - Parameters:
    ///   - library: The library to export; nil for all.
    ///   - addsOtherColumns: Whether books get the columns of their files that the export has no column for.
    ///   - guardsFormulas: Whether CSV cells that a spreadsheet would run as a formula get an apostrophe.
    /// - Returns: The number of records written.
    /// - Throws: `.configuration` if the canonical dump is requested as CSV, because it has several kinds of
    ///   records, or for one library; `.missing` if there is no such library.
    @discardableResult
    package func write(
        _ what: What, as format: Format, of library: String? = nil, addsOtherColumns: Bool = false,
        guardsFormulas: Bool = false, to sink: ByteSink
    ) throws(StageFailure) -> Int {
        try connection.snapshot { () throws(StageFailure) -> Int in
            guard let table = what.table else {
                guard library == nil else {
                    throw StageFailure(
                        .configuration,
                        "An export of the whole store cannot be limited to one library.",
                        advice:
                            "Leave out \(UserSetting.library), or export books, works, editions or authors.")
                }
                guard format != .csv else {
                    throw StageFailure(
                        .configuration,
                        "An export of the whole store has records with different columns and cannot be written as CSV.",
                        advice:
                            "Leave out \(UserSetting.format), or export books, works, editions or authors.")
                }
                var objects = JSONObjects(isArray: format == .json)
                try CanonicalDump(connection).write(into: &objects, to: sink)
                return try objects.end(to: sink)
            }
            let ids = try ids(of: table, in: library)
            let row = try ExportRow(table, in: connection)
            let others = addsOtherColumns ? try OtherColumns(connection, besides: row.names) : nil
            guard format == .csv else {
                return try writeJSON(row, others, ids, isArray: format == .json, to: sink)
            }
            let names = try others?.names(in: library, connection) ?? []
            return try writeCSV(
                row, others.map { ($0, names) }, ids, guardsFormulas, isReadBack: what == .books, to: sink)
        }
    }

    /// The row ids of a table in its order, of one library or of all.
    private func ids(of table: ExportTable, in library: String?) throws(StageFailure) -> Statement {
        guard let library else { return try connection.query(table.order) }
        let ids = try connection.query(table.orderInLibrary)
        ids.bind(1, try LibraryNames(connection).id(of: library))
        return ids
    }

    private func writeJSON(
        _ row: ExportRow, _ others: OtherColumns?, _ ids: Statement, isArray: Bool, to sink: ByteSink
    ) throws(StageFailure) -> Int {
        var objects = JSONObjects(isArray: isArray)
        while try ids.next() {
            let id = ids.integer(0)
            guard try row.move(to: id) else { continue }
            try objects.write(to: sink) { out throws(StageFailure) in
                try row.writeFields(into: &out)
                try others?.write(id, into: &out)
            }
        }
        return try objects.end(to: sink)
    }

    private func writeCSV(
        _ row: ExportRow, _ others: (columns: OtherColumns, names: [String])?, _ ids: Statement,
        _ guardsFormulas: Bool, isReadBack: Bool, to sink: ByteSink
    ) throws(StageFailure) -> Int {
        var out = CSVWriter(guardsFormulas: guardsFormulas)
        var count = 0
        // An import recognizes by this column that apostrophes were added, and removes them.
        let mark: [String] = guardsFormulas && isReadBack ? [FormulaGuard.mark] : []
        let otherNames = others?.names ?? []
        out.record(row.names + otherNames + mark.map { _ in FormulaGuard.column })
        while try ids.next() {
            let id = ids.integer(0)
            guard try row.move(to: id) else { continue }
            try row.writeCells(into: &out)
            if let others {
                let values = Dictionary(try others.columns.values(of: id)) { first, _ in first }
                for name in otherNames { out.cell(values[name] ?? "") }
            }
            for cell in mark { out.cell(cell) }
            out.endRecord()
            try out.flush(to: sink)
            count += 1
        }
        try out.flush(to: sink, isEnd: true)
        return count
    }
}

extension Export.What {
    /// The table; nil for the canonical dump, which consists of several.
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

/// Writes objects one per line, or as one array.
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
        try out.flush(to: sink)
    }

    /// Writes what is left.
    ///
    /// - Returns: The number of objects.
    consuming func end(to sink: ByteSink) throws(StageFailure) -> Int {
        if isArray {
            out.endArray()
            out.endLine()
        }
        try out.flush(to: sink, isEnd: true)
        return count
    }
}
