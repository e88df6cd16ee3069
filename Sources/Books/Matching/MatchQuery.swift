package import Bytes

/// A row's description of its book, for a lookup by title and author.
package struct MatchQuery: Sendable, Hashable {
    package var title: String
    /// The first author, in any spelling and order; empty if unknown.
    package var author: String
    /// Its further authors, at most ``otherAuthorLimit``.
    package var otherAuthors: [String] = []
    /// Year of the user's edition.
    package var year: Int32?
    /// Year of first publication of the work.
    package var firstYear: Int32?
    /// ISO 639-1.
    package var language: String?
    package var isbn: ISBN?
    /// The row's series, if they were split off its title.
    package var series: [SeriesPosition] = []

    /// Maximum number of further authors. Lists of more are those of contributors.
    package static let otherAuthorLimit = 2

    /// A value of these parts.
    package init(
        title: String, author: String, year: Int32? = nil, firstYear: Int32? = nil, language: String? = nil,
        isbn: ISBN? = nil, series: [SeriesPosition] = [], otherAuthors: [String] = []
    ) {
        self.title = title
        self.author = author
        self.otherAuthors = otherAuthors
        self.year = year
        self.firstYear = firstYear
        self.language = language
        self.isbn = isbn
        self.series = series
    }
}

extension MatchQuery {
    package init(_ description: BookDescription, in arena: Arena) {
        self.init(
            title: arena[description.title], author: arena[description.author], year: description.year,
            firstYear: description.firstYear,
            language: description.language.isEmpty ? nil : arena[description.language].lowercased(),
            isbn: description.isbn,
            series: description.series.map {
                SeriesPosition(name: arena[$0.name], number: arena[$0.number])
            },
            otherAuthors: description.otherAuthors.map { arena[$0] })
    }
}
