import Books

/// A book that a search found: a work, one of its editions where one is known, and who made it.
package struct FoundBook: Sendable {
    package var work: WorkDTO
    package var edition: EditionDTO?
    package var authors: [AuthorDTO]
    /// How well it fits; comparable between store and catalogs.
    package var score: Double
    /// The title that it was found by, where that is not the work's: an edition's, or one in a reader's row.
    package var foundTitle: String?
    /// Whether it is in the results store.
    package var isInStore: Bool
    /// Mean of all readers' ratings and how many there are, where the store has them.
    package var averageRating: Double?
    package var ratingsCount: Int?

    /// The flat projection.
    var flat: BookDTO {
        let nothing = EditionDTO(id: "", format: .paperback, isbndbQuality: 0)
        return BookDTO(
            work: work, edition: edition ?? nothing, authors: authors, averageRating: averageRating,
            ratingsCount: ratingsCount)
    }

    /// The keys of works of catalogs that it is, where its own record names none.
    var catalogKeys: [String] = []

    /// What tells it from other books: the same book of store and catalog shares one of them.
    var identities: [String] {
        [work.id, work.openLibraryID.map { "ol:\($0)" }, edition?.isbn.map { "isbn:\($0)" }].compactMap(
            \.self) + catalogKeys
    }
}
