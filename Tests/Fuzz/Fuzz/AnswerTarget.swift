import Books
import Services

/// Reads an input as the body of every service's answers, and decodes what was found. The first byte chooses the kind
/// of question.
enum AnswerTarget {
    private static let readers = ServiceDefinition.all.map(\.reader)
    private static let questions: [(kind: ServiceKey.Kind, texts: [String])] = [
        (.isbn, ["9780441013593", "9780140328721"]), (.title, ["dune|frank herbert"]), (.work, ["OL893415W"]),
        (.author, ["OL79034A"]), (.item, ["Q42", "Q1"]), (.authorItems, ["OL79034A"]),
        (.nameItems, ["frank herbert"]),
    ]

    static func read(_ bytes: [UInt8]) {
        guard let first = bytes.first else { return }
        let body = Array(bytes.dropFirst())
        let (kind, texts) = questions[Int(first) % questions.count]
        for reader in readers {
            _ = reader.refusal(status: 403, text: String(decoding: body, as: UTF8.self))
            _ = reader.decoded(of: body, kind, fetchedAt: 1)
            guard case .answers(let parts) = reader.read(body, kind, texts) else { continue }
            demand(parts.count == texts.count, "\(reader.name) gave \(parts.count) parts")
            for case .found(let words, let decoded) in parts {
                let again = reader.decoded(of: words, kind, fetchedAt: 1)
                demand(
                    decoded == nil || again == nil || decoded == again,
                    "\(reader.name) decodes its own part differently")
            }
        }
    }
}
