import Bytes
package import Pipeline
package import Services
import Syntax

extension ServiceDefinition {
    /// Wikidata.
    package static let wikidata = ServiceDefinition(
        name: "wikidata", title: "Wikidata", summary: "Wikidata, for what is known of authors.",
        address: "https://www.wikidata.org", access: .contact, role: .people { WikidataDirectory($0) },
        make: { WikidataService($0.address, isIdentified: $0.isIdentified) },
        calls: { questions, service in
            // Authors with a key of Open Library are asked for by it, many at once. Any of them may be unknown: a search
            // by name follows, and up to ten people of that name with twenty works each are looked at, fifty at once.
            let byKey =
                questions.hasAuthorKeys
                ? ExpectedQuestions.requests(questions.authors, by: service.batchSize(of: .authorItems)) : 0
            let items = ExpectedQuestions.requests(210 * questions.authors, by: service.batchSize(of: .item))
            return 0...byKey + questions.authors + items
        })
}

/// How Wikidata is asked (providers.md section 4): items in fifties, the items that name an author of Open Library
/// (P648) in batches, and names one by one.
package struct WikidataService: Service {
    private let address: ServiceEndpoint
    package var terms: ServiceLimits

    package let name = "wikidata"
    package let version = 1
    package let decoderVersion = 1
    package var account: String { address.account }

    /// - Parameter isIdentified: Whether the User-Agent names a contact: then Wikimedia grants 200 requests a minute,
    ///   else 10.
    package init(_ address: ServiceEndpoint, isIdentified: Bool) {
        self.address = address
        terms = ServiceLimits(rate: .init(perSecond: isIdentified ? 3 : 1.0 / 6, burst: 2), concurrency: 2)
    }

    package func batchSize(of kind: ServiceKey.Kind) -> Int {
        switch kind {
        case .item: 50
        // What is searched for may have 300 characters: fifteen keys of ten digits.
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
        // Batch jobs stand back while the servers lag.
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
                // Which item names which author is told by the items: each author gets the whole list.
                return .answers(texts.map { _ in .found(found) })
            default:
                guard let found = members["search"] else { return .malformed }
                return .answers([.found(found)])
            }
        } catch {
            return .malformed
        }
    }

    /// What an error of the API means, by its code: its servers' own trouble passes, all others are about the request
    /// (`no-such-entity`, `cirrussearch-query-too-long`).
    private static func reading(ofError code: String) -> ParsedResponse {
        switch code {
        case "maxlag", "ratelimited", "cirrussearch-too-busy-error": .throttled(5_000)
        case "", "readonly", "readapidenied", "blocked", "cirrussearch-backend-error": .malformed
        default: code.hasPrefix("internal_api_error") ? .malformed : .refusedRequest
        }
    }

    /// Of an item the person that it is, packed (``PersonFacts/decoded``); of a search the items that it found.
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

    /// The items of a search's gist.
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

    /// The items that a search found: numbers, in its order.
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
