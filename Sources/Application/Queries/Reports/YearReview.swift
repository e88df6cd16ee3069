import Contract
package import Syntax

/// A year of a reader: what was read, and when. Shown by `etl stats --year`.
///
/// Readings count in the year in which they ended. A book in several entries has the readings of the entry with the most.
package struct YearReview: Sendable, Hashable {
    /// A reading that ended in the year.
    package struct Reading: Sendable, Hashable {
        package var title: String
        package var author: String
        /// `2026-05-03`, `2026-05` or `2026`.
        package var day: String
        package var pages: Int?
        /// The user's stars.
        package var rating: Double?
        package var language: String?
        /// Nationality of the first author.
        package var nationality: String?
        package var genres: [String] = []
        package var cover: String?

        /// The month, from 0; nil if only the year is known.
        var month: Int? {
            guard day.utf8.count >= 7, let month = Int(day.dropFirst(5).prefix(2)) else { return nil }
            return (1...12).contains(month) ? month - 1 : nil
        }
        var hasDay: Bool { day.utf8.count == 10 }
    }

    package let year: Int
    /// The library; nil for all.
    package var library: String?
    /// In the order in which they ended.
    package var readings: [Reading] = []
    /// First authors of whom nothing was read before.
    package var newAuthors: [String] = []
    /// Number of readings of the year before.
    package var before = 0
    /// The years that have readings, ascending.
    package var years: [Int] = []

    init(_ year: Int, library: String?) { (self.year, self.library) = (year, library) }

    // MARK: Figures

    package var pages: Int { readings.reduce(0) { $0 + ($1.pages ?? 0) } }
    /// Readings of books whose number of pages is not known.
    package var withoutPages: Int { readings.count { $0.pages == nil } }

    /// The mean of the user's ratings; nil if there are none.
    package var rating: Double? {
        let stars = readings.compactMap(\.rating)
        return stars.isEmpty ? nil : stars.reduce(0, +) / Double(stars.count)
    }

    /// Readings and pages of the twelve months. Readings of which only the year is known are in none.
    package var months: [(books: Int, pages: Int)] {
        var months = [(books: Int, pages: Int)](repeating: (0, 0), count: 12)
        for reading in readings {
            guard let month = reading.month else { continue }
            months[month].books += 1
            months[month].pages += reading.pages ?? 0
        }
        return months
    }

    /// The longest run of months with a reading, as the first month and its length; nil if it is shorter than two.
    package var streak: (first: Int, length: Int)? {
        var longest = (first: 0, length: 0)
        var start = 0
        for (month, count) in months.enumerated() {
            if count.books == 0 {
                start = month + 1
            } else if month + 1 - start > longest.length {
                longest = (start, month + 1 - start)
            }
        }
        return longest.length > 1 ? longest : nil
    }

    package var longest: Reading? {
        readings.filter { $0.pages != nil }.max { ($0.pages ?? 0) < ($1.pages ?? 0) }
    }
    package var shortest: Reading? {
        readings.filter { $0.pages != nil }.min { ($0.pages ?? 0) < ($1.pages ?? 0) }
    }
    /// The first and the last reading of those whose day is known.
    package var first: Reading? { readings.first(where: \.hasDay) }
    package var last: Reading? { readings.last(where: \.hasDay) }

    /// The readings with the most stars, if these are four or more.
    package var best: [Reading] {
        guard let most = readings.compactMap(\.rating).max(), most >= 4 else { return [] }
        return readings.filter { $0.rating == most }
    }

    package var genres: [(name: String, count: Int)] { Self.counts(readings.map(\.genres)) }
    package var languages: [(name: String, count: Int)] { Self.counts(readings.map { [$0.language ?? ""] }) }
    package var nationalities: [(name: String, count: Int)] {
        Self.counts(readings.map { [$0.nationality ?? ""] })
    }

    /// Known names and their numbers, the most frequent first.
    private static func counts(_ lists: [[String]]) -> [(name: String, count: Int)] {
        var counts: [String: Int] = [:]
        for name in lists.joined() where !name.isEmpty { counts[name, default: 0] += 1 }
        return counts.map { (name: $0.key, count: $0.value) }.sorted {
            ($1.count, $0.name) < ($0.count, $1.name)
        }
    }
}

/// The output of `etl stats --year --json`.
extension YearReview: JSONObject {
    package func writeFields(into out: inout JSONWriter) {
        out.field("year", year)
        out.field("library", library)
        out.field("books", readings.count)
        out.field("booksBefore", before)
        out.field("pages", pages)
        out.field("withoutPages", withoutPages)
        out.field("rating", rating)
        out.field("months", months) { month, out in
            out.field("books", month.books)
            out.field("pages", month.pages)
        }
        out.field("streak", streak?.length)
        out.field("newAuthors", newAuthors)
        out.field("genres", genres, Self.write)
        out.field("languages", languages, Self.write)
        out.field("nationalities", nationalities, Self.write)
        out.field("readings", readings)
    }

    private static func write(_ group: (name: String, count: Int), into out: inout JSONWriter) {
        out.field("name", group.name)
        out.field("books", group.count)
    }
}

extension YearReview.Reading: JSONObject {
    package func writeFields(into out: inout JSONWriter) {
        out.field("title", title)
        out.field("author", author.isEmpty ? nil : author)
        out.field("day", day)
        out.field("pages", pages)
        out.field("rating", rating)
        out.field("language", language)
        out.field("nationality", nationality)
    }
}
