#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// Writes CSV (RFC 4180) into a growing buffer. The owner drains it between records.
///
/// A cell is quoted only where necessary: it contains the delimiter, a quote or a line end; it begins or ends
/// with a space or tab; or it is the only cell of its record and empty, which would otherwise be a blank
/// line. Bytes are written unchanged, so that rejects keep whatever was wrong with them. Lines end with LF by
/// default. RFC 4180 requires CRLF, but tools accept both.
package struct CSVWriter: ~Copyable {
    /// Line end of records. RFC 4180 requires CRLF.
    package enum LineEnd: Sendable { case lf, crlf }

    /// Output since the last drain.
    package private(set) var bytes: [UInt8] = []
    private let delimiter: UInt8
    private let lineEnd: LineEnd
    private let guardsFormulas: Bool
    /// Number of cells of the current record, and where its first cell begins.
    private var cells = 0
    private var recordStart = 0

    /// - Parameters:
    ///   - delimiter: An ASCII byte other than a quote or a line end.
    ///   - guardsFormulas: Whether a cell that a spreadsheet would run as a formula gets an apostrophe before
    ///     it (`--csv-safe`). This changes the data, so it is off by default.
    package init(
        delimiter: UInt8 = UInt8(ascii: ","), lineEnd: LineEnd = .lf, guardsFormulas: Bool = false
    ) {
        self.delimiter = delimiter
        self.lineEnd = lineEnd
        self.guardsFormulas = guardsFormulas
    }

    /// Writes a cell.
    package mutating func cell(_ value: String) {
        var value = value
        value.withUTF8 { cell(utf8: UnsafeRawBufferPointer($0)) }
    }

    /// Writes a cell from bytes, unchanged except for quoting and the formula guard.
    package mutating func cell(utf8: UnsafeRawBufferPointer) {
        if cells == 0 { recordStart = bytes.count } else { bytes.append(delimiter) }
        cells += 1
        let isGuarded = guardsFormulas && FormulaGuard.isNeeded(utf8)
        guard needsQuotes(utf8) else {
            if isGuarded { bytes.append(FormulaGuard.apostrophe) }
            bytes.append(contentsOf: utf8)
            return
        }
        bytes.append(Self.quote)
        if isGuarded { bytes.append(FormulaGuard.apostrophe) }
        var rest = utf8[...]
        while let next = rest.firstIndex(of: Self.quote) {
            bytes.append(contentsOf: UnsafeRawBufferPointer(rebasing: rest[...next]))
            bytes.append(Self.quote)
            rest = rest[(next + 1)...]
        }
        bytes.append(contentsOf: UnsafeRawBufferPointer(rebasing: rest))
        bytes.append(Self.quote)
    }

    /// Ends the record. A record without cells writes nothing.
    package mutating func endRecord() {
        guard cells > 0 else { return }
        if cells == 1, bytes.count == recordStart {
            bytes.append(Self.quote)
            bytes.append(Self.quote)
        }
        if lineEnd == .crlf { bytes.append(UInt8(ascii: "\r")) }
        bytes.append(UInt8(ascii: "\n"))
        cells = 0
    }

    /// Writes a whole record.
    package mutating func record(_ values: some Sequence<String>) {
        for value in values { cell(value) }
        endRecord()
    }

    /// Passes the output to `take` and discards it. The memory is reused. Call it between records.
    package mutating func drain<Failure: Error>(
        _ take: (UnsafeRawBufferPointer) throws(Failure) -> Void
    ) throws(Failure) {
        assert(cells == 0, "unfinished record in CSVWriter")
        var thrown: Failure?
        bytes.withUnsafeBytes { written in
            do throws(Failure) { try take(written) } catch { thrown = error }
        }
        if let thrown { throw thrown }
        bytes.removeAll(keepingCapacity: true)
    }

    private static let quote = UInt8(ascii: "\"")

    private func needsQuotes(_ utf8: UnsafeRawBufferPointer) -> Bool {
        guard let first = utf8.first, let last = utf8.last else { return false }
        if Self.isBlank(first) || Self.isBlank(last) { return true }
        return utf8.contains { byte in
            byte == delimiter || byte == Self.quote || byte == UInt8(ascii: "\n")
                || byte == UInt8(ascii: "\r")
        }
    }

    private static func isBlank(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t")
    }
}

/// Quoting of an unusual field. Only for the few fields whose quotes are neither an enclosing pair nor
/// doubled within one.
struct FieldQuoting {
    /// The flags that it adds to its record.
    private(set) var flags: RecordFlags = []
    /// Whether its cell must be rewritten, because it has doubled quotes or continues after its closing
    /// quote.
    private(set) var isRewritten = false
    /// Range of the cell's bytes in the field, without enclosing quotes.
    private(set) var text: Range<Int>

    init(of field: UnsafeBufferPointer<UInt8>, quote: UInt8) {
        text = 0..<field.count
        if field.first == quote {
            lookWithin(field, quote)
        } else if field.contains(quote), !Self.isFormula(field, quote) {
            flags = .strayQuote
        }
    }

    private mutating func lookWithin(_ field: UnsafeBufferPointer<UInt8>, _ quote: UInt8) {
        var at = 1
        while let found = Self.firstIndex(of: quote, in: field, from: at) {
            guard found + 1 < field.count else {
                text = 1..<found
                return
            }
            guard field[found + 1] == quote else {
                flags = .textAfterQuote
                isRewritten = true
                return
            }
            isRewritten = true
            at = found + 2
        }
        // Only at the end of the input can a field lack its closing quote.
        flags = .unterminatedQuote
        text = 1..<field.count
    }

    /// Whether the field is `="0439708184"`, which makes spreadsheets keep digits as text. Its quotes are not
    /// stray.
    private static func isFormula(_ field: UnsafeBufferPointer<UInt8>, _ quote: UInt8) -> Bool {
        field.count >= 3 && field[0] == UInt8(ascii: "=") && field[1] == quote
            && firstIndex(of: quote, in: field, from: 2) == field.count - 1
    }

    private static func firstIndex(of byte: UInt8, in field: UnsafeBufferPointer<UInt8>, from start: Int)
        -> Int?
    {
        guard start < field.count, let base = field.baseAddress,
            let found = memchr(base + start, Int32(byte), field.count - start)
        else { return nil }
        return UnsafeRawPointer(found) - UnsafeRawPointer(base)
    }
}
