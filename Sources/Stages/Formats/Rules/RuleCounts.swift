package import Books
import Bytes

/// Counts what rows say in shelves, ratings and names of authors, so that rules can be proposed (``RuleProposal``).
/// It grows with the number of distinct shelves and names.
package struct RuleCounts: Sendable {
    /// What a row says.
    package struct Row: Sendable, Hashable {
        package var formatName: String
        /// The reading status as its format read it; empty for none.
        package var status = ""
        package var tags: [String] = []
        /// The cell of the rating; empty for none.
        package var rating = ""
        /// Whether the format could read the rating.
        package var isRatingRead = true
        package var people: [String] = []

        package init(formatName: String) { self.formatName = formatName }
    }

    /// A shelf, in all its spellings.
    struct Shelf: Sendable {
        /// The number of books of each spelling.
        var spellings: [String: Int] = [:]
        var books = 0
        /// How often it is the reading status.
        var asStatus = 0
        /// The statuses of its books, if it is a tag.
        var statuses: [ReadingStatus: Int] = [:]
        /// Books of which it is a tag and whose status is not known.
        var withoutStatus = 0

        /// The most frequent spelling.
        var name: String { RuleCounts.mostFrequent(spellings) }
    }

    /// The ratings of a format.
    struct Ratings: Sendable {
        var rated = 0
        /// Those above five that the format could not read, and the highest of them.
        var above = 0
        var highest = 0.0
        /// Words that the format could not read.
        var words: [String: Int] = [:]
    }

    package private(set) var books = 0
    /// By ``MappingRules/shelfKey(_:)``.
    private(set) var shelves: [String: Shelf] = [:]
    private(set) var ratings: [String: Ratings] = [:]
    /// The number of books of each spelling of a name, by its words in alphabetical order.
    private(set) var authors: [String: [String: Int]] = [:]

    package init() {}

    /// Counts the rows of a batch.
    package mutating func add(_ rows: LibraryRows) {
        for row in rows.rows {
            var said = Row(formatName: rows.columns.formatName)
            said.status = rows.string(.exclusiveShelf, of: row).trimming(.spacesAndNewlines)
            said.tags = ShelfList.names(in: rows.string(.shelves, of: row))
            if let column = rows.columns[.rating] {
                said.rating = rows.arena[rows.cell(column: column, of: row)].trimming(.spacesAndNewlines)
            }
            said.isRatingRead = !row.unreadable.contains(.rating)
            said.people = row.people.map { rows.arena[rows.people[$0].name] }
            add(said)
        }
    }

    /// Counts a row.
    package mutating func add(_ row: Row) {
        books += 1
        let statusKey = MappingRules.shelfKey(row.status)
        let status = ReadingStatus(row.status)
        if !statusKey.isEmpty, ReadingStatus(rawValue: row.status) == nil {
            count(row.status, statusKey) { $0.asStatus += 1 }
        }
        var seen: Set = [statusKey]
        for tag in row.tags {
            let key = MappingRules.shelfKey(tag)
            guard !key.isEmpty, seen.insert(key).inserted else { continue }
            count(tag, key) { shelf in
                if let status { shelf.statuses[status, default: 0] += 1 } else { shelf.withoutStatus += 1 }
            }
        }
        if !row.rating.isEmpty { count(rating: row) }
        for name in Set(row.people) {
            let words = MappingRules.authorKey(name).split(separator: 0x20).map {
                String(decoding: $0, as: UTF8.self)
            }
            guard !words.isEmpty else { continue }
            authors[words.sorted().joined(separator: " "), default: [:]][name, default: 0] += 1
        }
    }

    private mutating func count(_ name: String, _ key: String, _ change: (inout Shelf) -> Void) {
        var shelf = shelves[key] ?? Shelf()
        shelf.spellings[name, default: 0] += 1
        shelf.books += 1
        change(&shelf)
        shelves[key] = shelf
    }

    private mutating func count(rating row: Row) {
        var counts = ratings[row.formatName] ?? Ratings()
        var text = row.rating
        let number = text.withUTF8 { StarRating.number(UnsafeRawBufferPointer($0)) }
        if number != 0 { counts.rated += 1 }
        if !row.isRatingRead {
            if let number, number > StarRating.most {
                counts.above += 1
                counts.highest = max(counts.highest, number)
            } else if number == nil {
                counts.words[row.rating, default: 0] += 1
            }
        }
        ratings[row.formatName] = counts
    }

    /// The key with the highest count. Of several, the one with the most letters beyond ASCII, then the longest, then
    /// the first in the alphabet.
    static func mostFrequent(_ counts: [String: Int]) -> String {
        counts.max { a, b in
            let (ours, theirs) = (rank(a), rank(b))
            return ours == theirs ? a.key > b.key : ours < theirs
        }?.key ?? ""
    }

    private static func rank(_ entry: (key: String, value: Int)) -> (Int, Int, Int) {
        (entry.value, entry.key.utf8.count { $0 >= 0x80 }, entry.key.utf8.count)
    }
}
