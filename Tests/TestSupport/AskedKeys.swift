package import FakeServices
import Foundation

/// What fake services were asked for, key by key: an edition in a batch is a key, and so is a work's record.
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

    /// Keys that were asked for after they had been answered well, each with when that was.
    package static func askedAgain(_ visits: [ReceivedRequest]) -> [String: UInt64] {
        var answered: [String: UInt64] = [:]
        var again: [String: UInt64] = [:]
        for visit in visits {
            for key in of(visit.request) {
                if let when = answered[key] { again[key] = when }
                if visit.fault == nil { answered[key] = visit.at }
            }
        }
        return again
    }
}
