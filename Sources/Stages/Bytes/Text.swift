/// A run of bytes in a batch's ``Arena``: UTF-8 text that is not a `String` until somebody shows it.
///
/// Eight bytes, copied freely. The empty text means that the value is absent: an export, a catalog and a provider
/// all leave out what they do not know, so the two need no telling apart.
public struct Text: Sendable, Hashable {
    /// Offset in the arena.
    public var offset: UInt32
    /// Length in bytes.
    public var length: UInt32

    /// The absent value.
    @inlinable
    public static var none: Text { Text(offset: 0, length: 0) }

    /// A run of bytes of the arena it is used with; nothing checks that it is inside.
    @inlinable
    public init(offset: UInt32, length: UInt32) {
        self.offset = offset
        self.length = length
    }

    /// Whether the value is absent.
    @inlinable
    public var isEmpty: Bool { length == 0 }

    /// A part of the text, its bounds counted in bytes from the text's start.
    @inlinable
    package func part(_ part: Range<Int>) -> Text {
        part.isEmpty ? .none : Text(offset: offset + UInt32(part.lowerBound), length: UInt32(part.count))
    }

    /// Offsets of the bytes in the arena.
    @inlinable
    package var range: Range<Int> { Int(offset)..<Int(offset) + Int(length) }
}
