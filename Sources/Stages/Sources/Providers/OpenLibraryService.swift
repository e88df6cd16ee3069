import Books
package import Services
import Syntax
package import System

extension ServiceDefinition {
    package static let openLibrary = ServiceDefinition(
        name: "openlibrary", title: "Open Library", summary: "Open Library, by ISBN, key, title and author.",
        address: "https://openlibrary.org", access: .contact, role: .books { OpenLibrary($0) },
        isInCatalogs: true, make: { OpenLibraryService($0.address, isIdentified: $0.isIdentified) },
        // A work for each title, a record for each author, and a search for each book that no ISBN finds.
        followUps: [.work: 0.9, .author: 1, .title: 0.1])
}

extension ServiceKey.Kind {
    /// A title and an author as for `title`, for a person who sees the works found and an edition of each.
    ///
    /// It is a kind of its own because Open Library leaves out works without an edition of that title if editions are
    /// requested. A work that is matched with a row needs none.
    static let shownTitle = Self("shownTitle", urgency: 0, lifetime: 86_400_000)
}

/// The Open Library API: editions by ISBN, many per request, as raw records; then works and authors, one per
/// request.
package struct OpenLibraryService: Service {
    private let address: ServiceEndpoint
    package var limits: ServiceLimits

    package let name = "openlibrary"
    package let version = 1
    package let decoderVersion = 2
    package var account: String { address.account }

    /// - Parameter isIdentified: Whether the User-Agent has a contact. Open Library then allows three
    ///   requests per second, otherwise one.
    package init(_ address: ServiceEndpoint, isIdentified: Bool) {
        self.address = address
        limits = ServiceLimits(
            rate: .init(perSecond: isIdentified ? 3 : 1, burst: isIdentified ? 5 : 1), concurrency: 3,
            // The public site bans clients that get one 429 after another.
            throttlePause: address.isUserConfigured ? 1_000_000 : 60_000_000)
    }

    package func batchSize(of kind: ServiceKey.Kind) -> Int { kind == .isbn ? 50 : 1 }

    package func hasRecordAddresses(of kind: ServiceKey.Kind) -> Bool { kind == .work || kind == .author }

    package func request(_ kind: ServiceKey.Kind, _ texts: [String]) -> HTTPRequest {
        let text = texts.first ?? ""
        switch kind {
        case .isbn:
            let keys = texts.map { "ISBN:\($0)" }.joined(separator: ",")
            return address.request("/api/books.json?bibkeys=\(keys)&jscmd=details")
        case .work: return address.request("/works/\(text).json")
        case .author: return address.request("/authors/\(text).json")
        default:
            let parts = text.split(separator: "\t", omittingEmptySubsequences: false)
            let words = zip(["title", "author"], parts).filter { !$1.isEmpty }
                .map { "\($0)=\(URLText.escaped($1))&" }.joined()
            var fields =
                "key,title,subtitle,author_name,author_alternative_name,edition_count,first_publish_year,author_key,cover_i"
            if kind == .shownTitle {
                fields += ",subject,editions"
                for member in OpenLibraryDocEdition.members { fields += ",editions.\(member)" }
            }
            return address.request("/search.json?\(words)fields=\(fields)&limit=20")
        }
    }

    package func read(_ body: [UInt8], _ kind: ServiceKey.Kind, _ texts: [String]) -> ParsedResponse {
        do throws(JSONReadError) {
            switch kind {
            case .isbn: return .answers(try OpenLibraryEditions.read(body, bearing: texts))
            case .work, .author:
                let members = try JSONSlices.members(of: body)
                return .answers([Self.record(body, members, named: texts.first ?? "")])
            default:
                return try JSONSlices.members(of: body)["docs"] == nil ? .malformed : .answers([.found(body)])
            }
        } catch {
            return .malformed
        }
    }

    package func decoded(of words: [UInt8], _ kind: ServiceKey.Kind, fetchedAt: Int64) -> [UInt8]? {
        var records = OpenLibraryRecords(fetchedAt: fetchedAt)
        switch kind {
        case .isbn: return records.edition(words)?.packed ?? []
        case .work: return records.record(words, .work)?.packed ?? []
        case .author: return records.record(words, .author)?.packed ?? []
        default: return nil
        }
    }

    /// The part for a record with the requested key. A deleted record is not found.
    private static func record(_ body: [UInt8], _ members: [String: [UInt8]], named name: String)
        -> ResponsePart
    {
        guard let key = JSONSlices.string(members["key"]), key.hasSuffix("/\(name)") else { return .mismatch }
        let type =
            (try? members["type"].map { type throws(JSONReadError) in try JSONSlices.members(of: type) })
            ?? nil
        return JSONSlices.string(type?["key"]) == "/type/delete" ? .notFound : .found(body)
    }
}
