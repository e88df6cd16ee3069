package import Books

/// What a provider says of a book, in short.
package struct KnownBook: Sendable {
    package var provider: Provider
    package var record: String
    package var match: Candidate.Match
    package var values: [(Field, String)]
    /// Values of authors, a list each.
    package var authors: [[(Field, String)]]

    package init(
        _ provider: Provider, _ record: String, match: Candidate.Match = .isbn, _ values: [(Field, String)],
        authors: [[(Field, String)]] = []
    ) {
        self.provider = provider
        self.record = record
        self.match = match
        self.values = values
        self.authors = authors
    }
}

extension ISBN {
    /// The ISBN whose first twelve digits are these; fillers, which no text is read as, among them.
    package init(twelve: Int64) {
        self.init(unchecked: twelve * 10 + Int64(ISBNCheckDigit.ofThirteen(twelve)))
    }
}
