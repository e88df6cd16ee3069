import Books
import Bytes
import Syntax

/// Cuts the raw bytes of one record into cells again.
///
/// A record says nothing of the dialect it was read in, and too little to guess it from: it is told.
struct RawCells: ~Copyable {
    private var run = ParsedRecords()

    /// As many columns as the bytes kept of a reject can have.
    private static let limits = RecordLimits(
        fieldBytes: 1 << 20, recordBytes: 1 << 20, columns: (64 << 10) + 1)

    /// The record's cells in the syntax of its file; the bytes as one cell where that cannot be.
    ///
    /// - Parameter isGivenUp: Whether the record is a line that was given up for a ``UnclosedQuote``: what follows the quote is
    ///   cut as if it was not there, so that each cell stands under its own column.
    mutating func cells(
        of raw: [UInt8], _ syntax: SourceLayout.Syntax, isGivenUp: Bool = false
    ) -> [[UInt8]] {
        switch syntax {
        case .delimited(let dialect):
            let cells = cells(of: raw, dialect)
            guard isGivenUp, let quote = dialect.quote,
                run.marks.last?.flags.contains(.unterminatedQuote) == true
            else { return cells }
            let behind = self.cells(of: Array(raw[(openField ?? raw.count)...]), dialect)
            return cells.dropLast() + [[quote] + (behind.first ?? [])] + behind.dropFirst()
        case .structured(let name):
            let format = try? LibraryFormats.named(name) as? any StructuredFormat
            return format?.cells(ofRaw: raw) ?? (raw.isEmpty ? [] : [raw])
        }
    }

    /// Where the last cell begins, behind its quote, of a record in which that is never closed; nil where nothing follows
    /// it.
    private var openField: Int? {
        if let rewrite = run.rewrites.last, rewrite.cell == run.cells.count - 1 {
            return rewrite.field.lowerBound + 1
        }
        return run.cells.last.flatMap { $0.isEmpty ? nil : Int($0.offset) }
    }

    /// The record's cells; the bytes as one cell where they are no single record of the dialect.
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
