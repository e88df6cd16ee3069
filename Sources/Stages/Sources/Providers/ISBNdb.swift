package import Books
import Pipeline
package import Services
import Syntax
package import System

extension ServiceDefinition {
    package static let isbndb = ServiceDefinition(
        name: "isbndb", title: "ISBNdb", summary: "ISBNdb, by ISBN.",
        address: "https://api2.isbndb.com", access: .requiredKey, role: .books { ISBNdb($0) },
        settings: [ServiceSetting.daily.spec, ServiceSetting.batch.spec], findsTitles: false,
        strategy: .fallback,
        make: { ISBNdbService($0.address, batch: $0.batch ?? 100, isbnsADay: $0.daily) })
}

/// ISBNdb over the network: books by ISBN. It is not searched by title, because print-on-demand reprints
/// crowd out the right book.
package struct ISBNdb: BookProvider {
    private let client: ServiceClient

    package init(_ client: ServiceClient) { self.client = client }

    package var provider: Provider { .isbndb }
    package var asksNetwork: Bool { true }

    package func answer(_ queries: BookQueries) async throws(ETLError) -> BookAnswers {
        try await ServiceQueries(queries, for: provider, asksTitles: false).answers(
            of: client, as: provider)
    }
}

/// The ISBNdb API: many ISBNs per request, each of which counts against the plan's daily quota.
package struct ISBNdbService: Service {
    private let address: ServiceEndpoint
    private let batch: Int
    package var limits: ServiceLimits

    package let name = "isbndb"
    package let version = 1
    package let decoderVersion = 2
    package var account: String { address.account }

    /// - Parameters:
    ///   - batch: ISBNs that the plan allows per request: 10, 100 or 1,000.
    ///   - isbnsADay: The plan's daily quota; nil if unknown. Then the service says when it is spent.
    package init(_ address: ServiceEndpoint, batch: Int = 100, isbnsADay: Int? = nil) {
        self.address = address
        self.batch = batch
        limits = ServiceLimits(
            rate: .init(perSecond: 1), concurrency: 1, quota: isbnsADay.map { .init(calls: $0) })
    }

    package func batchSize(of kind: ServiceKey.Kind) -> Int { batch }
    package func cost(of count: Int) -> Int { count }

    package func refusal(status: Int, text: String) -> ServiceRefusal? {
        text.contains("daily") && [403, 429].contains(status) ? .dailyBudget : nil
    }

    package func request(_ kind: ServiceKey.Kind, _ texts: [String]) -> HTTPRequest {
        let list = texts.map { "\"\($0)\"" }.joined(separator: ",")
        var fields = [HTTPRequest.Field("Content-Type", "application/json")]
        if let key = address.key { fields.append(.init("Authorization", key, isSecret: true)) }
        return address.request("/books", fields: fields, body: Array("{\"isbns\":[\(list)]}".utf8))
    }

    package func read(_ body: [UInt8], _ kind: ServiceKey.Kind, _ texts: [String]) -> ParsedResponse {
        do throws(JSONReadError) {
            let members = try JSONSlices.members(of: body)
            // The service's statistics also have a member named `books`.
            guard let data = members["data"] ?? members["books"], data.first == UInt8(ascii: "[") else {
                return .malformed
            }
            // Unknown ISBNs are missing, and books come in any order, so they are identified by their ISBNs.
            var books: [String: ResponsePart] = [:]
            var count = 0
            for json in try JSONSlices.elements(of: data) {
                let book = try ISBNdbBook(json)
                let isbns = book.isbns.map(\.isbn13).filter { books[$0] == nil }
                count += 1
                guard !isbns.isEmpty else { continue }
                let part = ResponsePart.found(json, decoded: book.packed.bytes)
                for isbn in isbns { books[isbn] = part }
            }
            // If no book has a requested ISBN, the response belongs to another query. Otherwise, extra
            // books are ignored.
            let isOther = count > 0 && !texts.contains { books[$0] != nil }
            return .answers(texts.map { books[$0] ?? (isOther ? .mismatch : .notFound) })
        } catch {
            return .malformed
        }
    }

    package func decoded(of words: [UInt8], _ kind: ServiceKey.Kind, fetchedAt: Int64) -> [UInt8]? {
        kind == .isbn ? (try? ISBNdbBook(words))?.packed.bytes ?? [] : nil
    }
}
