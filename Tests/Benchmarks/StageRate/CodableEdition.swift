/// An Open Library edition as Codable reads it, with the fields that etl reads.
struct CodableEdition: Decodable {
    struct Answer: Decodable {
        let details: CodableEdition
    }
    struct Key: Decodable {
        let key: String
    }

    let key: String
    let title: String
    let subtitle: String?
    let publishers: [String]?
    let pages: Int?
    let isbn10: [String]?
    let isbn13: [String]?
    let format: String?
    let published: String?
    let covers: [Int]?
    let languages: [Key]?
    let identifiers: [String: [String]]?
    let authors: [Key]?
    let works: [Key]?
    let subjects: [String]?

    private enum CodingKeys: String, CodingKey {
        case key, title, subtitle, publishers, covers, languages, identifiers, authors, works, subjects
        case pages = "number_of_pages"
        case isbn10 = "isbn_10"
        case isbn13 = "isbn_13"
        case format = "physical_format"
        case published = "publish_date"
    }
}
