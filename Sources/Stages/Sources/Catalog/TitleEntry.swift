/// A catalog's entry for a hash of title and author: the work, and bits to detect collisions.
struct TitleEntry {
    /// Quality of a key as a description of its work; lower is better.
    enum Rank: Int64, Comparable {
        /// The work's whole title.
        case whole = 0
        /// An edition's whole title.
        case edition
        /// The work's title without its subtitle, or up to its first separator.
        case short
        /// The part of the work's title behind its last separator.
        case tail

        static func < (a: Self, b: Self) -> Bool { a.rawValue < b.rawValue }
    }

    /// Number of the work.
    var work: Int64
    /// 29 bits of ``TitleKey/check``.
    var check: Int64
    /// Quality of the key as a description of the work.
    var rank: Rank

    /// Works with higher numbers are found by ISBN only. Open Library has used about a hundredth of this
    /// range.
    static let highestWork: Int64 = (1 << 32) - 1

    /// One integer. Entries of a key are sorted by it: by work, then best rank first if the checks agree.
    ///
    ///     work (32 bits)   check (29)   rank (2)
    var packed: Int64 { work << 31 | check << 2 | rank.rawValue }

    /// The work of a packed entry.
    static func work(ofPacked packed: Int64) -> Int64 { packed >> 31 }

    init(work: Int64, check: Int64, rank: Rank) {
        self.work = work
        self.check = check
        self.rank = rank
    }

    /// Nil if the value is not a valid entry.
    init?(packed: Int64) {
        guard let rank = Rank(rawValue: packed & 3) else { return nil }
        self.init(work: Self.work(ofPacked: packed), check: packed >> 2 & ((1 << 29) - 1), rank: rank)
    }
}
