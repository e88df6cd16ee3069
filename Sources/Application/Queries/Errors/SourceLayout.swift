import Books
import Bytes
import Database
import Formats
import FoundationEssentials
package import Store
import Syntax
package import System

/// The layout of a job's file: the column names, and how the bytes of a record are divided into cells.
package struct SourceLayout: Equatable {
    /// Division of a record's bytes into cells.
    enum Syntax: Equatable {
        case delimited(Dialect)
        /// The structured format with this name.
        case structured(String)
    }

    package var names: [String]
    var syntax: Syntax
    /// The format that read the file; nil if unknown.
    package var formatName: String?

    /// Unknown columns, and the dialect of RFC 4180.
    static let unknown = SourceLayout(names: [], syntax: .delimited(.comma))

    /// The layouts of all files of a job.
    ///
    /// - Parameter store: The store the job is in.
    package static func all(of job: Job, store: String) throws(ETLError) -> [SourceLayout] {
        let connection = try StoreFile.openForReading(store)
        var layouts: [SourceLayout] = []
        for index in job.inputs.indices {
            layouts.append(try of(file: index, of: job, in: connection))
        }
        return layouts
    }

    /// The layout of a job's file. It is read from the file if that is still in place and unchanged.
    /// Otherwise the column names are those stored with its records, and the dialect is determined from its
    /// rejects. Unknown if every record was rejected and the file is gone.
    static func of(file index: Int, of job: Job, in connection: Connection) throws(ETLError)
        -> SourceLayout
    {
        if let layout = onDisk(index, of: job) { return layout }
        let stored = try connection.query(
            """
            SELECT y.columns, y.format FROM entries e JOIN layouts y ON y.id = e.layout WHERE e.id = ?1
            """)
        guard let record = try PackedOutcomesReader.first(ofFile: index, of: job.id, in: connection) else {
            return .unknown
        }
        guard try stored.first(record.entry) else { return .unknown }
        let (names, formatName) = (StoredList.strings(stored.string(0)), stored.string(1))
        let isStructured = (try? LibraryFormats.named(formatName)) is any StructuredFormat
        let syntax =
            isStructured
            ? Syntax.structured(formatName)
            : .delimited(try dialect(ofFile: index, of: job, columns: names.count, in: connection))
        return SourceLayout(names: names, syntax: syntax, formatName: formatName)
    }

    /// Determines the dialect of a file that is gone: the common dialect in which most of the file's first
    /// rejects have as many cells as there are columns.
    private static func dialect(
        ofFile index: Int, of job: Job, columns: Int, in connection: Connection
    ) throws(ETLError) -> Dialect {
        let common = [Dialect.comma, .tab, .semicolon, Dialect(delimiter: UInt8(ascii: "|"))]
        var votes = common.map { _ in 0 }
        let rejects = try connection.query(
            "SELECT raw FROM rejects WHERE job = ?1 AND file = ?2 LIMIT \(Self.rejectsLookedAt)", job.id,
            index)
        var raw = RawCells()
        while try rejects.next() {
            let bytes = rejects.bytes(0)
            for (number, dialect) in common.enumerated() where raw.cells(of: bytes, dialect).count == columns
            {
                votes[number] += 1
            }
        }
        let best = common.indices.max { (votes[$0], $1) < (votes[$1], $0) }
        return best.map { common[$0] } ?? .comma
    }

    private static let rejectsLookedAt = 100

    /// Opens the file as the import did. It is not an error if the file is gone, changed or unreadable,
    /// because only its header is needed.
    private static func onDisk(_ index: Int, of job: Job) -> SourceLayout? {
        guard job.inputs.indices.contains(index) else { return nil }
        let input = job.inputs[index]
        guard let size = (try? InputFile(input.name))?.size, size == input.size,
            let head = try? FileBytes.head(
                of: ArchivePath.file(of: input.name), count: SourceFingerprint.headLength)
        else { return nil }
        var hash = SHA256()
        hash.update(head)
        var settings = ReadSettings(files: [input.name])
        let words = (job.options?.options ?? [:]).compactMap { option, words in
            words.first.map { (key: option.rawValue, word: $0) }
        }
        guard hash.hexDigest == input.headSHA256, (try? settings.take(words: words)) != nil,
            let file = try? LibraryFile(input.name, index: index, settings: settings)
        else { return nil }
        let syntax = file.text.map { Syntax.delimited($0.dialect.dialect) } ?? .structured(file.format.name)
        return SourceLayout(names: file.columns.names, syntax: syntax, formatName: file.columns.formatName)
    }
}

/// Divides the raw bytes of one record into cells again.
///
/// The caller passes the dialect: a single record is too short to guess it from.
struct RawCells: ~Copyable {
    private var run = ParsedRecords()

    /// The limits allow as many columns as the stored bytes of a reject can have.
    private static let limits = RecordLimits(
        fieldBytes: 1 << 20, recordBytes: 1 << 20, columns: (64 << 10) + 1)

    /// The record's cells in the syntax of its file; if that fails, the bytes as one cell.
    ///
    /// - Parameter isGivenUp: Whether the record is a line that was abandoned because of an
    ///   ``UnclosedQuote``. The text after the quote is then divided as if the quote were not there, so that
    ///   each cell is under its own column.
    mutating func cells(
        of raw: [UInt8], _ syntax: SourceLayout.Syntax, isGivenUp: Bool = false
    ) -> [[UInt8]] {
        switch syntax {
        case .delimited(let dialect):
            let cells = cells(of: raw, dialect)
            guard isGivenUp, let quote = dialect.quote,
                run.marks.last?.flags.contains(.unterminatedQuote) == true
            else { return cells }
            let rest = self.cells(of: Array(raw[(openField ?? raw.count)...]), dialect)
            return cells.dropLast() + [[quote] + (rest.first ?? [])] + rest.dropFirst()
        case .structured(let name):
            let format = try? LibraryFormats.named(name) as? any StructuredFormat
            return format?.cells(ofRaw: raw) ?? (raw.isEmpty ? [] : [raw])
        }
    }

    /// For a record with an unclosed quote: where the last cell begins, after its quote. Nil if nothing
    /// follows the quote.
    private var openField: Int? {
        if let rewrite = run.rewrites.last, rewrite.cell == run.cells.count - 1 {
            return rewrite.field.lowerBound + 1
        }
        return run.cells.last.flatMap { $0.isEmpty ? nil : Int($0.offset) }
    }

    /// The record's cells; the bytes as one cell if they are not exactly one record of the dialect.
    mutating func cells(of raw: [UInt8], _ dialect: Dialect) -> [[UInt8]] {
        let parser = CSVParser(dialect: dialect, limits: Self.limits)
        return raw.withUnsafeBytes { bytes in
            guard parser.parse(bytes, isFinal: true, into: &run) == .end, run.marks.count == 1 else {
                return raw.isEmpty ? [] : [raw]
            }
            var cells = run.cells.map { Array(bytes[$0.range]) }
            for rewrite in run.rewrites where cells.indices.contains(rewrite.cell) {
                let field = UnsafeRawBufferPointer(rebasing: bytes[rewrite.field])
                cells[rewrite.cell] = [UInt8](unsafeUninitializedCapacity: field.count) { buffer, count in
                    count = parser.unquote(field, into: UnsafeMutableRawBufferPointer(buffer))
                }
            }
            return cells
        }
    }
}
