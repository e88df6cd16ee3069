import Bytes

/// The key by which a book without an ISBN is looked up: a hash of its folded title and an author's folded
/// name.
///
/// 64 bits find it and 29 bits of a second hash confirm it, so that in a catalog of any practical size no
/// wrong book is found by chance.
struct TitleKey: Hashable {
    /// The integer that sorts the index.
    var key: Int64
    /// 29 bits of a second hash, with another seed.
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

    /// - Parameter folded: Text in `Folding`'s form, not empty.
    init(folded: UnsafeRawBufferPointer) {
        first = KeyHash.hash(folded)
        second = KeyHash.hash(folded, seed: 0x5EED)
    }

    init(folded: [UInt8]) {
        self = folded.withUnsafeBytes { FoldedHash(folded: $0) }
    }

    /// Hash of a title; nil if folding leaves nothing of it.
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

    /// Hash of a person's name; nil if folding leaves nothing of it.
    ///
    /// Initials are joined, so that `J. R. R. Tolkien`, `J.R.R. Tolkien` and `JRR Tolkien` are equal. A name
    /// with one comma is reversed: `Tolkien, J. R. R.`.
    static func name(_ name: UnsafeRawBufferPointer) -> FoldedHash? {
        let folded = PersonKey.fold(name)
        return folded.isEmpty ? nil : FoldedHash(folded: folded)
    }
}
