package import Books
package import Syntax

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
    /// Number of the author's books in the store.
    package var bookCount: Int?

    package init(name: String) { self.name = name }

    private var birthDate: String? {
        birthYear.map { $0 < 0 ? "\($0.magnitude) BC" : String($0) }
    }
}

extension AuthorDTO: JSONWritable {
    package func write(into out: inout JSONWriter) {
        out.object { out in
            out.field("name", name)
            out.field("gender", gender)
            out.field("culturalRegion", culturalRegion)
            out.field("nationality", nationality)
            out.field("birthYear", birthYear)
            out.field("deathYear", deathYear)
            out.field("openLibraryID", openLibraryID)
            out.field("isbndbID", isbndbID)
            out.field("googleBooksID", googleBooksID)
            out.field("goodreadsID", goodreadsID)
            out.field("bookCount", bookCount)
            out.field("key", key)
            out.field("birthDate", birthDate)
        }
    }
}
