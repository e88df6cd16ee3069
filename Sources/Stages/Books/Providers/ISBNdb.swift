package import Pipeline
package import Services
import Syntax

extension ServiceDefinition {
    /// ISBNdb.
    package static let isbndb = ServiceDefinition(
        name: "isbndb", title: "ISBNdb", summary: "ISBNdb, by ISBN, title and author.",
        address: "https://api2.isbndb.com", access: .requiredKey, role: .books { ISBNdb($0) },
        settings: [ServiceSetting.daily.spec, ServiceSetting.batch.spec], findsTitles: false,
        make: { ISBNdbService($0.address, batch: $0.batch ?? 100, isbnsADay: $0.daily) },
        calls: { questions, service in questions.certain(service)...questions.certain(service) })
}

/// ISBNdb over the network: books by ISBN. By title it is not asked: reprints on demand crowd out what was meant.
package struct ISBNdb: BookProvider {
    private let client: ServiceClient

    package init(_ client: ServiceClient) { self.client = client }

    package var provider: Provider { .isbndb }
    package var asksNetwork: Bool { true }

    package func answer(_ questions: BookQueries) async throws(StageFailure) -> BookAnswers {
        try await ServiceQueries(questions, for: provider, asksTitles: false).answers(
            of: client, as: provider)
    }
}

/// How ISBNdb is asked (providers.md section 3): many ISBNs in one call, each of which costs one of the plan's day.
package struct ISBNdbService: Service {
    private let address: ServiceEndpoint
    private let batch: Int
    package var terms: ServiceLimits

    package let name = "isbndb"
    package let version = 1
    package let decoderVersion = 1
    package var account: String { address.account }

    /// - Parameters:
    ///   - batch: ISBNs that the plan allows in a call: 10, 100 or 1,000.
    ///   - ISBNsADay: The plan's budget; nil leaves it to the service to say when it is spent.
    package init(_ address: ServiceEndpoint, batch: Int = 100, isbnsADay: Int? = nil) {
        self.address = address
        self.batch = batch
        terms = ServiceLimits(
            rate: .init(perSecond: 1), concurrency: 1, quota: isbnsADay.map { .init(calls: $0) })
    }

    package func batchSize(of kind: ServiceKey.Kind) -> Int { batch }
    package func cost(of count: Int) -> Int { count }

    package func request(_ kind: ServiceKey.Kind, _ texts: [String]) -> HTTPRequest {
        let list = texts.map { "\"\($0)\"" }.joined(separator: ",")
        var fields = [HTTPRequest.Field("Content-Type", "application/json")]
        if let key = address.key { fields.append(.init("Authorization", key)) }
        return address.request("/books", fields: fields, body: Array("{\"isbns\":[\(list)]}".utf8))
    }

    package func read(_ body: [UInt8], _ kind: ServiceKey.Kind, _ texts: [String]) -> ParsedResponse {
        do throws(JSONReadError) {
            let members = try JSONSlices.members(of: body)
            // Figures of the whole service have a member of that name as well.
            guard let data = members["data"] ?? members["books"], data.first == UInt8(ascii: "[") else {
                return .malformed
            }
            // Unknown ones are absent, the others come in any order: an ISBN is what they are told by.
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
            // Books of which none was asked for are another question's answer. One beside those that were is a stray.
            let isOther = count > 0 && !texts.contains { books[$0] != nil }
            return .answers(texts.map { books[$0] ?? (isOther ? .wrong : .notFound) })
        } catch {
            return .malformed
        }
    }

    package func decoded(of words: [UInt8], _ kind: ServiceKey.Kind, fetchedAt: Int64) -> [UInt8]? {
        kind == .isbn ? (try? ISBNdbBook(words))?.packed.bytes ?? [] : nil
    }
}
