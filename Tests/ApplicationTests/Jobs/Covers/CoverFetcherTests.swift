import Foundation
import Queries
import Services
import System
import TestSupport
import Testing

@testable import Jobs

@Suite struct CoverFetcherTests {
    private static let jpeg = ImageFixture.jpeg()
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func fetcher(_ transport: StubTransport) -> CoverFetcher {
        var settings = ServiceSettings()
        settings.transport = transport
        return CoverFetcher(
            settings, keptIn: folder.file("cache/covers"), clock: ManualClock(), stop: StopSignal())
    }

    @Test func `images are fetched once in the size of a page, and kept`() async throws {
        let transport = StubTransport { _, _ in .success(HTTPResponse(status: 200, body: Self.jpeg)) }
        let address = "https://covers.openlibrary.org/b/id/12-L.jpg"
        let images = try await fetcher(transport).images(at: [address, address, "javascript:alert(1)"])
        #expect(images.keys.sorted() == [address] && images[address]?.bytes == Self.jpeg)
        #expect(
            transport.requests.map(\.url) == ["https://covers.openlibrary.org/b/id/12-M.jpg?default=false"])
        let again = StubTransport { _, _ in .failure(.timedOut) }
        #expect(try await fetcher(again).images(at: [address]) == images && again.requests.isEmpty)
    }

    @Test func `what is no image, missing or too large is left out`() async throws {
        let transport = StubTransport { request, _ in
            switch request.url.suffix(1) {
            case "1": .success(HTTPResponse(status: 404))
            case "2": .success(HTTPResponse(status: 200, body: Array("<html>no cover</html>".utf8)))
            case "3":
                .success(HTTPResponse(status: 200, body: Self.jpeg + [UInt8](repeating: 0, count: 90_000)))
            default: .success(HTTPResponse(status: 200, body: Self.jpeg))
            }
        }
        let addresses = (1...4).map { "http://covers.example/\($0)" }
        #expect(try await fetcher(transport).images(at: addresses).keys.sorted() == [addresses[3]])
        #expect(transport.requests.count == 4)
    }

    @Test func `all images of a page have a limit`() async throws {
        let large = Self.jpeg + [UInt8](repeating: 0, count: 70_000)
        let transport = StubTransport { _, _ in .success(HTTPResponse(status: 200, body: large)) }
        let addresses = (1...12).map { "https://covers.example/\($0)" }
        let images = try await fetcher(transport).images(at: addresses)
        #expect(addresses.filter { images[$0] != nil } == Array(addresses.prefix(7)))
    }

    @Test func `a service that does not answer leaves the page without covers`() async throws {
        let transport = StubTransport { _, _ in .failure(.insecure("no certificate")) }
        #expect(try await fetcher(transport).images(at: ["https://covers.example/1"]).isEmpty)
    }
}
