import Books
import Bytes
package import Database
import Store
import Syntax
package import System

/// Exports a store: `etl export`. The order is that of public keys, so that the same library gives the same
/// bytes, whatever the order and timing of its imports.
package struct Export {
    /// Scope of an export. The raw values are those of `--what`.
    package enum What: String, Sendable, CaseIterable {
        /// Entries with their books.
        case books
        case works, editions, authors
        /// The canonical dump (``CanonicalDump``).
        case all
    }

    /// The output format. The raw values are those of `--to`.
    package enum Format: String, Sendable, CaseIterable {
        /// One object per line.
        case ndjson
        /// One array of objects.
        case json
        /// A header, then one line per record; lists are joined with `; `.
        case csv
    }

    let connection: Connection
    private let readers: Int?

    /// - Parameters:
    ///   - connection: A store opened for reading.
    ///   - readers: Number of threads that compose rows next to this one; nil to choose their number.
    package init(_ connection: Connection, readers: Int? = nil) {
        self.connection = connection
        self.readers = readers
    }

    /// Writes an export while it is read. Keys are sorted in temporary files if they do not fit into the page
    /// cache; nothing else is held in memory. The rows of a long export are composed by several threads.
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
    ) throws(ETLError) -> Int {
        guard let table = what.table else { return try writeDump(as: format, of: library, to: sink) }
        return try SharedSnapshot.read(connection, with: try furtherReaders()) {
            (others) throws(ETLError) in
            let otherNames =
                addsOtherColumns
                ? try OtherColumns(connection, besides: table.names).names(in: library, connection) : nil
            let isMarked = guardsFormulas && what == .books && format == .csv
            let content = ExportComposer.Content(
                table: table, format: format, others: otherNames, guardsFormulas: guardsFormulas,
                mark: isMarked ? FormulaGuard.mark : nil)
            // The connections that are read by other threads, else this one.
            var composers: [ExportComposer] = []
            for reader in others.isEmpty ? [connection] : others {
                composers.append(try ExportComposer(content, in: reader))
            }
            var pieces = try ExportPieces(try ids(of: table, in: library), by: composers)
            return try write(&pieces, of: content, to: sink)
        }
    }

    private func write(
        _ pieces: inout ExportPieces, of content: ExportComposer.Content, to sink: ByteSink
    ) throws(ETLError) -> Int {
        var count = 0
        var held: [UInt8] = []
        if content.format == .csv {
            var header = CSVWriter(guardsFormulas: content.guardsFormulas)
            let mark = content.mark.map { _ in FormulaGuard.column }
            header.record(content.table.names + (content.others ?? []) + [mark].compactMap(\.self))
            held = header.bytes
        }
        while let piece = try pieces.next() {
            held += piece.bytes
            if content.format == .json, count == 0, piece.count > 0 { held[0] = UInt8(ascii: "[") }
            count += piece.count
            try held.lend(sink)
            held.removeAll(keepingCapacity: true)
        }
        if content.format == .json { held += Array((count == 0 ? "[]\n" : "]\n").utf8) }
        if !held.isEmpty { try held.lend(sink) }
        return count
    }

    /// Number of connections that compose rows next to this one; 0 for a library so small that opening them
    /// would take longer.
    private func furtherReaders() throws(ETLError) -> Int {
        if let readers { return readers }
        return try connection.number("SELECT max(id) FROM works") < Self.fewRows ? 0 : Self.manyReaders
    }

    private static let fewRows = 4_096
    /// More than two, so that two cores stay busy while this thread waits for one of them.
    private static let manyReaders = 3

    /// Whether all entries are of one library and one format.
    private func hasOneFormat() throws(ETLError) -> Bool {
        let pairs = "SELECT (SELECT count(*) FROM libraries) * (SELECT count(DISTINCT format) FROM layouts)"
        return try connection.number(pairs) == 1
    }

    private func writeDump(
        as format: Format, of library: String?, to sink: ByteSink
    ) throws(ETLError) -> Int {
        guard library == nil else {
            throw ETLError(
                .configuration, "An export of the whole store cannot be limited to one library.",
                advice: "Leave out \(UserSetting.library), or export books, works, editions or authors.")
        }
        guard format != .csv else {
            throw Self.hasNoColumns("as CSV")
        }
        return try connection.snapshot { () throws(ETLError) -> Int in
            var objects = JSONObjects(isArray: format == .json)
            try CanonicalDump(connection).write(into: &objects, to: sink)
            return try objects.end(to: sink)
        }
    }

    static func hasNoColumns(_ format: String) -> ETLError {
        ETLError(
            .configuration,
            "An export of the whole store has records with different columns and cannot be written \(format).",
            advice: "Leave out \(UserSetting.format), or export books, works, editions or authors.")
    }

    /// The row ids of a table in its order, of one library or of all.
    func ids(of table: ExportTable, in library: String?) throws(ETLError) -> Statement {
        guard let library else {
            if let order = table.orderOfOneFormat, try hasOneFormat() { return try connection.query(order) }
            return try connection.query(table.order)
        }
        let ids = try connection.query(table.orderInLibrary, try LibraryNames(connection).id(of: library))
        return ids
    }
}

extension Export.What {
    /// The table; nil for the canonical dump, which consists of several.
    var table: ExportTable? {
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
        to sink: ByteSink, _ fields: (inout JSONWriter) throws(ETLError) -> Void
    ) throws(ETLError) {
        try out.object(fields)
        if !isArray { out.endLine() }
        count += 1
        try out.flush(to: sink)
    }

    /// Writes the rest.
    ///
    /// - Returns: The number of objects.
    consuming func end(to sink: ByteSink) throws(ETLError) -> Int {
        if isArray {
            out.endArray()
            out.endLine()
        }
        try out.flush(to: sink, isEnd: true)
        return count
    }
}
