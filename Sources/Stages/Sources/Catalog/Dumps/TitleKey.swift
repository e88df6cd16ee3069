import Books
import Bytes

/// The key by which a book without an ISBN is looked up: a hash of the form of its title (``TitleForm``),
/// followed by a hash of an author's folded name.
///
/// 64 bits find it and 29 bits of a second hash confirm it, so that in a catalog of any practical size no
/// wrong book is found by chance. Books with one title are next to each other, whatever their author.
struct TitleKey: Hashable {
    private static let authorBits: UInt64 = 24

    /// The integer that sorts the index.
    var key: Int64
    /// 29 bits of a second hash, with another seed.
    var check: Int64

    init(title: FoldedHash, author: FoldedHash) {
        key = Int64(bitPattern: Self.lowest(title) | author.first >> (64 - Self.authorBits))
        check = Int64(Self.combine(title.second, author.second) >> 35)
    }

    /// The keys of a title with any author.
    static func all(of title: FoldedHash) -> ClosedRange<Int64> {
        let lowest = lowest(title)
        return Int64(bitPattern: lowest)...Int64(bitPattern: lowest | ((1 << authorBits) - 1))
    }

    private static func lowest(_ title: FoldedHash) -> UInt64 { (title.first >> authorBits) << authorBits }

    private static func combine(_ a: UInt64, _ b: UInt64) -> UInt64 {
        withUnsafeBytes(of: (a.littleEndian, b.littleEndian)) { KeyHash.hash($0) }
    }
}
