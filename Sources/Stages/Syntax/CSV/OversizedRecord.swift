import CScan

/// Finds the end of a record that is longer than any may be, in bytes that come piece by piece and are not
/// kept.
///
/// It reads by ``CSVParser``'s rules, with one of its own against a lone quote that would swallow the rest of
/// the input: a quoted field is in doubt once its record is over ``RecordLimits/recordBytes`` and it is
/// itself over ``RecordLimits/fieldBytes``. Whoever feeds it looks ahead then for a ``ClosingQuote``, and a field without
/// one is given up: from there on the next line end ends the record, whatever quotes stand before it.
struct OversizedRecord {
    private enum State {
        case fieldStart, unquoted, quoted, quoteInQuoted, givenUp
        /// The record is over but for the LF that may follow its CR.
        case carriageReturn
        case over
    }

    private let delimiter: UInt8
    private let quote: UInt8
    private let limits: RecordLimits
    private var state = State.fieldStart
    private var fieldStart = 0
    /// Where the field begins that is known to be closed as it should.
    private var closedField: Int?
    private var previousIsCarriageReturn = false

    /// Bytes of the record so far, without its line end.
    private(set) var length = 0
    /// Line ends so far, those within quotes and its own.
    private(set) var lineEnds = 0
    private(set) var flags: RecordFlags = .recordOverLimit
    var isOver: Bool { state == .over }
    /// Whether nothing is taken before it is known how the open quoted field ends (``settle(isClosed:)``).
    var isInDoubt: Bool { state == .quoted && length >= waitEnd }

    init(_ parser: CSVParser) {
        delimiter = parser.delimiter
        quote = parser.quote
        limits = parser.limits
    }

    /// Reads on. The first bytes begin with the record, later ones follow those taken before.
    ///
    /// - Returns: How many bytes belong to the record; fewer than all only when it is over, or in doubt.
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
            let passed = meaningless(text + at, count: bytes.count - at)
            if passed > 0 {
                if state == .fieldStart || state == .quoteInQuoted { state = .unquoted }
                previousIsCarriageReturn = false
                length += passed
                at += passed
                continue
            }
            meet(text[at])
            at += 1
        }
        if at == bytes.count, isFinal { end() }
        return at
    }

    /// How many bytes from here on mean nothing in any state.
    private func meaningless(_ text: UnsafePointer<UInt8>, count: Int) -> Int {
        // Whether a quote is given up depends on the offset: no stretch may reach beyond that one.
        let waitPolicy = state == .quoted ? min(count, waitEnd - length) : count
        return Int(scan_csv_next(text, waitPolicy, delimiter, quote))
    }

    /// Offset in the record from which on the open quoted field is in doubt.
    private var waitEnd: Int {
        closedField == fieldStart ? .max : max(limits.recordBytes, fieldStart + limits.fieldBytes)
    }

    /// Says of the field in doubt whether the next quote closes it as it should.
    mutating func settle(isClosed: Bool) {
        if isClosed {
            closedField = fieldStart
        } else {
            state = .givenUp
            flags.insert(.unterminatedQuote)
        }
    }

    /// Takes in one byte that may mean something.
    private mutating func meet(_ byte: UInt8) {
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

/// What one record may cost. A record beyond any of these is reported, not parsed, and the next one is read
/// as if nothing had happened.
///
/// Lengths are in bytes of UTF-8, whatever the file's encoding.
package struct RecordLimits: Sendable, Hashable {
    /// Bytes of one field as it stands in the file, without the quotes that enclose it.
    package var fieldBytes: Int
    /// Bytes of one record without its line end.
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
