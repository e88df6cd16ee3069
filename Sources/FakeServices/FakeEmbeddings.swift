import Books
import Bytes
import Services
import Syntax

/// Vectors of texts as a service with OpenAI's interface computes them: texts with the same words are near. A text with the
/// word `unembeddable` has numbers that are none, and one with `misshapen` has too few. A request with the word `endless` in one
/// of its texts fails.
enum FakeEmbeddings {
    private static let dimension = 64
    /// A model that the service does not have.
    private static let unknownModel = "unknown"

    /// Answers `POST …/v1/embeddings`.
    static func answer(_ parts: [String], _ request: FakeRequest) -> FakeReply {
        guard parts.dropFirst() == ["v1", "embeddings"], request.method == "POST" else {
            return .json(#"{"error":{"message":"Not Found"}}"#, status: 404)
        }
        var (texts, model) = ([String](), "")
        do throws(JSONReadError) {
            try JSONReader.read(request.body) { (reader) throws(JSONReadError) in
                try reader.forEachKey { (key, reader) throws(JSONReadError) in
                    switch key {
                    case "model": model = try reader.string().string
                    case "input":
                        try reader.forEachElement { (reader) throws(JSONReadError) in
                            texts.append(try reader.string().string)
                        }
                    default: break
                    }
                }
            }
        } catch {
            return .json(#"{"error":{"message":"invalid JSON"}}"#, status: 400)
        }
        guard model != unknownModel else {
            return .json(#"{"error":{"message":"model not found"}}"#, status: 404)
        }
        guard !texts.contains(where: { Folding.fold($0).contains("endless") }) else {
            return .json(#"{"error":{"message":"input length exceeds the context length"}}"#, status: 500)
        }
        // In another order than in the request.
        let data = texts.enumerated().reversed().map { index, text in
            var words = vector(of: text).map { "\($0)" }
            let folded = Folding.fold(text)
            if folded.contains("unembeddable") { words[0] = "null" }
            if folded.contains("misshapen") { words.removeLast() }
            let numbers = words.joined(separator: ",")
            return #"{"object":"embedding","index":\#(index),"embedding":[\#(numbers)]}"#
        }
        return .json(
            #"{"object":"list","data":[\#(data.joined(separator: ","))],"model":"\#(model)","usage":{"total_tokens":1}}"#
        )
    }

    private static func vector(of text: String) -> [Float] {
        var vector = [Float](repeating: 0, count: dimension)
        for word in Folding.fold(text).split(separator: " ") {
            let hash = KeyHash.hash(Array(word.utf8))
            for place in 0..<4 { vector[Int(hash >> (UInt64(place) * 8) & 63)] += 1 }
        }
        return vector
    }
}
