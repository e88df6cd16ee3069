import FakeServices
import Foundation
import Store
import TestSupport
import Testing

@testable import Jobs
@testable import Services
@testable import Syntax
@testable import System

/// Scans of photos by a model whose answers the test chooses.
@Suite struct ShelfScanTests {
    private let folder: TemporaryFolder
    private var store: String { folder.file("library.sqlite") }

    /// - Throws: If there is no folder for temporary files.
    init() throws { folder = try TemporaryFolder() }

    private static func answer(_ words: String, reason: String = "STOP") -> HTTPResponse {
        let text = String(decoding: (try? JSONEncoder().encode(words)) ?? Data(), as: UTF8.self)
        return HTTPResponse(
            status: 200,
            body: Array(
                #"{"candidates":[{"content":{"parts":[{"text":\#(text)}]},"finishReason":"\#(reason)"}]}"#
                    .utf8))
    }

    private static let emma =
        #"[{"title":"Emma","author":"Jane Austen","confidence":0.9,"box_2d":[0,0,900,50]},"#
        + #"{"title":"","confidence":0.1,"box_2d":[0,60,900,90]}]"#

    private func photo(_ seed: Int = 0, named name: String = "shelf.png") throws -> ShelfPhoto {
        try ShelfPhoto(name, FakePhoto.png("[\(seed)]"))
    }

    private func scan(
        _ transport: any HTTPTransport, _ model: VisionEndpoint = .gemini(key: "secret"),
        stop: StopSignal = StopSignal()
    ) -> ShelfScan {
        var settings = ServiceSettings()
        settings.transport = transport
        settings.limits = ServiceLimits(rate: .init(perSecond: 1_000, burst: 1_000), concurrency: 2)
        return ShelfScan(
            model, settings, keptIn: PhotoFolder(of: store), clock: ManualClock(), stop: stop)
    }

    private func read(
        _ scan: ShelfScan, _ photos: [ShelfPhoto]
    ) async throws -> [ShelfScan.Photo] {
        try await scan.read(photos.map { ($0.name, .success($0)) })
    }

    @Test func `what a model reads becomes a table for an import, without spines that it cannot read`()
        async throws
    {
        let transport = StubTransport { _, _ in .success(Self.answer(Self.emma)) }
        let photos = try await read(scan(transport), [try photo()])
        #expect(photos[0].booksFound == 1 && photos[0].problem == nil && photos[0].note.unreadable == 1)
        let table = String(
            decoding: ShelfScan.table(of: photos, from: "gemini-x"), as: UTF8.self)
        #expect(
            table == """
                Title,Author,ISBN,Detection Confidence,Detection Box,Photo,Photo Name,Photo Digest,Vision Model
                Emma,Jane Austen,,0.9,0.0 0.0 0.05 0.9,1,shelf.png,\(try photo().digest),gemini-x

                """)
    }

    @Test func `a photo is sent once, whoever scans it again, and to another model once more`() async throws {
        let transport = StubTransport { _, _ in .success(Self.answer(Self.emma)) }
        let first = try await read(scan(transport), [try photo(), try photo(1)])
        #expect(transport.requests.count == 2)
        #expect(try await read(scan(transport), [try photo(), try photo(1)]) == first)
        #expect(transport.requests.count == 2)
        var offline = scan(transport)
        offline.asksModel = false
        #expect(try await read(offline, [try photo()]) == [first[0]])
        #expect(try await read(offline, [try photo(2)])[0].problem == .unread)
        _ = try await read(scan(transport, .gemini(model: "other", key: "secret")), [try photo()])
        #expect(transport.requests.count == 3)
    }

    @Test func `the key is in a field of the head, and nowhere else`() async throws {
        let transport = StubTransport { _, _ in .success(Self.answer("[]")) }
        _ = try await read(scan(transport), [try photo()])
        let request = try #require(transport.requests.first)
        #expect(
            request.url
                == "https://generativelanguage.googleapis.com/v1beta/models/gemini-2.0-flash-exp:generateContent"
        )
        #expect(
            request.fields.contains { $0.name == "x-goog-api-key" && $0.value == "secret" && $0.isSecret })
        let body = String(decoding: try #require(request.body), as: UTF8.self)
        #expect(!body.contains("secret") && body.contains(#""mimeType":"image/png""#))
        #expect(body.contains(Data(try photo().bytes).base64EncodedString()))
        #expect((try JSONSerialization.jsonObject(with: Data(body.utf8))) is [String: Any])
    }

    @Test func `a service with OpenAI's interface gets the photo as an address`() async throws {
        let transport = StubTransport { _, _ in
            .success(
                HTTPResponse(
                    status: 200, body: Array(#"{"choices":[{"message":{"content":"{\"books\":[]}"}}]}"#.utf8))
            )
        }
        let model = VisionEndpoint.openAI(url: "http://127.0.0.1:11434/v1/", model: "qwen")
        let photos = try await read(scan(transport, model), [try photo()])
        #expect(photos[0].result == .success([]))
        let request = try #require(transport.requests.first)
        #expect(request.url == "http://127.0.0.1:11434/v1/chat/completions" && request.allowsPrivateNetwork)
        let body = String(decoding: try #require(request.body), as: UTF8.self)
        #expect(body.contains("data:image/png;base64,"))
        #expect((try JSONSerialization.jsonObject(with: Data(body.utf8))) is [String: Any])
    }

    @Test func `an answer of another form is asked for once more, then the photo fails alone`() async throws {
        let repaired = StubTransport { _, number in
            .success(Self.answer(number == 1 ? "Sorry, I see books." : Self.emma))
        }
        #expect(try await read(scan(repaired), [try photo()])[0].booksFound == 1)
        #expect(repaired.requests.count == 2)
        let broken = StubTransport { request, _ in
            let isFirst = request.body.map { $0.count } ?? 0 > 0 && !Self.isOf(request, seed: 4)
            return .success(Self.answer(isFirst ? "no list" : Self.emma))
        }
        let photos = try await read(scan(broken), [try photo(3), try photo(4)])
        #expect(photos[0].problem == .unanswered(.malformed) && photos[1].booksFound == 1)
        #expect(broken.requests.count == 3)
    }

    private static func isOf(_ request: HTTPRequest, seed: Int) -> Bool {
        let data = Data((try? ShelfPhoto("x", FakePhoto.png("[\(seed)]")).bytes) ?? []).base64EncodedString()
        return String(decoding: request.body ?? [], as: UTF8.self).contains(data)
    }

    @Test func `a refusal is an answer, which is not asked for again`() async throws {
        let transport = StubTransport { _, _ in .success(Self.answer("", reason: "SAFETY")) }
        #expect(try await read(scan(transport), [try photo()])[0].problem == .refused("SAFETY"))
        #expect(try await read(scan(transport), [try photo()])[0].problem == .refused("SAFETY"))
        #expect(transport.requests.count == 1)
    }

    @Test func `a wrong key and a spent budget are told as such`() async throws {
        let wrong = StubTransport { _, _ in
            .success(
                HTTPResponse(
                    status: 400, body: Array(#"{"error":{"message":"API key not valid. Please…"}}"#.utf8)))
        }
        #expect(try await read(scan(wrong), [try photo()])[0].problem == .unanswered(.blocked))
        let spent = StubTransport { _, _ in
            .success(
                HTTPResponse(
                    status: 429,
                    body: Array(#"{"error":{"details":[{"quotaId":"RequestsPerDayPerProject"}]}}"#.utf8)))
        }
        let other = VisionEndpoint.gemini(url: "http://127.0.0.1:1/other", key: "b")
        #expect(try await read(scan(spent, other), [try photo()])[0].problem == .unanswered(.quota))
    }

    @Test func `files that are no photos fail alone, and nothing of them is sent`() async throws {
        let transport = StubTransport { _, _ in .success(Self.answer("[]")) }
        #expect(throws: PhotoProblem.image(.empty)) { _ = try ShelfPhoto("a.jpg", []) }
        #expect(throws: PhotoProblem.tooLarge(bytes: 11 << 20)) {
            _ = try ShelfPhoto("a.jpg", [UInt8](repeating: 0, count: 11 << 20))
        }
        let photos = try await scan(transport).read([
            ("a.jpg", .failure(.image(.empty))), ("b.png", .success(try photo())),
        ])
        #expect(photos.map(\.name) == ["a.jpg", "b.png"])
        #expect(photos[0].problem == .image(.empty) && photos[1].problem == nil)
        #expect(transport.requests.count == 1)
    }

    @Test func `a stopped scan sends no further photo`() async throws {
        let stop = StopSignal()
        let transport = StubTransport { _, _ in
            stop.raise()
            return .success(Self.answer("[]"))
        }
        let photos = try await read(scan(transport, stop: stop), [try photo(), try photo(1)])
        #expect(transport.requests.count == 1 && photos[1].problem == .stopped)
    }
}
