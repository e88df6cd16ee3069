/// A book in one flat object (`BookDTO`) as Codable writes it.
struct CodableBook: Codable {
    let isbn: String
    let isbn13: String?
    let title: String
    let authors: [String]
    let publisher: String?
    let publishedDate: String?
    let description: String?
    let pageCount: Int?
    let categories: [String]
    let language: String?
    let coverUrl: String?
    let averageRating: Double?
    let ratingsCount: Int?
}
