package import Books

/// Completeness of a book's record, 0–100: the contract's `isbndbQuality`.
///
/// The sum of the weights below. Only the presence of values, the agreement of providers and the kind of
/// match count, so equal records have equal scores. A record that no provider matched has 0. An assumed
/// format earns no points.
package enum QualityScore {
    /// Points per field, 75 in total.
    static let weights: [(fields: [Field], points: Int)] = [
        ([.title], 10),
        ([.description, .editionDescription], 15),
        ([.workCover, .editionCover], 15),
        ([.subject], 10),
        ([.publisher], 5),
        ([.publicationDate], 5),
        ([.pageCount], 5),
        ([.format], 5),
        ([.language], 5),
    ]
    /// Points for at least one author.
    static let authors = 10
    /// Points for a match by ISBN.
    package static let isbn = 10
    /// Points for a second and a third provider that found the record.
    static let agreement = [3, 2]

    /// The properties of a record that count.
    package struct Evidence {
        /// Fields with a value that was not assumed.
        package var fields = FieldSet()
        package var hasAuthors = false
        package var matchedByISBN = false
        /// Number of different providers that found the record.
        package var providers = 0

        package init(
            fields: FieldSet = FieldSet(), hasAuthors: Bool = false, matchedByISBN: Bool = false,
            providers: Int = 0
        ) {
            self.fields = fields
            self.hasAuthors = hasAuthors
            self.matchedByISBN = matchedByISBN
            self.providers = providers
        }
    }

    package static func score(_ evidence: Evidence) -> UInt8 {
        guard evidence.providers > 0 else { return 0 }
        var points = 0
        for (fields, worth) in weights where fields.contains(where: evidence.fields.contains) {
            points += worth
        }
        if evidence.hasAuthors { points += authors }
        if evidence.matchedByISBN { points += isbn }
        points += agreement.prefix(evidence.providers - 1).reduce(0, +)
        return UInt8(min(points, 100))
    }
}
