import Bytes
import Database
import Glibc
import Syntax
import System

/// The rows of a query on another program's SQLite database, ordered by their first column, an id.
///
/// The database is opened read-only and as immutable: it is not locked and no file is created next to it. The
/// `byte` of a position is the id of the last row, because a database has no byte offset to resume from. A
/// record's raw bytes are its cells as a JSON array.
struct DatabaseStream: SingleRecordStream, ~Copyable {
    private(set) var position: Position
    private let limits: RecordLimits
    private let rows: Statement
    private let columnCount: Int
    private let path: String
    private let program: String
    private let advice: UserText
    /// Stepping a finished statement would start it again.
    private var isAtEnd = false

    /// - Parameters:
    ///   - query: Has one parameter, the id after which it begins.
    ///   - program: The program's name in messages.
    ///   - advice: Advice if the database cannot be read.
    /// - Throws: `unusableInput` for a database that is damaged or is not the program's.
    init(
        _ path: String, _ query: String, columns: Int, of program: String, _ advice: UserText,
        limits: RecordLimits, from start: Position
    ) throws(ETLError) {
        position = start
        self.limits = limits
        columnCount = columns
        self.path = path
        self.program = program
        self.advice = advice
        let connection: Connection
        let view: String?
        do throws(ETLError) {
            connection = try Connection(path, .immutable)
            view = try Self.viewAmongTables(of: query, connection)
        } catch {
            throw Self.failure(path, of: program, advice, error)
        }
        if let view {
            throw ETLError(
                .unusableInput, "`\(path)` is not \(program)'s database: `\(view)` is not a plain table.",
                advice: advice)
        }
        do throws(ETLError) {
            rows = try connection.prepare(query)
        } catch {
            throw Self.failure(path, of: program, advice, error)
        }
        rows.bind(1, start.byte)
    }

    mutating func next(arena: inout Arena, cells: inout [Text]) throws(ETLError) -> Record? {
        guard !isAtEnd else { return nil }
        do throws(ETLError) {
            guard try rows.next() else {
                isAtEnd = true
                return nil
            }
        } catch {
            throw Self.failure(path, of: program, advice, error)
        }
        var json = JSONWriter()
        var isOverLimit = false
        var row: [Text] = []
        json.beginArray()
        for index in 0..<columnCount {
            rows.withBytes(Int32(index)) { bytes in
                isOverLimit = isOverLimit || bytes.count > limits.fieldBytes
                let kept = UnsafeRawBufferPointer(rebasing: bytes.prefix(limits.fieldBytes))
                json.string(utf8: kept)
                if !isOverLimit { row.append(arena.append(kept)) }
            }
        }
        json.endArray()
        var record = Record(
            position: position, raw: .none, cells: 0..<0, flags: [], rawLength: json.bytes.count,
            isBlank: false)
        if isOverLimit || json.bytes.count > limits.recordBytes {
            record.flags = isOverLimit ? .fieldOverLimit : .recordOverLimit
            record.raw = arena.append(json.bytes.prefix(Reject.keptBytes))
        } else {
            record.raw = arena.append(json.bytes)
            let first = cells.count
            cells.append(contentsOf: row)
            record.cells = first..<cells.count
        }
        position.byte = rows.integer(0)
        position.line += 1
        position.record += 1
        return record
    }

    /// The cells of a record's raw bytes; nil if they cannot be parsed.
    static func cells(ofRaw raw: [UInt8]) -> [[UInt8]]? {
        try? JSONReader.read(raw) { (reader) throws(JSONReadError) in
            var cells: [[UInt8]] = []
            try reader.forEachElement { (reader) throws(JSONReadError) in
                cells.append(try reader.string().bytes)
            }
            return cells
        }
    }

    /// Why the head of a file shows a program's database, by tables that only it has; nil if it does not.
    static func evidence(of program: String, tables: [String], in head: [UInt8]) -> String? {
        guard head.starts(with: InputFile.databaseMagic) else { return nil }
        // The definitions of the tables are near the start of the file, in any order.
        guard tables.contains(where: { head.firstRange(of: Array($0.utf8)) != nil }) else { return nil }
        return "It is an SQLite database with \(program)'s tables."
    }

    /// The first table of a query that is a view or virtual: one that a stranger made can have rows without end.
    private static func viewAmongTables(
        of query: String, _ connection: Connection
    ) throws(ETLError) -> String? {
        let words = query.split { !$0.isLetter && !$0.isNumber && $0 != "_" }
        for (word, name) in zip(words, words.dropFirst()) where ["FROM", "JOIN"].contains(word.uppercased()) {
            let others = try connection.integer(
                """
                SELECT count(*) FROM sqlite_schema WHERE name = '\(name)' COLLATE NOCASE
                AND (type <> 'table' OR sql LIKE 'CREATE VIRTUAL%')
                """)
            if others != 0 { return String(name) }
        }
        return nil
    }

    /// Refuses a database that SQLite cannot open where it is, and one with changes that are only in its log.
    static func checkIsPlain(_ file: InputFile) throws(ETLError) {
        for ending in ["-wal", "-journal"] {
            var facts = stat()
            guard FileSystem.stat(file.path + ending, &facts) == 0, facts.st_size > 0 else { continue }
            throw ETLError(
                .unusableInput,
                "`\(file.path)` is in use, or was not closed: `\(file.path)\(ending)` belongs to it.",
                advice: "Close the program, or make a backup with it and import that.")
        }
        guard file.isPacked else { return }
        throw ETLError(
            .unusableInput, "`\(file.path)` is a database that is compressed or in an archive.",
            advice: "Decompress or extract it first.")
    }

    static func failure(
        _ path: String, of program: String, _ advice: UserText, _ error: ETLError
    ) -> ETLError {
        ETLError(
            .unusableInput,
            "`\(path)` cannot be read as \(program)'s database: \(error.fault?.message ?? error.message).",
            advice: advice)
    }
}
