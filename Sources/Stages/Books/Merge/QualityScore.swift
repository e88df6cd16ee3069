/// How complete a book's record is, 0–100: the contract's `isbndbQuality`.
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
    static let isbn = 10
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

/// A set of fields in two machine words.
package struct FieldSet: Equatable {
    private(set) var low: UInt64 = 0
    private(set) var high: UInt64 = 0

    func contains(_ field: Field) -> Bool {
        let raw = field.rawValue
        return (raw < 64 ? low >> raw : high >> (raw & 63)) & 1 == 1
    }

    package mutating func insert(_ field: Field) {
        let raw = field.rawValue
        if raw < 64 { low |= 1 << raw } else { high |= 1 << (raw & 63) }
    }

    mutating func remove(_ field: Field) {
        let raw = field.rawValue
        if raw < 64 { low &= ~(1 << raw) } else { high &= ~(1 << (raw & 63)) }
    }

    /// Removes and returns the field with the smallest raw value.
    mutating func popFirst() -> Field? {
        var raw = low.trailingZeroBitCount
        if raw < 64 {
            low &= low &- 1
        } else {
            guard high != 0 else { return nil }
            raw = 64 + high.trailingZeroBitCount
            high &= high &- 1
        }
        return Field(rawValue: UInt8(raw))
    }
}
