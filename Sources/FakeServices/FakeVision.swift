import Books
import Bytes
import FoundationEssentials
import Syntax
import System

/// A model that reads photos, behind the interfaces of Gemini and of OpenAI.
///
/// What it reads in a picture comes from a file beside it (`photos/NAME.json` beside `photos/NAME.png` in the folder of the fake
/// services), from its pixels (``FakePhoto``), or is made up. Either text is a list of books,
/// `[{"title":…,"author":…,"confidence":0.9,"box":[top,left,bottom,right]}]`, or an object with such a list as `books`, and a
/// `fault`.
struct FakeVision: Sendable {
    /// A model that the service does not have.
    private static let unknownModel = "unknown"

    let folder: String?
    /// Pictures that were asked about, for faults that end.
    private let seen = Guarded<Set<UInt64>>([])

    init(folder: String?) { self.folder = folder }

    /// What the model reads in a picture, as JSON, and how it fails.
    private struct Reading {
        var books = "[]"
        var fault: String?
    }

    func answer(_ parts: [String], _ request: FakeRequest) -> FakeReply {
        guard request.method == "POST" else { return Self.failure(404, "NOT_FOUND", "Not Found") }
        if parts.dropFirst() == ["v1", "chat", "completions"] { return answerAsOpenAI(request) }
        guard parts.count == 4, parts[1] == "v1beta", parts[2] == "models" else {
            return Self.failure(404, "NOT_FOUND", "Not Found")
        }
        guard request.fields["x-goog-api-key"]?.isEmpty == false else {
            return Self.failure(400, "INVALID_ARGUMENT", "API key not valid. Please pass a valid API key.")
        }
        guard parts[3] != "\(Self.unknownModel):generateContent" else {
            return Self.failure(404, "NOT_FOUND", "models/\(Self.unknownModel) is not found")
        }
        guard let image = Self.text(in: request.body, after: "data").flatMap({ Data(base64Encoded: $0) })
        else { return Self.failure(400, "INVALID_ARGUMENT", "Unable to process input image.") }
        let reading = reading(Array(image))
        switch reading.fault {
        case "safety": return .json(#"{"promptFeedback":{"blockReason":"SAFETY"}}"#)
        case "recitation": return .json(#"{"candidates":[{"finishReason":"RECITATION","index":0}]}"#)
        case "status-500": return Self.failure(500, "INTERNAL", "An internal error has occurred.")
        case "status-429":
            return Self.failure(429, "RESOURCE_EXHAUSTED", "Resource exhausted", quota: "PerMinute")
        case "quota": return Self.failure(429, "RESOURCE_EXHAUSTED", "Quota exceeded", quota: "PerDay")
        default: break
        }
        let reason = reading.fault == "cut-off" ? "MAX_TOKENS" : "STOP"
        return .json(
            #"""
            {"candidates":[{"content":{"role":"model","parts":[{"text":"Spines, from left to right.","thought":true},\#
            {"text":\#(Self.quoted(reading.books))}]},"finishReason":"\#(reason)","index":0}],\#
            "usageMetadata":{"promptTokenCount":1400},"modelVersion":"fake"}
            """#)
    }

    private func answerAsOpenAI(_ request: FakeRequest) -> FakeReply {
        let url = Self.text(in: request.body, after: "url") ?? ""
        guard let comma = url.firstIndex(of: ","),
            let image = Data(base64Encoded: String(url[comma...].dropFirst()))
        else { return .json(#"{"error":{"message":"invalid image"}}"#, status: 400) }
        let reading = reading(Array(image))
        if reading.fault == "safety" {
            return .json(
                #"{"choices":[{"finish_reason":"stop","message":{"content":null,"refusal":"I cannot help with that."}}]}"#
            )
        }
        let reason = reading.fault == "cut-off" ? "length" : "stop"
        return .json(
            #"{"choices":[{"finish_reason":"\#(reason)","message":{"role":"assistant","content":\#(Self.quoted(reading.books))}}]}"#
        )
    }

    // MARK: Readings

    private func reading(_ image: [UInt8]) -> Reading {
        guard let text = sidecar(of: image) ?? FakePhoto.text(in: image) else {
            return Reading(books: Self.invented(KeyHash.hash(image)))
        }
        var reading = Reading(books: text)
        if text.hasPrefix("{") {
            reading.fault = Self.text(in: Array(text.utf8), after: "fault")
            let start = text.firstRange(of: "\"books\":")?.upperBound
            reading.books = start.map { String(text[$0...].dropLast()) } ?? "[]"
        }
        reading.books = reading.books.replacing("\"box\":", with: "\"box_2d\":")
        switch reading.fault {
        case "not-json": reading.books = "I can see several books on this shelf."
        case "once-broken":
            let isFirst = seen.withLock { $0.insert(KeyHash.hash(image)).inserted }
            if isFirst { reading.books = "Let me look again." }
        case "wrong-schema": reading.books = #"["Emma","Persuasion"]"#
        case "no-confidence": reading.books = #"[{"title":"Emma"}]"#
        case "cut-off": reading.books = String(reading.books.prefix(reading.books.count / 2))
        case "fenced": reading.books = "```json\n\(reading.books)\n```"
        case "huge":
            let book = #"{"title":"Emma","confidence":0.9}"#
            reading.books = "[" + Array(repeating: book, count: 10_000).joined(separator: ",") + "]"
        default: break
        }
        return reading
    }

    /// The file beside a picture of the folder; nil if it has no such picture.
    private func sidecar(of image: [UInt8]) -> String? {
        guard let folder = folder.map({ $0 + "/photos" }) else { return nil }
        for name in (Folder.names(in: folder) ?? []).sorted() where !name.hasSuffix(".json") {
            // Clients remove metadata before they send a picture.
            guard let file = try? ReadableFile.contents(of: "\(folder)/\(name)"),
                file == image || (try? CleanImage(file))?.bytes == image
            else { continue }
            let shown = name.split(separator: ".").dropLast().joined(separator: ".")
            return try? ReadableFile.text(of: "\(folder)/\(shown).json")
        }
        return nil
    }

    /// Some made-up books of the fake services, side by side.
    private static func invented(_ hash: UInt64) -> String {
        let count = 3 + Int(hash % 4)
        let books = (0..<count).map { index in
            let work = Int64(hash >> 8 & 0xFFFF) + Int64(index) * 7
            let (left, right) = (50 + index * 120, 150 + index * 120)
            let confidence = 0.98 - Double((hash >> UInt64(index * 4)) % 44) / 100
            let author = FakeLibrary.name(ofAuthor: FakeLibrary.author(ofWork: work))
            return
                #"{"title":"\#(FakeLibrary.title(ofWork: work))","author":"\#(author)","confidence":\#(confidence),"box_2d":[60,\#(left),940,\#(right)]}"#
        }
        return "[\(books.joined(separator: ","))]"
    }

    // MARK: JSON

    /// The first text under a key, wherever it stands; nil if there is none.
    private static func text(in json: [UInt8], after key: StaticString) -> String? {
        func search(_ reader: inout JSONReader, _ found: inout String?) throws(JSONReadError) {
            switch try reader.peek() {
            case .object:
                try reader.forEachKey { (name, reader) throws(JSONReadError) in
                    if found == nil, name == key, try reader.peek() == .string {
                        found = try reader.string().string
                    } else {
                        try search(&reader, &found)
                    }
                }
            case .array:
                try reader.forEachElement { (reader) throws(JSONReadError) in try search(&reader, &found) }
            default: try reader.skip()
            }
        }
        var found: String?
        do throws(JSONReadError) {
            try JSONReader.read(json) { (reader) throws(JSONReadError) in try search(&reader, &found) }
        } catch {
            return nil
        }
        return found
    }

    private static func quoted(_ text: String) -> String {
        var json = JSONWriter()
        json.string(text)
        return String(decoding: json.bytes, as: UTF8.self)
    }

    private static func failure(
        _ status: Int, _ name: String, _ message: String, quota: String? = nil
    ) -> FakeReply {
        let details =
            quota.map {
                #","details":[{"@type":"type.googleapis.com/google.rpc.QuotaFailure","violations":[{"quotaId":"GenerateRequests\#($0)PerProjectPerModel"}]},{"@type":"type.googleapis.com/google.rpc.RetryInfo","retryDelay":"34s"}]"#
            } ?? ""
        return .json(
            #"{"error":{"code":\#(status),"message":"\#(message)","status":"\#(name)"\#(details)}}"#,
            status: status)
    }
}
