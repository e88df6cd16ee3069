import Bytes

/// What a book is looked up by where it has no ISBN: the hash of its folded title and of a folded author's
/// name.
///
/// 64 bits find, 29 further bits of other hashes confirm, so that a wrong book is not found by chance in any
/// catalog that fits a disk.
struct TitleKey: Hashable {
    /// The integer that the index is sorted by.
    var key: Int64
    /// 29 bits of hashes with another seed.
    var check: Int64

    init(title: FoldedHash, author: FoldedHash) {
        key = Int64(bitPattern: Self.combine(title.first, author.first))
        check = Int64(Self.combine(title.second, author.second) >> 35)
    }

    private static func combine(_ a: UInt64, _ b: UInt64) -> UInt64 {
        withUnsafeBytes(of: (a.littleEndian, b.littleEndian)) { KeyHash.hash($0) }
    }
}

/// Two independent hashes of a folded title or name.
struct FoldedHash: Hashable {
    var first: UInt64
    var second: UInt64

    init(first: UInt64, second: UInt64) {
        self.first = first
        self.second = second
    }

    /// - Parameter folded: Text in the form of ``Folding``, not empty.
    init(folded: UnsafeRawBufferPointer) {
        first = KeyHash.hash(folded)
        second = KeyHash.hash(folded, seed: 0x5EED)
    }

    init(folded: [UInt8]) {
        self = folded.withUnsafeBytes { FoldedHash(folded: $0) }
    }

    /// Hash of a title; nil where nothing of it is left when folded.
    static func title(_ title: UnsafeRawBufferPointer, _ subtitle: UnsafeRawBufferPointer? = nil)
        -> FoldedHash?
    {
        var folded: [UInt8] = []
        Folding.fold(title, into: &folded)
        if let subtitle {
            let count = folded.count
            Folding.fold(subtitle, into: &folded)
            if count > 0, folded.count > count { folded.insert(0x20, at: count) }
        }
        return folded.isEmpty ? nil : FoldedHash(folded: folded)
    }

    /// Hash of a person's name; nil where nothing of it is left when folded.
    ///
    /// Initials are drawn together, so that `J. R. R. Tolkien`, `J.R.R. Tolkien` and `JRR Tolkien` are one,
    /// and a name with one comma is turned round: `Tolkien, J. R. R.`.
    static func name(_ name: UnsafeRawBufferPointer) -> FoldedHash? {
        let folded = PersonKey.fold(name)
        return folded.isEmpty ? nil : FoldedHash(folded: folded)
    }
}
