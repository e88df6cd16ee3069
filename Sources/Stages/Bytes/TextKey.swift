/// The hash of a text key, wide enough to tell keys apart.
package struct TextKey: Sendable, Hashable {
    package let hash: UInt64
    /// ``checkBits`` bits of a second, independent hash.
    package let check: UInt32

    static let none = TextKey(hash: 0, check: 0)
    /// Bits of ``check``: an index keeps them beside the number of a row, which has the other 41.
    package static let checkBits = 23

    package init(hash: UInt64, check: UInt32) {
        self.hash = hash
        self.check = check
    }

    package init(_ bytes: UnsafeRawBufferPointer) {
        hash = KeyHash.hash(bytes)
        check = UInt32(truncatingIfNeeded: KeyHash.hash(bytes, seed: 0x5DEE_CE66) >> (64 - Self.checkBits))
    }

    package init(_ string: String) {
        var string = string
        self = string.withUTF8 { TextKey(UnsafeRawBufferPointer($0)) }
    }
}
