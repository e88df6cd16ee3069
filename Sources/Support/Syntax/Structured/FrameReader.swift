package import Bytes
package import System

/// Splits an input into records with a framing. Memory is bounded: it holds one record, and of an oversized
/// record only the part within the limit.
package struct FrameReader<Framing: RecordFraming>: ~Copyable {
    /// The position after the last record returned, where a later reader of the same input resumes.
    package private(set) var position: Position

    private let limit: Int
    private let encoding: TextEncoding
    private var window: InputWindow
    /// The framing, with its state after the bytes examined so far.
    private(set) var framing: Framing
    /// Bytes of the window that the framing has examined.
    private var seen = 0
    /// Whether the window begins with a possible record.
    private var isHolding = false

    /// - Parameters:
    ///   - source: The bytes from `start` on.
    ///   - limit: Maximum length of a record in bytes. A longer one is skipped and flagged.
    ///   - blockBytes: Bytes to examine at a time.
    package init(
        _ source: some ByteSource, framing: Framing, encoding: TextEncoding = .utf8, limit: Int,
        from start: Position, blockBytes: Int? = nil
    ) {
        self.limit = limit
        self.encoding = encoding
        self.framing = framing
        window = InputWindow(source, encoding: encoding, blockBytes: blockBytes ?? InputWindow.blockBytes)
        position = start
    }

    /// Bytes of input held in memory: one block, or twice the longest record.
    package var heldBytes: Int { window.capacity }

    /// Appends the next record's bytes to the arena. Nil at the end of the input.
    ///
    /// The record has no cells yet. If the input ends within it, it is ``RecordFlags/cutShort`` and must not
    /// be parsed. If it is over the limit, it is flagged and has only its first ``Reject/keptBytes``.
    package mutating func next(arena: inout Arena) throws(ETLError) -> Record? {
        var open: Record?
        while true {
            switch framing.next(in: window.bytes, from: seen) {
            case .mayBegin(let at):
                // Bytes dropped before were not a record.
                open = nil
                leave(at)
                isHolding = true
                seen = 1
            case .ends(let end):
                return take(min(max(0, end), window.bytes.count), open, &arena)
            case .needsInput where window.isAtEnd:
                if isHolding, let end = framing.endOfInput(in: window.bytes) {
                    return take(min(max(0, end), window.bytes.count), open, &arena)
                }
                guard framing.isInRecord, isHolding || open != nil else {
                    leave(window.bytes.count)
                    return nil
                }
                return take(window.bytes.count, open, flags: [.cutShort, .unreadable], &arena)
            case .needsInput:
                seen = window.bytes.count
                if isHolding, framing.isInRecord, seen > limit || open != nil {
                    open = drop(open, &arena)
                } else if !isHolding || seen > limit {
                    isHolding = false
                    leaveSeen()
                }
                try window.refill()
            }
        }
    }

    /// Returns the record that ends before an offset.
    private mutating func take(
        _ end: Int, _ open: Record?, flags: RecordFlags = [], _ arena: inout Arena
    ) -> Record {
        var record =
            open
            ?? Record(
                position: position, raw: .none, cells: 0..<0, flags: [], rawLength: 0, isBlank: false)
        let length = record.rawLength + end
        if length > limit { record.flags.insert(.recordOverLimit) }
        record.flags.formUnion(flags)
        keep(end, of: &record, &arena)
        record.rawLength = length
        leave(end)
        isHolding = false
        position.record += 1
        return record
    }

    /// Bytes kept when others are dropped: a mark found later may be this far back.
    private static var markLength: Int { 1_024 }

    /// Drops bytes that belong to no record as far as is known.
    private mutating func leaveSeen() {
        let left = min(seen, Self.markLength)
        leave(seen - left)
        seen = left
    }

    /// Drops bytes of a record that is over the limit.
    private mutating func drop(_ open: Record?, _ arena: inout Arena) -> Record {
        var record =
            open
            ?? Record(
                position: position, raw: .none, cells: 0..<0, flags: .recordOverLimit, rawLength: 0,
                isBlank: false)
        let count = max(0, seen - Self.markLength)
        let left = seen - count
        keep(count, of: &record, &arena)
        record.rawLength += count
        leave(count)
        seen = left
        return record
    }

    /// Appends the window's first bytes to a record's bytes, up to the number that is kept.
    private func keep(_ count: Int, of record: inout Record, _ arena: inout Arena) {
        let isOver = record.flags.contains(.recordOverLimit)
        let room = isOver ? max(0, Reject.keptBytes - Int(record.raw.length)) : count
        let text = arena.append(UnsafeRawBufferPointer(rebasing: window.bytes[..<min(count, room)]))
        guard !text.isEmpty else { return }
        record.raw =
            record.raw.isEmpty
            ? text : Text(offset: record.raw.offset, length: record.raw.length + text.length)
    }

    /// Consumes bytes of the window.
    private mutating func leave(_ count: Int) {
        let bytes = UnsafeRawBufferPointer(rebasing: window.bytes[..<count])
        position.byte += Int64(encoding == .utf8 ? count : encoding.length(onDiskOf: window.bytes, 0..<count))
        position.line += bytes.count { $0 == UInt8(ascii: "\n") }
        window.consume(count)
        seen = 0
    }
}

/// Finds where the records of a syntax begin and end, in bytes that arrive in pieces.
///
/// A framing is a pure state machine without errors: any bytes give marks, and everything else is between
/// records. It never refers back beyond the last mark, so a record may have any length and need not be held
/// in memory. It can begin between any two records of an input as well as at the start, so that reading can
/// resume at a position.
package protocol RecordFraming: Sendable {
    /// Whether a record has certainly begun and not ended.
    var isInRecord: Bool { get }

    /// Examines the bytes from an offset on, up to the next mark.
    ///
    /// - Parameters:
    ///   - bytes: All bytes held, including the open record from its beginning.
    ///   - offset: Start of the bytes that were not examined yet. After a mark, the next call continues
    ///     there: one byte after ``FrameMark/mayBegin(_:)``, directly at ``FrameMark/ends(_:)``.
    mutating func next(in bytes: UnsafeRawBufferPointer, from offset: Int) -> FrameMark

    /// Decides where the open record ends if no more bytes come. Examination continues there.
    ///
    /// - Parameter bytes: All bytes held, all of them examined.
    /// - Returns: An offset; nil if the input ends within the record.
    mutating func endOfInput(in bytes: UnsafeRawBufferPointer) -> Int?
}

extension RecordFraming {
    package mutating func endOfInput(in bytes: UnsafeRawBufferPointer) -> Int? { nil }
}

/// Finding of a framing.
package enum FrameMark: Sendable, Hashable {
    /// A record may begin at this offset: bytes from here on must be kept. A later mark replaces this one.
    case mayBegin(Int)
    /// The record ends before this offset.
    case ends(Int)
    /// All bytes were examined.
    case needsInput
}

/// Anomalies of a record that was found by a framing, or decoded from its bytes.
extension RecordFlags {
    /// The input ends within the record.
    package static let cutShort = RecordFlags(rawValue: 1 << 9)
    /// The record's own lengths are wrong; its fields were found by their terminators.
    package static let wrongLengths = RecordFlags(rawValue: 1 << 10)
    /// The record has characters that cannot be decoded. Each was replaced by U+FFFD.
    package static let replacedCharacters = RecordFlags(rawValue: 1 << 11)
    /// A string of the record has line ends or other control characters that its syntax requires to be
    /// escaped.
    package static let bareControls = RecordFlags(rawValue: 1 << 12)
}
