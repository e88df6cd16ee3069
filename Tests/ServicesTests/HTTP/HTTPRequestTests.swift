import Testing

@testable import Services

@Suite struct HTTPRequestTests {
    private let request = HTTPRequest(
        "https://api.example.org/v1?q=1",
        fields: [
            .init("Accept", "application/json"), .init("X-Key", "k", isSecret: true),
            .init("Authorization", "k"),
            .init("cookie", "k"),
        ], allowsPrivateNetwork: true)

    @Test(arguments: [
        ("https://api.example.org/v1?q=1", "https://api.example.org/v1"),
        ("http://me:secret@example.org:8080/a/b#c", "http://example.org:8080/a/b"),
        ("http://example.org?key=secret", "http://example.org"),
        ("http://me@example.org/a@b?c@d", "http://example.org/a@b"),
    ])
    func `the address for messages has no query and no credentials`(url: String, address: String) {
        #expect(HTTPRequest(url).address == address)
    }

    @Test(arguments: ["https://api.example.org/v2", "HTTPS://API.example.org/"])
    func `a redirect within an origin keeps everything`(url: String) {
        var expected = request
        expected.url = url
        #expect(request.redirected(to: url) == expected)
    }

    @Test(
        arguments: [
            "https://example.org/", "http://api.example.org/", "https://api.example.org:8443/",
            "https://api.example.org.evil.test/",
        ])
    func `a redirect to another origin has no credentials and no access to private networks`(url: String) {
        let next = request.redirected(to: url)
        #expect(next.fields == [.init("Accept", "application/json")])
        #expect(!next.allowsPrivateNetwork)
    }
}
