package import Books

/// A provider's answer about a book, in short form.
package struct KnownBook: Sendable {
    package var provider: Provider
    package var record: String
    package var match: Candidate.Match
    package var values: [(Field, String)]
    /// Values of authors, one list each.
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
    /// The ISBN with these first twelve digits, including placeholder numbers that are never read from text.
    package init(twelve: Int64) {
        self.init(unchecked: twelve * 10 + Int64(ISBNCheckDigit.ofThirteen(twelve)))
    }
}
