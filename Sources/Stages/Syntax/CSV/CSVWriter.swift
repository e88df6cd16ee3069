#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// Writes CSV as RFC 4180 has it into a growing buffer of bytes; whoever owns it drains it between records.
///
/// A cell is quoted where it must be: it holds the delimiter, a quote or a line end, begins or ends with a
/// blank, or is the only, empty cell of its record, which would read as a blank line. Bytes go out as they
/// came: rejects keep what was wrong with them. Lines end with LF unless asked otherwise; RFC 4180 says CRLF,
/// tools take both.
package struct CSVWriter: ~Copyable {
    /// What ends a record: one byte, or the two that RFC 4180 asks for.
    package enum LineEnd: Sendable { case lf, crlf }

    /// What was written since the last drain.
    package private(set) var bytes: [UInt8] = []
    private let delimiter: UInt8
    private let lineEnd: LineEnd
    private let guardsFormulas: Bool
    /// Cells of the record in hand, and where its first one begins.
    private var cells = 0
    private var recordStart = 0

    /// - Parameters:
    ///   - delimiter: an ASCII byte other than a quote or a line end.
    ///   - guardsFormulas: whether a cell that a spreadsheet would run as a formula gets an apostrophe before
    ///     it (`--csv-safe`). It changes the data, so it is never the default.
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

    /// Writes a cell from bytes, unchanged but for what quoting and guarding add.
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

    /// Lends what was written and forgets it, keeping the memory. To be called between records.
    package mutating func drain<Failure: Error>(
        _ take: (UnsafeRawBufferPointer) throws(Failure) -> Void
    ) throws(Failure) {
        assert(cells == 0, "a record is drained as a whole")
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

/// How a field is quoted, by a close look at its bytes: for the few whose quotes are neither a pair around it
/// nor doubled within.
struct FieldQuoting {
    /// What it makes of its record.
    private(set) var flags: RecordFlags = []
    /// Whether its cell has to be written anew, because it holds doubled quotes or goes on after its closing
    /// quote.
    private(set) var isRewritten = false
    /// Where in the field its cell's bytes are, enclosing quotes left out.
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
        // Only the end of the input leaves a field without its closing quote.
        flags = .unterminatedQuote
        text = 1..<field.count
    }

    /// Whether it is `="0439708184"`, the spreadsheets' way to keep digits text: nothing stray about its
    /// quotes.
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
