import Contract
package import Syntax

/// Figures of a library: books read, dates, and authors. `etl stats` and `etl report` show the same figures.
///
/// A book counts as read if its shelf is `read`, if it was read at least once, or if it has a reading date and was
/// not abandoned. Every reading counts in the year in which it ended. A book that a library has in several entries counts
/// once (``RepeatedEntries``).
package struct LibraryStatistics: Sendable, Hashable {
    /// Books with something in common. An empty name means that it is not known.
    package struct Group: Sendable, Hashable {
        package var name: String
        package var books: Int
        package var read: Int
        /// The mean of the user's ratings; nil if there are none.
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

    /// A book, with its figures in a list.
    package struct Book: Sendable, Hashable {
        package var title: String
        package var author: String
        package var rating: Double?
        package var averageRating: Double?
        /// Number of times that it was read.
        package var times: Int?
        /// `YYYY-MM-DD`, `YYYY-MM` or `YYYY`.
        package var dateAdded: String?
        /// Days since it was added.
        package var days: Int?
    }

    /// A series with numbers missing between the library's first and last one.
    package struct Series: Sendable, Hashable {
        package var name: String
        package var have: [Int]
        package var missing: [Int]
    }

    /// The library; nil for all.
    package var library: String?
    package var books = 0
    /// Entries of these books: more than ``books`` if some come from two programs, in two editions, or as copies.
    package var entries = 0
    package var works = 0
    package var authors = 0
    package var read = 0
    package var pages = 0
    /// Books by reading status or shelf of the user's own.
    package var statuses: [Group] = []
    package var years: [Year] = []
    /// Books that were read, without a date.
    package var readWithoutDate = 0
    package var ratings: [Stars] = []
    package var rating: Double?
    /// Books rated by the user and by the public, and the means of both.
    package var compared = 0
    package var comparedRating: Double?
    package var comparedAverage: Double?
    /// Books that the user likes much more than others do, and much less.
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

/// The output of `etl stats --json`.
extension LibraryStatistics: JSONObject {
    package func writeFields(into out: inout JSONWriter) {
        out.field("library", library)
        out.field("books", books)
        out.field("entries", entries)
        out.field("works", works)
        out.field("authors", authors)
        out.field("read", read)
        out.field("pages", pages)
        out.field("rating", rating)
        out.field("statuses", statuses)
        out.field("years", years)
        out.field("readWithoutDate", readWithoutDate)
        out.field("ratings", ratings)
        out.field("comparison") { out in
            out.field("books", compared)
            out.field("rating", comparedRating)
            out.field("averageRating", comparedAverage)
            out.field("above", above)
            out.field("below", below)
        }
        out.field("genres", genres)
        out.field("languages", languages)
        out.field("decades", decades)
        out.field("topAuthors", topAuthors)
        out.field("genders", genders)
        out.field("regions", regions)
        out.field("nationalities", nationalities)
        out.field("series", series)
        out.field("rereads", rereads)
        out.field("waits", waits)
    }
}

extension LibraryStatistics.Group: JSONObject {
    /// Unknown values have the name null.
    package func writeFields(into out: inout JSONWriter) {
        out.key("name")
        if name.isEmpty { out.null() } else { out.string(name) }
        out.field("books", books)
        out.field("read", read)
        out.field("rating", rating)
    }
}

extension LibraryStatistics.Year: JSONObject {
    package func writeFields(into out: inout JSONWriter) {
        out.field("year", year)
        out.field("books", books)
        out.field("pages", pages)
        out.field("withoutPages", withoutPages)
        out.field("rating", rating)
    }
}

extension LibraryStatistics.Stars: JSONObject {
    package func writeFields(into out: inout JSONWriter) {
        out.field("stars", stars)
        out.field("books", books)
    }
}

extension LibraryStatistics.Book: JSONObject {
    package func writeFields(into out: inout JSONWriter) {
        out.field("title", title)
        out.field("author", author.isEmpty ? nil : author)
        out.field("rating", rating)
        out.field("averageRating", averageRating)
        out.field("times", times)
        out.field("dateAdded", dateAdded)
        out.field("days", days)
    }
}

extension LibraryStatistics.Series: JSONObject {
    package func writeFields(into out: inout JSONWriter) {
        out.field("name", name)
        out.field("have", have)
        out.field("missing", missing)
    }
}
