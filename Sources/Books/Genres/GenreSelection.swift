package import Bytes

/// Collects what the subjects of one book say, and decides which genres the book gets.
///
/// A word that only hints at a genre counts if another sign agrees. `Magic` is fantasy if the book is fiction.
/// `Racism` is social science if another of its words (`Race relations`) and any genre of nonfiction say so
/// too. If a book has too many genres, those with the greatest weight stay: first the number of sources that
/// name a genre counts, then the number of their subjects, then the order.
package struct GenreSelection {
    /// Maximum number of genres of a book that are considered. Real books have fewer than 60; the limit protects
    /// against malicious answers.
    package static let maximumGenres = 256

    /// A genre of the book.
    package struct Found {
        package var identity: GenreNormalizer.Outcome.Identity
        /// The provider's own spelling; empty if the genre is canonical.
        package var text: Text
        package var origin: FieldOrigin
        package var rule: MergeRule
        /// Whether it was named, or only hinted at.
        fileprivate var isNamed: Bool
        /// The hash of the first hint, and whether there was another one.
        fileprivate var hint: UInt64
        fileprivate var hasSecondHint = false
        /// The sources that named it, a bit for each, and the number of their subjects.
        fileprivate var sources: UInt64
        fileprivate var subjects = 1

        fileprivate var weight: Int { sources.nonzeroBitCount << 32 | subjects }
    }

    /// The genres so far; after ``settle(_:limit:)`` those that the book gets.
    package private(set) var found: [Found] = []

    private var isFiction = false
    private var isNonfiction = false

    /// Nothing named or hinted at.
    package init() {}

    /// Whether nothing has named or hinted at a genre.
    package var isEmpty: Bool { found.isEmpty }

    /// Starts the next book.
    package mutating func removeAll() {
        found.removeAll(keepingCapacity: true)
        isFiction = false
        isNonfiction = false
    }

    /// Adds what a part of a subject says.
    ///
    /// - Parameter text: The part, for genres that keep their spelling.
    @inline(__always)
    package mutating func add(
        _ outcome: GenreNormalizer.Outcome, _ text: Text, from origin: FieldOrigin, by rule: MergeRule,
        of table: GenreTable
    ) {
        guard outcome.sign != .topic else { return }
        let source: UInt64 =
            switch origin {
            case .row: 1 << 63
            case .candidate(let number): 1 << min(UInt64(number), 62)
            }
        let isNamed = outcome.sign == .genre
        isFiction = isFiction || outcome.isFiction
        if isNamed, let genre = outcome.genre, table.side(of: genre) == .nonfiction { isNonfiction = true }
        let identity = outcome.identity
        guard let index = found.firstIndex(where: { $0.identity == identity }) else {
            guard found.count < Self.maximumGenres else { return }
            found.append(
                Found(
                    identity: identity, text: outcome.genre == nil ? text : .none, origin: origin, rule: rule,
                    isNamed: isNamed, hint: outcome.hash, sources: source))
            return
        }
        found[index].sources |= source
        found[index].subjects += 1
        found[index].hasSecondHint = found[index].hasSecondHint || found[index].hint != outcome.hash
        // The first subject that names the genre is its origin, even if another has hinted at it before.
        guard isNamed, !found[index].isNamed else { return }
        found[index].isNamed = true
        found[index].origin = origin
        found[index].rule = rule
    }

    /// Removes the genres that the book does not get. The others stay in their order.
    package mutating func settle(_ table: GenreTable, limit: Int) {
        let (isFiction, isNonfiction) = (isFiction, isNonfiction)
        if found.contains(where: { !$0.isNamed }) {
            found.removeAll { one in
                guard !one.isNamed, let genre = one.identity.genre else { return false }
                return switch table.side(of: genre) {
                case .fiction: !isFiction
                case .nonfiction: !one.hasSecondHint || !isNonfiction || isFiction
                case .either: !one.hasSecondHint
                }
            }
        }
        guard found.count > limit else { return }
        // Indices by falling weight; the sort is stable for equal ones because it compares them too.
        let kept = found.indices.sorted { (found[$1].weight, $0) < (found[$0].weight, $1) }.prefix(limit)
        found = kept.sorted().map { found[$0] }
    }
}
