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
