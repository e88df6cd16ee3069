import Glibc
import TestSupport

/// The shelves of many users, one after the other, on which books repeat.
///
/// A record is a repeat with a fixed probability. Then its work is drawn from those that occurred before. Their
/// popularity follows Zipf's law in the order in which they first occurred: the n-th work is drawn in
/// proportion to n to the power of minus the exponent. A user has a work only once, so the most popular works
/// are on nearly every shelf.
struct UserShelves: IteratorProtocol {
    private let library: GeneratedLibrary
    private let repeats: GeneratedLibrary.Repeats
    private var draws: SeededGenerator
    private var record = 0
    private var shelf: Set<Int> = []
    /// Number of works that have occurred.
    private(set) var works = 0

    /// Draws until a user who has most of the popular works gets another book.
    private static let tries = 64

    init(_ library: GeneratedLibrary, _ repeats: GeneratedLibrary.Repeats) {
        self.library = library
        self.repeats = repeats
        draws = SeededGenerator(seed: library.seed &* 0x5851_F42D_4C95_7F2D)
    }

    /// The next record and the number of its user, from 0.
    mutating func next() -> (user: Int, book: GeneratedBook)? {
        guard record < library.records else { return nil }
        let user = user(of: record)
        if record > 0, user != self.user(of: record - 1) { shelf.removeAll(keepingCapacity: true) }
        defer { record += 1 }
        let work = nextWork()
        shelf.insert(work)
        // Half of a work's users have its first edition, half of the others the second one, and so on.
        let edition = min(draws.next().trailingZeroBitCount, library.editions(ofWork: work) - 1)
        var book = library.book(edition: edition, ofWork: work)
        book.record = record
        book.spelling = RowSpelling(&draws)
        // The average rating on the day of the user's export.
        let spread = book.number &* 0x9E37_79B1 & 0xFFFF_FFFF
        book.averageRating = 300 + (spread >> 7) % 190 + user % 4
        return (user, book)
    }

    private func user(of record: Int) -> Int { record * repeats.users / library.records }

    private mutating func nextWork() -> Int {
        if works > 0, draws.upTo(100) < repeats.percent {
            for _ in 0..<Self.tries {
                let work = popularWork()
                if !shelf.contains(work) { return work }
            }
        }
        defer { works += 1 }
        return works
    }

    /// A work by its popularity, from 0. This inverts the integral of the density over 1...works + 1.
    private mutating func popularWork() -> Int {
        let share = Double(draws.next() >> 11) / 0x1p53
        let (end, power) = (Double(works + 1), 1 - repeats.exponent)
        let rank = abs(power) < 1e-6 ? pow(end, share) : pow(1 + share * (pow(end, power) - 1), 1 / power)
        return min(Int(rank), works) - 1
    }
}

/// How a record spells title, author and publisher. Of two exports of the same books, about as many differ.
struct RowSpelling {
    enum Title { case usual, capitals, withoutArticle, withSubtitle }
    enum Name { case usual, joinedInitials, doubledBlanks }

    let title: Title
    let author: Name
    let hasShortPublisher: Bool

    static let usual = RowSpelling(title: .usual, author: .usual, hasShortPublisher: false)

    private init(title: Title, author: Name, hasShortPublisher: Bool) {
        self.title = title
        self.author = author
        self.hasShortPublisher = hasShortPublisher
    }

    fileprivate init(_ draws: inout SeededGenerator) {
        switch draws.upTo(100) {
        case 0..<2: title = .capitals
        case 2..<4: title = .withoutArticle
        case 4..<6: title = .withSubtitle
        default: title = .usual
        }
        switch draws.upTo(100) {
        case 0: author = .joinedInitials
        case 1: author = .doubledBlanks
        default: author = .usual
        }
        hasShortPublisher = draws.upTo(100) < 7
    }

    /// Spells a title that was appended in its usual form.
    func respell(title cell: inout [UInt8]) {
        switch title {
        case .usual: break
        case .capitals: cell = cell.map { (0x61...0x7A).contains($0) ? $0 - 0x20 : $0 }
        case .withoutArticle:
            for article in ["The ", "A "] where cell.starts(with: article.utf8) {
                cell.removeFirst(article.utf8.count)
            }
        case .withSubtitle: cell.append(": A Novel")
        }
    }

    /// Spells a name that was appended in its usual form.
    func respell(author cell: inout [UInt8]) {
        let blank = UInt8(ascii: " ")
        switch author {
        case .usual: break
        case .joinedInitials:
            var before: UInt8 = 0
            cell.removeAll { byte in
                defer { before = byte }
                return byte == blank && before == UInt8(ascii: ".")
            }
        case .doubledBlanks: cell = cell.flatMap { $0 == blank ? [blank, blank] : [$0] }
        }
    }
}
