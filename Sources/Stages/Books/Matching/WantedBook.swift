import Bytes

/// What a row says of its book, for want of an ISBN that anybody knows.
struct WantedBook: Sendable, Hashable {
    var title: String
    /// The first author, in whatever spelling and order; empty where none is told.
    var author: String
    /// Year of the reader's edition.
    var year: Int32?
    /// Year in which the work first appeared.
    var firstYear: Int32?
    /// ISO 639-1.
    var language: String?
    var isbn: ISBN?
}

extension WantedBook {
    init(_ description: BookDescription, in arena: Arena) {
        self.init(
            title: arena[description.title], author: arena[description.author], year: description.year,
            firstYear: description.firstYear,
            language: description.language.isEmpty ? nil : arena[description.language].lowercased(),
            isbn: description.isbn)
    }
}
