import Services
import Syntax
import System

/// An embedding service, as OpenAI's `/v1/embeddings` does; Ollama, llama.cpp, Hugging Face's TEI and others
/// answer in the same form.
package struct EmbeddingEndpoint: Sendable, Hashable {
    package static let defaultModel = "bge-m3"
    private static let path = "/embeddings"

    let endpoint: ServiceEndpoint
    /// The model's name, as the service knows it.
    package let model: String

    /// - Parameters:
    ///   - url: The service's address, with or without `/v1/embeddings`.
    ///   - key: The credential; nil for none.
    package init(url: String, model: String = defaultModel, key: String? = nil) {
        var url = url
        while url.hasSuffix("/") { url.removeLast() }
        if url.hasSuffix("/v1" + Self.path) { url.removeLast(Self.path.count) }
        if !url.hasSuffix("/v1") { url += "/v1" }
        endpoint = ServiceEndpoint(url, isUserConfigured: true, key: key)
        self.model = model
    }

    /// The address without credentials, for messages.
    package var address: String { HTTPRequest(endpoint.baseURL).address }

    func request(_ texts: [String]) -> HTTPRequest {
        var json = JSONWriter()
        json.object { json in
            json.field("model", model)
            json.field("input", texts)
            json.field("encoding_format", "float")
        }
        var fields = [HTTPRequest.Field("Content-Type", "application/json")]
        if let key = endpoint.key { fields.append(.init("Authorization", "Bearer \(key)", isSecret: true)) }
        var request = endpoint.request(Self.path, fields: fields, body: json.bytes)
        // A large model on a processor takes long for a batch.
        request.timeLimit = 60_000_000_000
        return request
    }
}

/// Asks an endpoint for vectors: many texts in a request.
struct EmbeddingService: Service {
    private static let kind = ServiceKey.Kind("text", urgency: 0, lifetime: 0)
    private static let alone = ServiceKey.Kind("single text", urgency: 0, lifetime: 0)
    /// Maximum dimension of a vector.
    private static let mostNumbers = 16_384

    let endpoint: EmbeddingEndpoint
    let name = "embeddings"
    let version = 1
    var limits = ServiceLimits(rate: .init(perSecond: 20, burst: 20), concurrency: 4)
    var account: String { endpoint.endpoint.account }

    init(_ endpoint: EmbeddingEndpoint) { self.endpoint = endpoint }

    /// - Parameter isAlone: Whether the text has a request of its own, so that no other one makes it fail.
    static func key(_ text: String, isAlone: Bool = false) -> ServiceKey {
        ServiceKey(isAlone ? alone : kind, text)
    }

    /// Texts in a request.
    static let batchSize = 32

    func batchSize(of kind: ServiceKey.Kind) -> Int { kind == Self.alone ? 1 : Self.batchSize }
    func request(_ kind: ServiceKey.Kind, _ texts: [String]) -> HTTPRequest { endpoint.request(texts) }

    func refusal(status: Int, text: String) -> ServiceRefusal? {
        text.contains("insufficient_quota") ? .dailyBudget : nil
    }

    func read(_ body: [UInt8], _ kind: ServiceKey.Kind, _ texts: [String]) -> ParsedResponse {
        var parts = [ResponsePart?](repeating: nil, count: texts.count)
        do throws(JSONReadError) {
            try JSONReader.read(body) { (reader) throws(JSONReadError) in
                try reader.forEachKey { (key, reader) throws(JSONReadError) in
                    guard key == "data" else { return }
                    var place = 0
                    try reader.forEachElement { (reader) throws(JSONReadError) in
                        var (index, numbers) = (place, [Float]())
                        try reader.forEachKey { (key, reader) throws(JSONReadError) in
                            switch key {
                            case "index": index = Int(try reader.integer() ?? -1)
                            case "embedding": numbers = try Self.numbers(&reader)
                            default: break
                            }
                        }
                        place += 1
                        if parts.indices.contains(index) { parts[index] = Self.part(numbers) }
                    }
                }
                try reader.finish()
            }
        } catch {
            return .malformed
        }
        let found = parts.compactMap(\.self)
        return found.count == texts.count ? .answers(found) : .malformed
    }

    func decoded(of words: [UInt8], _ kind: ServiceKey.Kind, fetchedAt: Int64) -> [UInt8]? { words }

    /// An array of numbers; one that is none, such as `null` for NaN, makes it empty.
    private static func numbers(_ reader: inout JSONReader) throws(JSONReadError) -> [Float] {
        var (numbers, isUsable) = ([Float](), true)
        try reader.forEachElement { (reader) throws(JSONReadError) in
            guard try reader.peek() == .number else {
                isUsable = false
                return
            }
            let number = Float(String(decoding: try reader.number(), as: UTF8.self)) ?? .nan
            if !number.isFinite || numbers.count >= mostNumbers { isUsable = false }
            if isUsable { numbers.append(number) }
        }
        return isUsable ? numbers : []
    }

    private static func part(_ numbers: [Float]) -> ResponsePart {
        guard !numbers.isEmpty else { return .notFound }
        let bytes = numbers.withUnsafeBytes { Array($0) }
        return .found(bytes, decoded: bytes)
    }

    /// The numbers of an answer.
    static func vector(_ decoded: ArraySlice<UInt8>) -> [Float] {
        decoded.withUnsafeBytes { bytes in
            stride(from: 0, to: bytes.count - 3, by: 4).map {
                bytes.loadUnaligned(fromByteOffset: $0, as: Float.self)
            }
        }
    }
}
