import Books

/// Figures of a library: what was read, when, and by whom it was written. `etl stats` and `etl report` show the
/// same figures.
///
/// A book counts as read if its shelf says so, if it was read at least once, or if it has a reading date and was
/// not abandoned. Every reading counts in the year
/// in which it ended.
package struct LibraryStatistics: Sendable, Hashable {
    /// Books with something in common. An empty name means that it is not known.
    package struct Group: Sendable, Hashable {
        package var name: String
        package var books: Int
        package var read: Int
        /// The mean of the reader's ratings; nil if there are none.
        package var rating: Double?
    }

    /// The readings that ended in a year.
    package struct Year: Sendable, Hashable {
        package var year: Int
        package var books: Int
        package var pages: Int
        /// Books whose number of pages is not known.
        package var withoutPages: Int
        package var rating: Double?
    }

    /// Books with the same rating.
    package struct Stars: Sendable, Hashable {
        package var stars: Double
        package var books: Int
    }

    /// A book, with what a list says about it.
    package struct Book: Sendable, Hashable {
        package var title: String
        package var author: String
        package var rating: Double?
        package var averageRating: Double?
        /// How often it was read.
        package var times: Int?
        /// `YYYY-MM-DD`, `YYYY-MM` or `YYYY`.
        package var dateAdded: String?
        /// Days since it was added.
        package var days: Int?
    }

    /// A series of which numbers are missing between the first and the last one that the library has.
    package struct Series: Sendable, Hashable {
        package var name: String
        package var have: [Int]
        package var missing: [Int]
    }

    /// The library; nil for all.
    package var library: String?
    package var books = 0
    package var works = 0
    package var authors = 0
    package var read = 0
    package var pages = 0
    /// Books by reading status or shelf of the reader's own.
    package var statuses: [Group] = []
    package var years: [Year] = []
    /// Books that were read, without a date.
    package var readWithoutDate = 0
    package var ratings: [Stars] = []
    package var rating: Double?
    /// Books rated by the reader and by the public, and the means of both.
    package var compared = 0
    package var comparedRating: Double?
    package var comparedAverage: Double?
    /// Books that the reader likes much more than others do, and much less.
    package var above: [Book] = []
    package var below: [Book] = []
    package var genres: [Group] = []
    package var languages: [Group] = []
    /// By the decade of the first publication.
    package var decades: [Group] = []
    package var topAuthors: [Group] = []
    /// By the first author.
    package var genders: [Group] = []
    package var regions: [Group] = []
    package var nationalities: [Group] = []
    /// Series with gaps.
    package var series: [Series] = []
    package var rereads: [Book] = []
    /// Books that wait longest to be read.
    package var waits: [Book] = []
}

/// Finds the numbers that are missing in series.
struct SeriesGaps {
    /// Series with higher numbers are not looked at: they are magazines, or the number is a year.
    private static let most = 200

    private var names: [String: String] = [:]
    private var numbers: [String: Set<Int>] = [:]

    /// Notes the series of a book.
    mutating func note(_ series: [StoredSeries]) {
        for one in series {
            guard let number = one.number.flatMap({ Double($0) }).flatMap({ Int(exactly: $0) }),
                (1...Self.most).contains(number)
            else { continue }
            let key = one.name.lowercased()
            if names[key] == nil { names[key] = one.name }
            numbers[key, default: []].insert(number)
        }
    }

    /// Series of which something is missing, those with most books first.
    func found(_ most: Int) -> [LibraryStatistics.Series] {
        let all = numbers.compactMap { key, numbers -> LibraryStatistics.Series? in
            let have = numbers.sorted()
            guard let last = have.last else { return nil }
            let missing = (1...last).filter { !numbers.contains($0) }
            return missing.isEmpty ? nil : .init(name: names[key] ?? key, have: have, missing: missing)
        }
        return Array(all.sorted { ($1.have.count, $0.name) < ($0.have.count, $1.name) }.prefix(most))
    }
}
