import Books
package import FakeServices
import Foundation
package import Services
package import System

/// An answer cache in memory.
package final class CacheInMemory: AnswerCache {
    private let cached = Guarded<[String: [ServiceKey: CachedAnswer]]>([:])

    package init() {}

    /// All answers of all services.
    package var answers: [ServiceKey: CachedAnswer] {
        cached.withLock { cached in cached.values.reduce(into: [:]) { $0.merge($1) { first, _ in first } } }
    }

    package func cachedAnswers(
        in form: AnswerFormat, _ keys: [ServiceKey]
    ) async throws(ETLError) -> [CachedAnswer?] {
        cached.withLock { cached in keys.map { cached[form.service]?[$0] } }
    }

    package func save(_ answers: [NewAnswer], in form: AnswerFormat) async throws(ETLError) {
        cached.withLock { cached in
            for answer in answers { cached[form.service, default: [:]][answer.key] = answer.cached }
        }
    }
}

/// The keys that were requested from fake services: each edition of a batch is a key, and so is the record of
/// a work.
package enum AskedKeys {
    /// The keys of a request: `openlibrary 9781000000019`.
    package static func of(_ request: FakeRequest) -> [String] {
        let texts: [String]
        if let books = request.query["bibkeys"] {
            texts = books.split(separator: ",").map(String.init)
        } else if !request.body.isEmpty {
            texts = String(decoding: request.body, as: UTF8.self).split { !$0.isNumber }.map(String.init)
        } else if let items = request.query["ids"] {
            texts = items.split(separator: "|").map(String.init)
        } else if let people = request.query["srsearch"] {
            texts = people.split { !$0.isLetter && !$0.isNumber }.map(String.init).filter {
                $0.hasPrefix("OL")
            }
        } else {
            let query = request.query.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }
            texts = [request.path + "?" + query.joined(separator: "&")]
        }
        return texts.map { "\(request.service) \($0)" }
    }

    /// Keys that were requested again after a good answer, each with the time of that answer.
    package static func askedAgain(_ requests: [ReceivedRequest]) -> [String: UInt64] {
        var answered: [String: UInt64] = [:]
        var again: [String: UInt64] = [:]
        for visit in requests {
            for key in of(visit.request) {
                if let when = answered[key] { again[key] = when }
                if visit.fault == nil { answered[key] = visit.at }
            }
        }
        return again
    }
}
