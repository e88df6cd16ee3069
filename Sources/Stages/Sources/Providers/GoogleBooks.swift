package import Books
import Pipeline
package import Services
import Syntax
package import System

extension ServiceDefinition {
    package static let googleBooks = ServiceDefinition(
        name: "google-books", title: "Google Books", summary: "Google Books, by ISBN, title and author.",
        address: "https://www.googleapis.com/books/v1", access: .optionalKey,
        role: .books { GoogleBooks($0) }, settings: [ServiceSetting.daily.spec],
        strategy: .fallback,
        make: { GoogleBooksService($0.address, callsADay: $0.daily ?? 1_000) },
        // A search for each book that no ISBN finds.
        followUps: [.title: 0.1])
}

/// Google Books over the network: volumes by ISBN, or by title and author.
package struct GoogleBooks: BookProvider {
    private let client: ServiceClient

    package init(_ client: ServiceClient) { self.client = client }

    package var provider: Provider { .googleBooks }
    package var asksNetwork: Bool { true }

    package func answer(_ queries: BookQueries) async throws(ETLError) -> BookAnswers {
        try await ServiceQueries(queries, for: provider, asksTitles: true).answers(
            of: client, as: provider, searching: { GoogleVolume.volumes(in: Array($0)) },
            packing: { (try? GoogleVolume($0))?.packed })
    }

    package func search(title: String, author: String) async throws(ETLError) -> ProviderFindings {
        try await ServiceQueries.search(client, title: title, author: author, isSynthetic: true) {
            GoogleVolume.volumes(in: Array($0)).compactMap { (try? GoogleVolume($0.json))?.packed }
        }
    }
}

/// The Google Books API: one book per request, by ISBN or by title and author. Responses to an ISBN are
/// checked against it, because Google also sends other books. Several volumes with it are editions of one work.
package struct GoogleBooksService: Service {
    private let address: ServiceEndpoint
    package var limits: ServiceLimits

    package let name = "google-books"
    package let version = 2
    package let decoderVersion = 2
    package var account: String { address.account }

    /// - Parameter callsADay: The project's daily quota; 1,000 unless Google granted more.
    package init(_ address: ServiceEndpoint, callsADay: Int = 1_000) {
        self.address = address
        limits = ServiceLimits(
            rate: .init(perSecond: 2, burst: 4), concurrency: 2,
            // The quota resets at midnight Pacific Standard Time. In summer our day starts an hour late.
            quota: .init(calls: callsADay, dayBegins: 8 * 3_600_000_000))
    }

    package func batchSize(of kind: ServiceKey.Kind) -> Int { 1 }

    package func request(_ kind: ServiceKey.Kind, _ texts: [String]) -> HTTPRequest {
        let text = texts.first ?? ""
        let query: String
        if kind == .isbn {
            query = "isbn:\(text)"
        } else {
            let parts = text.split(separator: "\t", omittingEmptySubsequences: false)
            query = zip(["intitle", "inauthor"], parts).filter { !$1.isEmpty }.map { "\($0):\"\($1)\"" }
                .joined(separator: " ")
        }
        // An ISBN has few volumes; a search shows up to 20 books. Without a country, Google rejects requests from data centers.
        let most = kind == .isbn ? 10 : 20
        let path = "/volumes?q=\(URLText.escaped(query))&maxResults=\(most)&printType=books&country=US"
        return address.request(
            path, fields: address.key.map { [.init("X-Goog-Api-Key", $0, isSecret: true)] } ?? [])
    }

    /// A wrong key has status 400: `API key not valid`, `API_KEY_INVALID`, `keyInvalid`. A spent quota is
    /// called `dailyLimitExceeded` or `defaultPerDayPerProject`.
    package func refusal(status: Int, text: String) -> ServiceRefusal? {
        func has(_ words: String...) -> Bool { words.contains { text.contains($0) } }
        return switch status {
        case 400 where has("api key", "api_key", "keyinvalid"): .credentials
        case 403 where has("perday", "per day", "daily"): .dailyBudget
        case 429 where has("perday", "per day", "daily"): .dailyBudget
        default: nil
        }
    }

    package func read(_ body: [UInt8], _ kind: ServiceKey.Kind, _ texts: [String]) -> ParsedResponse {
        let text = texts.first ?? ""
        do throws(JSONReadError) {
            let members = try JSONSlices.members(of: body)
            guard let items = members["items"] else {
                // A search without hits has a count but no items.
                return members["totalItems"] == nil ? .malformed : .answers([.notFound])
            }
            // Choosing the right one needs more than the title, so keep all of them.
            if kind == .title { return .answers([.found(items)]) }
            var volumes: [(volume: GoogleVolume, json: [UInt8])] = []
            var isOther = false
            for json in try JSONSlices.elements(of: items) {
                let volume = try GoogleVolume(json)
                guard !volume.id.isEmpty, !volume.title.isEmpty,
                    volume.isbns.contains(where: { $0.isbn13 == text })
                else {
                    isOther = isOther || !volume.isbns.isEmpty
                    continue
                }
                volumes.append((volume, json))
            }
            volumes.sort { Self.precedes($0.volume, $1.volume) }
            if let best = volumes.first {
                let decoded = GoogleVolume.packed(volumes.map(\.volume))
                return .answers([
                    .found(volumes.count == 1 ? best.json : Self.list(volumes), decoded: decoded)
                ])
            }
            return .answers([isOther ? .mismatch : .notFound])
        } catch {
            return .malformed
        }
    }

    package func decoded(of words: [UInt8], _ kind: ServiceKey.Kind, fetchedAt: Int64) -> [UInt8]? {
        guard kind == .isbn else { return nil }
        // One volume, or an array of several.
        guard words.first == UInt8(ascii: "["), let parts = try? JSONSlices.elements(of: words) else {
            return (try? GoogleVolume(words))?.packed.bytes ?? []
        }
        return GoogleVolume.packed(parts.compactMap { try? GoogleVolume($0) })
    }

    private static func list(_ volumes: [(volume: GoogleVolume, json: [UInt8])]) -> [UInt8] {
        var list = [UInt8(ascii: "[")]
        for (number, volume) in volumes.enumerated() {
            if number > 0 { list.append(UInt8(ascii: ",")) }
            list += volume.json
        }
        return list + [UInt8(ascii: "]")]
    }

    /// Prefers the more complete volume, then the lower id, so the order of the response does not matter.
    private static func precedes(_ a: GoogleVolume, _ b: GoogleVolume) -> Bool {
        a.completeness != b.completeness ? a.completeness > b.completeness : a.id < b.id
    }
}
