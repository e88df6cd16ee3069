/// An Open Library edition as Codable reads it: the fields that our own reader takes.
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
    let number_of_pages: Int?
    let isbn_10: [String]?
    let isbn_13: [String]?
    let physical_format: String?
    let publish_date: String?
    let covers: [Int]?
    let languages: [Key]?
    let identifiers: [String: [String]]?
    let authors: [Key]?
    let works: [Key]?
    let subjects: [String]?
}
