/// What a row says of its book, for want of an ISBN that anybody knows.
struct WantedBook: Sendable, Hashable {
    var title: String
    /// The first author, in whatever spelling and order.
    var author: String
    /// Year of the reader's edition.
    var year: Int32?
    /// Year in which the work first appeared.
    var firstYear: Int32?
    /// ISO 639-1.
    var language: String?
    var publisher: String?
    var isbn: ISBN?
}
