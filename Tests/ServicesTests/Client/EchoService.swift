import Books
import System

@testable import Services

/// A service that knows every text except those that begin with `no`, and answers with a JSON object.
struct EchoService: Service {
    var name: String { "parrot" }
    var version: Int { 1 }
    var account: String { "http://parrot.test" }
    var limits = ServiceLimits(rate: .init(perSecond: 1_000_000, burst: 1_000), concurrency: 4)
    var size = 10
    /// Whether each key, instead of each request, is charged to the daily budget.
    var costsEach = false
    /// Whether each key has its own address.
    var hasRecords = false
    /// Address of the service.
    var url = "http://parrot.test"
    /// Time limit of a request in nanoseconds.
    var timeLimit: UInt64 = 60_000_000_000

    func batchSize(of kind: ServiceKey.Kind) -> Int { size }
    func hasRecordAddresses(of kind: ServiceKey.Kind) -> Bool { hasRecords }
    func cost(of count: Int) -> Int { costsEach ? count : 1 }
    func request(_ kind: ServiceKey.Kind, _ texts: [String]) -> HTTPRequest {
        var request = HTTPRequest(
            url + "/?" + texts.joined(separator: ","), allowsPrivateNetwork: url != "http://parrot.test")
        request.byteLimit = 10_000
        request.timeLimit = timeLimit
        return request
    }
    func refusal(status: Int, text: String) -> ServiceRefusal? {
        switch status {
        case 400 where text.contains("api key"): .credentials
        case 403 where text.contains("daily"): .dailyBudget
        case 429 where text.contains("daily"): .dailyBudget
        default: nil
        }
    }
    func read(_ body: [UInt8], _ kind: ServiceKey.Kind, _ texts: [String]) -> ParsedResponse {
        let text = String(decoding: body, as: UTF8.self)
        guard text.hasPrefix("{") else { return .malformed }
        if text == "{wrong}" { return .answers(texts.map { _ in .mismatch }) }
        if text == "{refused}" { return .refusedRequest }
        if text == "{overloaded}" { return .overloaded(5_000) }
        return .answers(texts.map { $0.hasPrefix("no") ? .notFound : .found(Array($0.utf8)) })
    }
}
