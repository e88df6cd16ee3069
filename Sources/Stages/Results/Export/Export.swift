package import Pipeline

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
    /// - Parameter guardsFormulas: Whether cells of CSV that a spreadsheet would run get an apostrophe.
    /// - Returns: How many records were written.
    /// - Throws: `.configuration` for the canonical dump as CSV: its records are of several kinds.
    @discardableResult
    package func write(
        _ what: What, as format: Format, guardsFormulas: Bool = false, to sink: ByteSink
    ) throws(StageFailure) -> Int {
        try connection.snapshot { () throws(StageFailure) -> Int in
            guard let table = what.table else {
                guard format != .csv else {
                    throw StageFailure(
                        .configuration,
                        "The canonical dump holds records of several kinds: it has no form as CSV.",
                        advice: "Leave --format out, or export books, works, editions or authors.")
                }
                var objects = JSONObjects(isArray: format == .json)
                try CanonicalDump(connection).write(into: &objects, to: sink)
                return try objects.end(to: sink)
            }
            return format == .csv
                ? try writeCSV(table, guardsFormulas, to: sink)
                : try writeJSON(table, isArray: format == .json, to: sink)
        }
    }

    private func writeJSON(_ table: ExportTable, isArray: Bool, to sink: ByteSink) throws(StageFailure) -> Int
    {
        let row = try ExportRow(table, in: connection)
        let ids = try connection.question(table.order)
        var objects = JSONObjects(isArray: isArray)
        while try ids.next() {
            guard try row.move(to: ids.integer(0)) else { continue }
            try objects.write(to: sink) { out throws(StageFailure) in try row.writeFields(into: &out) }
        }
        return try objects.end(to: sink)
    }

    private func writeCSV(
        _ table: ExportTable, _ guardsFormulas: Bool, to sink: ByteSink
    ) throws(StageFailure) -> Int {
        let row = try ExportRow(table, in: connection)
        let ids = try connection.question(table.order)
        var out = CSVWriter(guardsFormulas: guardsFormulas)
        var count = 0
        out.record(row.names)
        while try ids.next() {
            guard try row.move(to: ids.integer(0)) else { continue }
            try row.writeRecord(into: &out)
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
