import CScan

/// Finds the end of a record that is over the limits, in bytes that arrive in pieces and are not kept.
///
/// It follows ``CSVParser``'s rules, plus one against an unclosed quote that would swallow the rest of the
/// input. A quoted field is in doubt once its record is longer than ``RecordLimits/recordBytes`` and the
/// field itself is longer than ``RecordLimits/fieldBytes``. The caller must then look ahead for a
/// ``ClosingQuote``. If the field has none, quotes lose their meaning, and the next line end ends the record.
struct OversizedRecord {
    private enum State {
        case fieldStart, unquoted, quoted, quoteInQuoted, givenUp
        /// The record has ended, except for an LF that may follow its CR.
        case carriageReturn
        case over
    }

    private let delimiter: UInt8
    private let quote: UInt8
    private let limits: RecordLimits
    private var state = State.fieldStart
    private var fieldStart = 0
    /// Start of the field that is known to be properly closed.
    private var closedField: Int?
    private var previousIsCarriageReturn = false

    /// Length of the record so far in bytes, without its line end.
    private(set) var length = 0
    /// Number of line ends so far, including those within quotes and its own.
    private(set) var lineEnds = 0
    private(set) var flags: RecordFlags = .recordOverLimit
    var isOver: Bool { state == .over }
    /// Whether no more bytes are accepted until ``settle(isClosed:)`` says how the open quoted field ends.
    var isInDoubt: Bool { state == .quoted && length >= doubtStart }

    init(_ parser: CSVParser) {
        delimiter = parser.delimiter
        quote = parser.quote
        limits = parser.limits
    }

    /// Reads more bytes. The first call's bytes begin with the record; later bytes follow those already
    /// taken.
    ///
    /// - Returns: The number of bytes that belong to the record. It is less than all of them only if the
    ///   record is over or in doubt.
    mutating func take(_ bytes: UnsafeRawBufferPointer, isFinal: Bool) -> Int {
        guard let text = bytes.baseAddress?.assumingMemoryBound(to: UInt8.self) else {
            if isFinal { end() }
            return 0
        }
        var at = 0
        while at < bytes.count, state != .over {
            if state == .carriageReturn {
                state = .over
                return text[at] == UInt8(ascii: "\n") ? at + 1 : at
            }
            if isInDoubt { return at }
            let passed = plainBytes(text + at, count: bytes.count - at)
            if passed > 0 {
                if state == .fieldStart || state == .quoteInQuoted { state = .unquoted }
                previousIsCarriageReturn = false
                length += passed
                at += passed
                continue
            }
            handle(text[at])
            at += 1
        }
        if at == bytes.count, isFinal { end() }
        return at
    }

    /// The number of bytes from here on that have no special meaning in any state.
    private func plainBytes(_ text: UnsafePointer<UInt8>, count: Int) -> Int {
        // Whether a quote is given up depends on the offset, so nothing beyond that offset may be skipped.
        let most = state == .quoted ? min(count, doubtStart - length) : count
        return Int(scan_csv_next(text, most, delimiter, quote))
    }

    /// Offset in the record from which the open quoted field is in doubt.
    private var doubtStart: Int {
        closedField == fieldStart ? .max : max(limits.recordBytes, fieldStart + limits.fieldBytes)
    }

    /// Resolves the doubt: whether the next quote properly closes the field.
    mutating func settle(isClosed: Bool) {
        if isClosed {
            closedField = fieldStart
        } else {
            state = .givenUp
            flags.insert(.unterminatedQuote)
        }
    }

    /// Handles one byte that may have a special meaning.
    private mutating func handle(_ byte: UInt8) {
        let isLineEnd = byte == UInt8(ascii: "\r") || byte == UInt8(ascii: "\n")
        switch state {
        case .quoted:
            if byte == quote {
                state = .quoteInQuoted
            } else if isLineEnd, byte == UInt8(ascii: "\r") || !previousIsCarriageReturn {
                lineEnds += 1
            }
            previousIsCarriageReturn = byte == UInt8(ascii: "\r")
        case _ where isLineEnd:
            lineEnds += 1
            state = byte == UInt8(ascii: "\r") ? .carriageReturn : .over
            return
        case .givenUp:
            break
        case .quoteInQuoted where byte == quote:
            state = .quoted
        case .fieldStart, .unquoted, .quoteInQuoted:
            if byte == delimiter {
                state = .fieldStart
                fieldStart = length + 1
            } else if state == .fieldStart {
                state = .quoted
            }
        case .carriageReturn, .over:
            return
        }
        length += 1
    }

    private mutating func end() {
        if state == .quoted { flags.insert(.unterminatedQuote) }
        state = .over
    }
}

/// Limits of one record. A record beyond any of them is reported but not parsed, and reading continues with
/// the next one.
///
/// Lengths are in bytes of UTF-8, whatever the file's encoding.
package struct RecordLimits: Sendable, Hashable {
    /// Bytes of one field as written in the file, without its enclosing quotes.
    package var fieldBytes: Int
    /// Bytes of one record, without its line end.
    package var recordBytes: Int
    /// Cells of one record.
    package var columns: Int

    /// Fields of 1 MiB, records of 4 MiB, 1,024 columns.
    package static let standard = RecordLimits()

    /// Values below 1 count as 1; a record longer than 1 GiB is never held in memory.
    package init(fieldBytes: Int = 1 << 20, recordBytes: Int = 4 << 20, columns: Int = 1024) {
        self.fieldBytes = max(1, fieldBytes)
        self.recordBytes = min(max(1, recordBytes), 1 << 30)
        self.columns = max(1, columns)
    }
}
