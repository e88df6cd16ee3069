import Services
import Syntax
import System

/// Asks an image model about photos, one in a request. Keys are the photos' digests with the model's name.
struct VisionService: Service {
    /// What a model has once read stays, until the photo is deleted.
    private static let kind = ServiceKey.Kind("photo", urgency: 0, lifetime: 10 * 365 * 86_400_000)
    /// Google counts a day from midnight Pacific Standard Time.
    private static let dayBegins: Int64 = 8 * 3_600_000_000

    private let endpoint: VisionEndpoint
    private let photos: [String: ShelfPhoto]
    let name = "vision"
    let version = 1
    var limits = ServiceLimits(rate: .init(perSecond: 0.25, burst: 5), concurrency: 2, leaseTime: 180_000_000)
    var account: String { endpoint.endpoint.account }

    /// - Parameter photos: Those that may be asked about.
    init(_ endpoint: VisionEndpoint, _ photos: [ShelfPhoto]) {
        self.endpoint = endpoint
        self.photos = Dictionary(photos.map { (Self.text($0, endpoint), $0) }) { first, _ in first }
        if let rate = endpoint.rate { limits = limits.limited(perSecond: rate) }
        limits.quota = endpoint.daily.map { .init(calls: $0, dayBegins: Self.dayBegins) }
    }

    static func key(_ photo: ShelfPhoto, _ endpoint: VisionEndpoint) -> ServiceKey {
        ServiceKey(kind, text(photo, endpoint))
    }

    private static func text(_ photo: ShelfPhoto, _ endpoint: VisionEndpoint) -> String {
        "\(photo.digest) \(endpoint.model)"
    }

    func batchSize(of kind: ServiceKey.Kind) -> Int { 1 }

    func request(_ kind: ServiceKey.Kind, _ texts: [String]) -> HTTPRequest {
        guard let photo = texts.first.flatMap({ photos[$0] }) else { return HTTPRequest("") }
        return endpoint.request(photo)
    }

    func refusal(status: Int, text: String) -> ServiceRefusal? {
        if text.contains("api key not valid") || text.contains("api_key_invalid") { return .credentials }
        // Google names the day in its error for a spent budget, OpenAI the money.
        return text.contains("perday") || text.contains("insufficient_quota") ? .dailyBudget : nil
    }

    func read(_ body: [UInt8], _ kind: ServiceKey.Kind, _ texts: [String]) -> ParsedResponse {
        guard let photo = texts.first.flatMap({ photos[$0] }),
            let words = ModelWords(body, from: endpoint.interface)
        else { return .malformed }
        if let reason = words.refusal { return .answers([.found(PhotoReading.refused(reason).kept)]) }
        guard !words.isCutOff, let books = ModelBooks.books(in: words.text, of: photo.pixels) else {
            return .malformed
        }
        return .answers([.found(PhotoReading.books(books).kept)])
    }
}

/// The words of a model in the answer of its service.
struct ModelWords: Sendable, Hashable {
    /// What the model wrote.
    var text = ""
    /// Whether it had to stop before it was done.
    var isCutOff = false
    /// Why it refuses; nil if it does not.
    var refusal: String?

    /// Nil if the answer has another structure.
    init?(_ body: [UInt8], from interface: VisionEndpoint.Interface) {
        do throws(JSONReadError) {
            var hasWords = false
            try JSONReader.read(body) { (reader) throws(JSONReadError) in
                hasWords =
                    switch interface {
                    case .gemini: try readGemini(&reader)
                    case .openAI: try readOpenAI(&reader)
                    }
                try reader.finish()
            }
            guard hasWords || refusal != nil || isCutOff else { return nil }
        } catch {
            return nil
        }
    }

    // MARK: Gemini

    private mutating func readGemini(_ reader: inout JSONReader) throws(JSONReadError) -> Bool {
        var hasWords = false
        try reader.forEachKey { (key, reader) throws(JSONReadError) in
            switch key {
            case "promptFeedback":
                try reader.forEachKey { (key, reader) throws(JSONReadError) in
                    if key == "blockReason" { refusal = try reader.string().string }
                }
            case "candidates":
                var place = 0
                try reader.forEachElement { (reader) throws(JSONReadError) in
                    defer { place += 1 }
                    if place == 0, try readCandidate(&reader) { hasWords = true }
                }
            default: break
            }
        }
        return hasWords
    }

    private mutating func readCandidate(_ reader: inout JSONReader) throws(JSONReadError) -> Bool {
        var hasWords = false
        try reader.forEachKey { (key, reader) throws(JSONReadError) in
            switch key {
            case "finishReason":
                switch try reader.string().string {
                case "STOP", "FINISH_REASON_UNSPECIFIED": break
                case "MAX_TOKENS", "MALFORMED_FUNCTION_CALL", "OTHER": isCutOff = true
                case let reason: refusal = reason
                }
            case "content":
                try reader.forEachKey { (key, reader) throws(JSONReadError) in
                    guard key == "parts" else { return }
                    try reader.forEachElement { (reader) throws(JSONReadError) in
                        if try readPart(&reader) { hasWords = true }
                    }
                }
            default: break
            }
        }
        return hasWords
    }

    /// A part is words for the reader, or thoughts of the model.
    private mutating func readPart(_ reader: inout JSONReader) throws(JSONReadError) -> Bool {
        var (words, isThought) = (String?.none, false)
        try reader.forEachKey { (key, reader) throws(JSONReadError) in
            switch key {
            case "text": words = try reader.string().string
            case "thought": isThought = try reader.bool()
            default: break
            }
        }
        guard let words, !isThought else { return false }
        text += words
        return true
    }

    // MARK: OpenAI

    private mutating func readOpenAI(_ reader: inout JSONReader) throws(JSONReadError) -> Bool {
        var (hasWords, place) = (false, 0)
        try reader.forEachKey { (key, reader) throws(JSONReadError) in
            guard key == "choices" else { return }
            try reader.forEachElement { (reader) throws(JSONReadError) in
                defer { place += 1 }
                guard place == 0 else { return }
                try reader.forEachKey { (key, reader) throws(JSONReadError) in
                    switch key {
                    case "finish_reason":
                        guard !(try reader.takeNull()) else { return }
                        switch try reader.string().string {
                        case "length": isCutOff = true
                        case "content_filter": refusal = "content_filter"
                        default: break
                        }
                    case "message": hasWords = try readMessage(&reader)
                    default: break
                    }
                }
            }
        }
        return hasWords
    }

    private mutating func readMessage(_ reader: inout JSONReader) throws(JSONReadError) -> Bool {
        var hasWords = false
        try reader.forEachKey { (key, reader) throws(JSONReadError) in
            switch key {
            case "content":
                guard !(try reader.takeNull()) else { return }
                text = try reader.string().string
                hasWords = true
            case "refusal":
                guard !(try reader.takeNull()) else { return }
                // Its sentence is for people, and may be long.
                _ = try reader.string()
                refusal = "refusal"
            default: break
            }
        }
        return hasWords
    }
}
