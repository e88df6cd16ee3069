import Books
import Bytes
package import Services
import Syntax
package import System

extension ServiceDefinition {
    package static let wikidata = ServiceDefinition(
        name: "wikidata", title: "Wikidata", summary: "Wikidata, for facts about authors.",
        address: "https://www.wikidata.org", access: .contact, role: .people { WikidataDirectory($0) },
        make: { WikidataService($0.address, isIdentified: $0.isIdentified) },
        // People are found by the key of the author, or by the name if the book is not found. Each search leads
        // to the items of people, and a search by name to those of their works.
        followUps: [.authorItems: 1, .nameItems: 0.1, .item: 1.8])
}

/// The Wikidata API: items in batches of 50, items with an Open Library author key (P648) in batches of 15,
/// and names one per request.
package struct WikidataService: Service {
    private let address: ServiceEndpoint
    package var limits: ServiceLimits

    package let name = "wikidata"
    package let version = 1
    package let decoderVersion = 1
    package var account: String { address.account }

    /// - Parameter isIdentified: Whether the User-Agent has a contact. Wikimedia then allows 200 requests per
    ///   minute, otherwise 10.
    package init(_ address: ServiceEndpoint, isIdentified: Bool) {
        self.address = address
        limits = ServiceLimits(rate: .init(perSecond: isIdentified ? 3 : 1.0 / 6, burst: 2), concurrency: 2)
    }

    package func batchSize(of kind: ServiceKey.Kind) -> Int {
        switch kind {
        case .item: 50
        // A search text may have 300 characters: fifteen keys of ten digits.
        case .authorItems: 15
        default: 1
        }
    }

    package func request(_ kind: ServiceKey.Kind, _ texts: [String]) -> HTTPRequest {
        let query =
            switch kind {
            case .item:
                "action=wbgetentities&ids=\(texts.joined(separator: "%7C"))&props=labels%7Caliases%7Cclaims"
                    + "&languages=en%7Cmul&redirects=yes"
            case .authorItems:
                "action=query&list=search&srlimit=50&srsearch="
                    + URLText.escaped("haswbstatement:" + texts.map { "P648=\($0)" }.joined(separator: "|"))
            default:
                "action=wbsearchentities&language=en&type=item&limit=10&search=\(URLText.escaped(texts.first ?? ""))"
            }
        // `maxlag`: batch jobs must wait while the servers lag.
        return address.request("/w/api.php?\(query)&maxlag=5&format=json&formatversion=2")
    }

    package func read(_ body: [UInt8], _ kind: ServiceKey.Kind, _ texts: [String]) -> ParsedResponse {
        do throws(JSONReadError) {
            let members = try JSONSlices.members(of: body)
            if let error = members["error"] {
                return Self.reading(
                    ofError: JSONSlices.string(try JSONSlices.members(of: error)["code"]) ?? "")
            }
            switch kind {
            case .item:
                guard let entities = members["entities"] else { return .malformed }
                return .answers(try Self.items(try JSONSlices.members(of: entities), texts))
            case .authorItems:
                guard let query = members["query"] else { return .malformed }
                let found = try JSONSlices.members(of: query)["search"] ?? []
                // The items themselves say which author each is, so every author gets the whole list.
                return .answers(texts.map { _ in .found(found) })
            default:
                guard let found = members["search"] else { return .malformed }
                return .answers([.found(found)])
            }
        } catch {
            return .malformed
        }
    }

    /// The meaning of an API error code. Problems of the servers are temporary; all others concern the
    /// request (`no-such-entity`, `cirrussearch-query-too-long`).
    private static func reading(ofError code: String) -> ParsedResponse {
        switch code {
        case "ratelimited": .throttled(5_000)
        case "maxlag", "cirrussearch-too-busy-error": .overloaded(5_000)
        case "", "readonly", "readapidenied", "blocked", "cirrussearch-backend-error": .malformed
        default: code.hasPrefix("internal_api_error") ? .malformed : .refusedRequest
        }
    }

    /// For an item: the person, packed (``PersonFacts/decoded``). For a search: the numbers of the items
    /// found.
    package func decoded(of words: [UInt8], _ kind: ServiceKey.Kind, fetchedAt: Int64) -> [UInt8]? {
        switch kind {
        case .item:
            let person = try? words.lend { bytes throws(JSONReadError) in try WikidataEntity.person(bytes) }
            return person.flatMap { $0 }?.decoded ?? []
        case .authorItems, .nameItems:
            var items: [UInt8] = []
            for item in Self.itemNumbers(words) { Varint.append(UInt64(item), to: &items) }
            return items
        default: return nil
        }
    }

    /// The items in a search's decoded answer.
    static func items(decoded: ArraySlice<UInt8>) -> [UInt32] {
        var rest = decoded
        var items: [UInt32] = []
        while let item = Varint.take(&rest).flatMap({ UInt32(exactly: $0) }) { items.append(item) }
        return items
    }

    private static func items(
        _ entities: [String: [UInt8]], _ texts: [String]
    ) throws(JSONReadError) -> [ResponsePart] {
        var parts: [ResponsePart] = []
        for text in texts {
            if let entity = entities[text] {
                parts.append(
                    try JSONSlices.members(of: entity)["missing"] == nil ? .found(entity) : .notFound)
            } else {
                parts.append(.notFound)
            }
        }
        return parts
    }

    /// Numbers of the items that a search found, in its order.
    private static func itemNumbers(_ search: [UInt8]) -> [UInt32] {
        guard let rows = try? JSONSlices.elements(of: search) else { return [] }
        return rows.compactMap { row in
            guard let members = try? JSONSlices.members(of: row),
                let id = JSONSlices.string(members["id"] ?? members["title"]), id.hasPrefix("Q")
            else { return nil }
            return UInt32(id.dropFirst())
        }
    }
}
