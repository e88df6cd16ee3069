/// What the catalog keeps under the hash of a title and an author: the work, and what tells chance hits apart.
struct TitleEntry {
    /// How well a key describes its work: the lower wins.
    enum Rank: Int64, Comparable {
        /// The work's whole title.
        case whole = 0
        /// An edition's whole title.
        case edition
        /// The work's title without its subtitle.
        case short

        static func < (a: Self, b: Self) -> Bool { a.rawValue < b.rawValue }
    }

    /// Number of the work.
    var work: Int64
    /// 29 bits of ``TitleKey/check``.
    var check: Int64
    /// How well the key describes the work.
    var rank: Rank

    /// Works of higher numbers are found by ISBN only: Open Library has come to a hundredth of them.
    static let highestWork: Int64 = (1 << 32) - 1

    /// One number, by which entries of a key are sorted: by work, and the best of a work first where its checks agree.
    ///
    ///     work (32 bits)   check (29)   rank (2)
    var packed: Int64 { work << 31 | check << 2 | rank.rawValue }

    /// The work of an entry that is one number.
    static func work(ofPacked packed: Int64) -> Int64 { packed >> 31 }

    init(work: Int64, check: Int64, rank: Rank) {
        self.work = work
        self.check = check
        self.rank = rank
    }

    /// Nil for what is no entry of this program's.
    init?(packed: Int64) {
        guard let rank = Rank(rawValue: packed & 3) else { return nil }
        self.init(work: Self.work(ofPacked: packed), check: packed >> 2 & ((1 << 29) - 1), rank: rank)
    }
}
