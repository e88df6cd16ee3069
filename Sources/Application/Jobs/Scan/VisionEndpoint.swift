import FoundationEssentials
import Services
import Syntax

/// A model that reads photos of shelves: Google's Gemini, or one behind OpenAI's `/v1/chat/completions`, as Ollama, llama.cpp and
/// others serve it.
package struct VisionEndpoint: Sendable, Hashable {
    /// The interfaces of models.
    package enum Interface: Sendable, Hashable {
        case gemini, openAI
    }

    package static let geminiAddress = "https://generativelanguage.googleapis.com"
    package static let geminiModel = "gemini-2.0-flash-exp"
    private static let chatPath = "/chat/completions"

    package let interface: Interface
    let endpoint: ServiceEndpoint
    /// The model's name, as the service knows it.
    package let model: String
    /// Requests per second, if the user has set them.
    package var rate: Double?
    /// Photos per day, if the user has set them.
    package var daily: Int?

    private init(_ interface: Interface, _ endpoint: ServiceEndpoint, model: String) {
        self.interface = interface
        self.endpoint = endpoint
        self.model = model
    }

    /// Gemini.
    ///
    /// - Parameters:
    ///   - url: Nil for Google's own.
    ///   - key: Without it Google refuses every request.
    package static func gemini(url: String? = nil, model: String = geminiModel, key: String?)
        -> VisionEndpoint
    {
        VisionEndpoint(
            .gemini, ServiceEndpoint(url ?? geminiAddress, isUserConfigured: url != nil, key: key),
            model: model
        )
    }

    /// A service with OpenAI's interface.
    ///
    /// - Parameter url: Its address, with or without `/v1/chat/completions`.
    package static func openAI(url: String, model: String, key: String? = nil) -> VisionEndpoint {
        var url = url
        while url.hasSuffix("/") { url.removeLast() }
        if url.hasSuffix("/v1" + chatPath) { url.removeLast(chatPath.count) }
        if !url.hasSuffix("/v1") { url += "/v1" }
        return VisionEndpoint(
            .openAI, ServiceEndpoint(url, isUserConfigured: true, key: key), model: model)
    }

    /// The address without credentials, for messages: where photos go.
    package var address: String { HTTPRequest(endpoint.baseURL).address }

    /// The host that photos go to, for people.
    package var host: String {
        let origin = HTTPRequest.origin(of: endpoint.baseURL)
        let host = origin.split(separator: "/").last.map(String.init) ?? origin
        return host.split(separator: "@").last.map(String.init) ?? host
    }

    /// What the model is asked. The version of ``VisionService`` is increased with every change.
    static let question = """
        This is a photo of books. List every book whose spine or cover you can read, from left to right and from top to bottom, \
        each once. Give the title and the author exactly as printed, without what you only know about the book; the ISBN only if \
        it is printed; as confidence from 0 to 1 how sure you are of the title; and as box_2d its place: [top, left, bottom, \
        right] in thousandths of the photo's height and width. If the photo shows no books, the list is empty.
        """

    /// The request for the books of a photo.
    func request(_ photo: ShelfPhoto) -> HTTPRequest {
        var request: HTTPRequest
        let json = HTTPRequest.Field("Content-Type", "application/json")
        switch interface {
        case .gemini:
            var fields = [json]
            if let key = endpoint.key { fields.append(.init("x-goog-api-key", key, isSecret: true)) }
            request = endpoint.request(
                "/v1beta/models/\(URLText.escaped(model)):generateContent", fields: fields,
                body: Self.geminiBody(photo))
        case .openAI:
            var fields = [json]
            if let key = endpoint.key {
                fields.append(.init("Authorization", "Bearer \(key)", isSecret: true))
            }
            request = endpoint.request(Self.chatPath, fields: fields, body: openAIBody(photo))
        }
        request.timeLimit = Self.timeLimit
        return request
    }

    /// How long a model may take for a photo, in nanoseconds.
    private static let timeLimit: UInt64 = 90_000_000_000
    /// Tokens of an answer: about 150 books.
    private static let mostTokens: Int64 = 16_384

    private static func geminiBody(_ photo: ShelfPhoto) -> [UInt8] {
        var json = JSONWriter(capacity: photo.bytes.count / 2 * 3)
        json.object { json in
            json.field("contents") { json in
                json.field("role", "user")
                json.key("parts")
                json.array { json in
                    json.object { json in
                        json.field("inlineData") { json in
                            json.field("mimeType", photo.type.mediaType)
                            json.field("data", Data(photo.bytes).base64EncodedString())
                        }
                    }
                    // After the image, as Google recommends for a single one.
                    json.object { $0.field("text", question) }
                }
            }
            json.field("generationConfig") { json in
                json.field("temperature", 0 as Int64)
                json.field("maxOutputTokens", mostTokens)
                json.field("responseMimeType", "application/json")
                json.key("responseSchema")
                json.spliced(geminiSchema)
            }
        }
        return json.bytes
    }

    /// OpenAPI 3.0, with types in upper case.
    private static let geminiSchema = """
        {"type":"ARRAY","items":{"type":"OBJECT","properties":{"title":{"type":"STRING"},\
        "author":{"type":"STRING","nullable":true},"isbn":{"type":"STRING","nullable":true},\
        "confidence":{"type":"NUMBER","minimum":0,"maximum":1},\
        "box_2d":{"type":"ARRAY","items":{"type":"INTEGER"},"minItems":"4","maxItems":"4"}},\
        "required":["title","confidence","box_2d"],\
        "propertyOrdering":["box_2d","title","author","isbn","confidence"]}}
        """

    private func openAIBody(_ photo: ShelfPhoto) -> [UInt8] {
        var json = JSONWriter(capacity: photo.bytes.count / 2 * 3)
        let image = "data:\(photo.type.mediaType);base64," + Data(photo.bytes).base64EncodedString()
        json.object { json in
            json.field("model", model)
            json.field("temperature", 0 as Int64)
            json.field("max_tokens", Self.mostTokens)
            json.key("messages")
            json.array { json in
                json.object { json in
                    json.field("role", "user")
                    json.key("content")
                    json.array { json in
                        json.object { json in
                            json.field("type", "image_url")
                            json.field("image_url") { $0.field("url", image) }
                        }
                        json.object { json in
                            json.field("type", "text")
                            json.field("text", Self.question)
                        }
                    }
                }
            }
            json.key("response_format")
            json.spliced(Self.openAISchema)
        }
        return json.bytes
    }

    /// JSON Schema, whose root must be an object.
    private static let openAISchema = """
        {"type":"json_schema","json_schema":{"name":"books","schema":{"type":"object","properties":{"books":{"type":"array",\
        "items":{"type":"object","properties":{"title":{"type":"string"},"author":{"type":["string","null"]},\
        "isbn":{"type":["string","null"]},"confidence":{"type":"number"},\
        "box_2d":{"type":"array","items":{"type":"integer"}}},\
        "required":["title","author","isbn","confidence","box_2d"],"additionalProperties":false}}},\
        "required":["books"],"additionalProperties":false},"strict":true}}
        """
}

extension JSONWriter {
    /// Writes a text that is JSON as the next value.
    fileprivate mutating func spliced(_ json: String) {
        var json = json
        json.withUTF8 { spliced(json: UnsafeRawBufferPointer($0)) }
    }
}
