import Foundation

/// Models of the clients in the guide for the migration to version 2, transcribed from its Swift types.
enum MigrationGuide {
    /// Any value of JSON.
    enum AnyCodable: Codable, Equatable {
        case text(String)
        case number(Double)
        case flag(Bool)
        case list([AnyCodable])
        case object([String: AnyCodable])
        case null

        init(from decoder: any Decoder) throws {
            let value = try decoder.singleValueContainer()
            if value.decodeNil() {
                self = .null
            } else if let text = try? value.decode(String.self) {
                self = .text(text)
            } else if let flag = try? value.decode(Bool.self) {
                self = .flag(flag)
            } else if let number = try? value.decode(Double.self) {
                self = .number(number)
            } else if let list = try? value.decode([AnyCodable].self) {
                self = .list(list)
            } else {
                self = .object(try value.decode([String: AnyCodable].self))
            }
        }

        func encode(to encoder: any Encoder) throws {
            var value = encoder.singleValueContainer()
            switch self {
            case .text(let text): try value.encode(text)
            case .number(let number): try value.encode(number)
            case .flag(let flag): try value.encode(flag)
            case .list(let list): try value.encode(list)
            case .object(let object): try value.encode(object)
            case .null: try value.encodeNil()
            }
        }
    }

    struct Metadata: Codable {
        let timestamp: String
        let processingTime: Int?
        let provider: String?
        let cached: Bool?
    }

    struct APIError: Codable {
        let message: String
        let code: String?
        let details: [String: AnyCodable]?
    }

    struct ResponseEnvelope<T: Codable>: Codable {
        let data: T?
        let metadata: Metadata
        let error: APIError?
    }

    enum AuthorGender: String, Codable {
        case female = "Female"
        case male = "Male"
        case nonBinary = "Non-binary"
        case other = "Other"
        case unknown = "Unknown"
    }

    enum ReviewStatus: String, Codable { case verified, needsReview, userEdited }

    /// A client that reads answers of both versions fills what is absent.
    struct WorkDTO: Codable {
        let title: String
        let subjectTags, goodreadsWorkIDs, amazonASINs: [String]
        let isbndbQuality: Int
        let reviewStatus: ReviewStatus

        enum CodingKeys: String, CodingKey {
            case title, subjectTags, goodreadsWorkIDs, amazonASINs, isbndbQuality, reviewStatus
        }

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            title = try container.decode(String.self, forKey: .title)
            subjectTags = try container.decode([String].self, forKey: .subjectTags)
            goodreadsWorkIDs =
                try container.decodeIfPresent([String].self, forKey: .goodreadsWorkIDs) ?? []
            amazonASINs = try container.decodeIfPresent([String].self, forKey: .amazonASINs) ?? []
            isbndbQuality = try container.decodeIfPresent(Int.self, forKey: .isbndbQuality) ?? 0
            reviewStatus =
                try container.decodeIfPresent(ReviewStatus.self, forKey: .reviewStatus) ?? .needsReview
        }
    }

    struct EditionDTO: Codable {
        let isbn: String?
        let isbns: [String]
    }

    struct AuthorDTO: Codable {
        let name: String
        let gender: AuthorGender
        let culturalRegion, nationality: String?
        let birthYear: Int?
    }

    struct BookSearchResponse: Codable {
        let works: [WorkDTO]
        let editions: [EditionDTO]
        let authors: [AuthorDTO]
    }
}
