/// The hash of a text key, wide enough to tell keys apart.
public struct TextKey: Sendable, Hashable {
    @usableFromInline package let hash: UInt64
    /// ``checkBits`` bits of a second, independent hash.
    @usableFromInline package let check: UInt32

    static let none = TextKey(hash: 0, check: 0)
    /// Bits of ``check``: an index keeps them beside the number of a row, which has the other 41.
    @usableFromInline package static let checkBits = 23

    @inlinable
    package init(hash: UInt64, check: UInt32) {
        self.hash = hash
        self.check = check
    }

    @inlinable
    package init(_ bytes: UnsafeRawBufferPointer) {
        hash = KeyHash.hash(bytes)
        check = UInt32(truncatingIfNeeded: KeyHash.hash(bytes, seed: 0x5DEE_CE66) >> (64 - Self.checkBits))
    }

    @inlinable
    package init(_ string: String) {
        var string = string
        self = string.withUTF8 { TextKey(UnsafeRawBufferPointer($0)) }
    }
}
