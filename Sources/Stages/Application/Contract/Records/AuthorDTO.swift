package import Books
package import Syntax

/// An author as clients read it: API contract v2.1 section 5.3 with the fields of plan v3.2 appendix C.
package struct AuthorDTO: Sendable, Hashable {
    package var name: String
    /// The public key; written as `key`.
    package var key: String?
    package var gender: AuthorGender = .unknown
    package var culturalRegion: CulturalRegion?
    /// Name of the country: `Nigeria`.
    package var nationality: String?
    /// Years; negative before our era. The year of birth is written as text in `birthDate` too.
    package var birthYear: Int?
    package var deathYear: Int?
    package var openLibraryID: String?
    package var isbndbID: String?
    package var googleBooksID: String?
    package var goodreadsID: String?
    /// Books of this author in the store.
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
