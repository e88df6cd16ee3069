import Testing

@testable import Server

@Suite struct RequestSiteTests {
    private static func site(
        _ fields: [(String, String)], isEncrypted: Bool = false, isTrusted: Bool = true,
        base: BasePath = .root
    ) -> RequestSite {
        var head = Array("/".utf8).withUnsafeBytes { RequestHead(method: "GET", target: $0) }
        for (name, value) in [("Host", "books.example")] + fields {
            Array(name.utf8).withUnsafeBytes { name in
                Array(value.utf8).withUnsafeBytes { head.addField(name, $0) }
            }
        }
        return RequestSite(head, isEncrypted: isEncrypted, isTrusted: isTrusted, base: base)
    }

    private static let forwarded = [
        ("X-Forwarded-Host", "shelf.example:8443"), ("X-Forwarded-Proto", "https"), ("X-Forwarded-Port", "1"),
    ]

    @Test func `a trusted proxy says how the server is seen, others do not`() {
        let trusted = Self.site(Self.forwarded)
        #expect(trusted.host == "shelf.example:8443" && trusted.isSecure && trusted.isStrict)
        let other = Self.site(Self.forwarded, isTrusted: false)
        #expect(other.host == "books.example" && !other.isSecure && !other.isStrict)
        #expect(Self.site([], isEncrypted: true, isTrusted: false).isStrict)
        #expect(Self.site([]).host == "books.example" && !Self.site([]).isSecure)
    }

    @Test func `a port is added if it is not the scheme's own`() {
        func host(_ port: String, _ scheme: String, _ host: String? = nil) -> String {
            Self.site(
                [("X-Forwarded-Port", port), ("X-Forwarded-Proto", scheme)]
                    + (host.map { [("X-Forwarded-Host", $0)] } ?? [])
            ).host
        }
        #expect(host("8443", "https") == "books.example:8443" && host("443", "https") == "books.example")
        #expect(host("443", "http") == "books.example:443" && host("80", "HTTP") == "books.example")
        #expect(host("8443", "https", "[::1]") == "[::1]:8443" && host("1", "https", "[::1]:2") == "[::1]:2")
    }

    @Test func `of several values the nearest proxy's counts`() {
        #expect(Self.site([("X-Forwarded-Host", "evil.example, shelf.example")]).host == "shelf.example")
        #expect(
            Self.site([("X-Forwarded-Host", "evil.example"), ("X-Forwarded-Host", "shelf.example")]).host
                == "shelf.example")
        #expect(Self.site([("X-Forwarded-Host", " , ")]).host == "books.example")
        #expect(!Self.site([("X-Forwarded-Proto", "https, http")], isEncrypted: true).isSecure)
    }

    @Test func `the path of the server begins with what the proxy removes`() throws {
        let base = try #require(BasePath("/books"))
        func path(_ prefix: String?, isTrusted: Bool = true) -> String {
            Self.site(prefix.map { [("X-Forwarded-Prefix", $0)] } ?? [], isTrusted: isTrusted, base: base)
                .base
                .text
        }
        #expect(path(nil) == "/books" && path("/shelf/") == "/shelf/books" && path("/") == "/books")
        #expect(path("/evil, /shelf") == "/shelf/books")
        #expect(path("/shelf", isTrusted: false) == "/books")
        for prefix in ["//evil.example", "shelf", "/a%20b", "/a\"b", "/..", "https://evil.example"] {
            #expect(path(prefix) == "/books", "\(prefix)")
        }
    }

    @Test func `browsers are not told to use only TLS for all servers of the machine`() {
        let site = Self.site([("X-Forwarded-Host", "LocalHost:8443"), ("X-Forwarded-Proto", "https")])
        #expect(site.isSecure && !site.isStrict)
    }
}
