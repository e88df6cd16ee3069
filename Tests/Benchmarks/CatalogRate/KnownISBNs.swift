import Books
import Database
import System

/// The ISBNs of a catalog, from which this program and its peer in C draw the same keys.
struct KnownISBNs {
    private let isbns: [Int64]

    init(_ path: String) throws(ETLError) {
        let connection = try Connection(path, .readOnly)
        let rows = try connection.prepare("SELECT isbn FROM edition WHERE isbn > 0 ORDER BY isbn")
        var isbns: [Int64] = []
        while try rows.next() { isbns.append(rows.integer(0)) }
        self.isbns = isbns
    }

    /// Keys from the first one on.
    func keys() -> Keys { Keys(isbns: isbns) }

    /// Random keys, the same in every run (xorshift64*, as in look_up_peer.c).
    struct Keys {
        private let isbns: [Int64]
        private var state: UInt64 = 0x9E37_79B9_7F4A_7C15

        fileprivate init(isbns: [Int64]) { self.isbns = isbns }

        /// An ISBN, in four of five cases one from the catalog; otherwise one with prefix 979-8, which no
        /// generated book has.
        mutating func next() -> ISBN? {
            state ^= state >> 12
            state ^= state << 25
            state ^= state >> 27
            let draw = state &* 0x2545_F491_4F6C_DD1D
            guard draw % 5 == 0 else { return ISBN(number: isbns[Int((draw >> 32) % UInt64(isbns.count))]) }
            let twelve = 979_800_000_000 + Int64((draw >> 32) % 100_000_000)
            var sum: Int64 = 0
            var rest = twelve
            for place in 0..<12 {
                sum += rest % 10 * (place.isMultiple(of: 2) ? 3 : 1)
                rest /= 10
            }
            return ISBN(number: twelve * 10 + (10 - sum % 10) % 10)
        }
    }
}
