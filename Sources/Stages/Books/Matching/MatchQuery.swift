import Bytes

/// What a row says about its book, for a lookup by title and author.
struct MatchQuery: Sendable, Hashable {
    var title: String
    /// The first author, in any spelling and order; empty if unknown.
    var author: String
    /// Year of the user's edition.
    var year: Int32?
    /// Year of first publication of the work.
    var firstYear: Int32?
    /// ISO 639-1.
    var language: String?
    var isbn: ISBN?
    /// The row's series, if they were split off its title.
    var series: [SeriesPosition] = []
}

extension MatchQuery {
    init(_ description: BookDescription, in arena: Arena) {
        self.init(
            title: arena[description.title], author: arena[description.author], year: description.year,
            firstYear: description.firstYear,
            language: description.language.isEmpty ? nil : arena[description.language].lowercased(),
            isbn: description.isbn,
            series: description.series.map {
                SeriesPosition(name: arena[$0.name], number: arena[$0.number])
            })
    }
}
