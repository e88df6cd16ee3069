package import Books

/// An author as clients read it (`docs/contract.md`).
package struct AuthorDTO: Sendable, Hashable {
    package var name: String
    /// The public key; written as `key`.
    package var key: String?
    package var gender: AuthorGender = .unknown
    package var culturalRegion: CulturalRegion?
    /// Name of the country: `Nigeria`.
    package var nationality: String?
    /// Years; negative before the common era. The year of birth is also written as text, as `birthDate`.
    package var birthYear: Int?
    package var deathYear: Int?
    package var openLibraryID: String?
    package var isbndbID: String?
    package var googleBooksID: String?
    package var goodreadsID: String?
    /// The item in Wikidata that the provider's record names, `Q42`. Not part of the contract: the person is not
    /// identified by it alone.
    package var wikidataID: String?
    /// Number of the author's books in the store.
    package var bookCount: Int?

    package init(name: String) { self.name = name }

    private var birthDate: String? {
        birthYear.map { $0 < 0 ? "\($0.magnitude) BC" : String($0) }
    }
}

extension AuthorDTO: ContractRecord {
    package static var example: AuthorDTO { AuthorDTO(name: "") }
    package static var schemaName: String? { "Author" }

    package func fields(into table: inout some FieldTable) {
        table.field("name", name)
        table.field("gender", gender)
        table.field("culturalRegion", culturalRegion)
        table.field("nationality", nationality)
        table.field("birthYear", birthYear)
        table.field("deathYear", deathYear)
        table.field("openLibraryID", openLibraryID)
        table.field("isbndbID", isbndbID)
        table.field("googleBooksID", googleBooksID)
        table.field("goodreadsID", goodreadsID)
        table.field("bookCount", bookCount)
        table.field("key", key)
        table.field("birthDate", birthDate)
    }
}
