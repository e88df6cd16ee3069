package import Bytes
package import Pipeline

/// Cuts an input into records by a framing, in bounded memory: the bytes of one record, and of no record those
/// beyond the limit.
package struct FrameReader<Framing: RecordFraming>: ~Copyable {
    /// After the last record handed out: where a later reader of the same input goes on.
    package private(set) var position: Position

    private let limit: Int
    private let encoding: TextEncoding
    private var window: InputWindow
    /// As far as the input was looked at.
    private(set) var framing: Framing
    /// Bytes of the window that the framing has seen.
    private var seen = 0
    /// Whether the window begins with what may be a record.
    private var isHolding = false

    /// - Parameters:
    ///   - source: The bytes from `start` on.
    ///   - limit: Bytes of a record at the most; a longer one is passed over and told of.
    ///   - blockBytes: Bytes to look at at a time.
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

    /// Bytes of input it holds in memory: one block, or twice the longest record.
    package var heldBytes: Int { window.capacity }

    /// The next record, its bytes appended to the arena; nil at the end of the input.
    ///
    /// The record has no cells yet. One that the input ends in is ``RecordFlags/cutShort`` and not to be read; one over
    /// the limit has its own flag and its first ``Reject/keptBytes``.
    package mutating func next(arena: inout Arena) throws(StageFailure) -> Record? {
        var open: Record?
        while true {
            switch framing.next(in: window.bytes, from: seen) {
            case .mayBegin(let at):
                // What was let go of before was no record then.
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

    /// Hands out the record that ends before an offset.
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

    /// Bytes that stay of what is let go of: a mark found later may lie so far back.
    private static var markLength: Int { 1_024 }

    /// Lets go of bytes that are of no record, as far as is known.
    private mutating func leaveSeen() {
        let left = min(seen, Self.markLength)
        leave(seen - left)
        seen = left
    }

    /// Lets go of bytes of a record that is over the limit.
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

    /// Appends the window's first bytes to a record's, as far as they are kept.
    private func keep(_ count: Int, of record: inout Record, _ arena: inout Arena) {
        let isOver = record.flags.contains(.recordOverLimit)
        let room = isOver ? max(0, Reject.keptBytes - Int(record.raw.length)) : count
        let text = arena.append(UnsafeRawBufferPointer(rebasing: window.bytes[..<min(count, room)]))
        guard !text.isEmpty else { return }
        record.raw =
            record.raw.isEmpty
            ? text : Text(offset: record.raw.offset, length: record.raw.length + text.length)
    }

    /// Leaves bytes behind.
    private mutating func leave(_ count: Int) {
        let bytes = UnsafeRawBufferPointer(rebasing: window.bytes[..<count])
        position.byte += Int64(encoding == .utf8 ? count : encoding.length(onDiskOf: bytes))
        position.line += bytes.count { $0 == UInt8(ascii: "\n") }
        window.consume(count)
        seen = 0
    }
}

/// Finds where the records of a syntax begin and end, in bytes that come piece by piece.
///
/// A framing is a pure state machine and total: any bytes give marks, none an error, and what is no record lies
/// between records. It looks back no further than a mark, so a record may be of any length and need not be held. It begins as
/// well between two records in the middle of an input as at its start: that is what makes a position a bookmark.
package protocol RecordFraming: Sendable {
    /// Whether a record has begun for certain and not ended.
    var isInRecord: Bool { get }

    /// Looks at the bytes from an offset on, up to the next mark.
    ///
    /// - Parameters:
    ///   - bytes: All that is held, among it the open record from its beginning.
    ///   - offset: Where the bytes begin that were not looked at yet. After a mark looking goes on behind it: after
    ///     ``FrameMark/mayBegin(_:)`` one byte further, after ``FrameMark/ends(_:)`` right there.
    mutating func next(in bytes: UnsafeRawBufferPointer, from offset: Int) -> FrameMark

    /// Where the open record ends after all, now that no more bytes come: looking goes on there.
    ///
    /// - Parameter bytes: All that is held; all of it was looked at.
    /// - Returns: An offset; nil where the input ends within the record.
    mutating func endOfInput(in bytes: UnsafeRawBufferPointer) -> Int?
}

extension RecordFraming {
    package mutating func endOfInput(in bytes: UnsafeRawBufferPointer) -> Int? { nil }
}

/// What a framing found.
package enum FrameMark: Sendable, Hashable {
    /// A record may begin at this offset: from here on bytes are to be kept. A later one replaces it.
    case mayBegin(Int)
    /// The record ends before this offset.
    case ends(Int)
    /// All bytes were looked at.
    case needsInput
}

/// What is odd about a record that a framing cut out, or that was decoded from its bytes.
extension RecordFlags {
    /// The input ends within the record.
    package static let cutShort = RecordFlags(rawValue: 1 << 9)
    /// What the record says of its own lengths is wrong; its fields were found by their marks.
    package static let wrongLengths = RecordFlags(rawValue: 1 << 10)
    /// The record holds characters that cannot be read; each was replaced by U+FFFD.
    package static let replacedCharacters = RecordFlags(rawValue: 1 << 11)
    /// A text of the record holds line ends or other control characters that its syntax wants escaped.
    package static let bareControls = RecordFlags(rawValue: 1 << 12)
}
