import Testing

@testable import Server

@Suite struct RequestHeadTests {
    private static func head(_ path: String) -> RequestHead {
        Array(path.utf8).withUnsafeBytes { RequestHead(method: "GET", target: $0) }
    }

    @Test func `fields are found whatever their case, in their order`() {
        var head = Self.head("/")
        for (name, value) in [("Host", "a"), ("X-A", "1"), ("x-a", "2")] {
            Array(name.utf8).withUnsafeBytes { name in
                Array(value.utf8).withUnsafeBytes { head.addField(name, $0) }
            }
        }
        #expect(head["host"] == "a" && head["X-A"] == "1")
        #expect(head.values(of: "X-a") == ["1", "2"] && head.count(of: "x-A") == 2)
        #expect(head["X-B"] == nil)
    }

    @Test func `a path is split before it is unescaped`() throws {
        #expect(try Self.head("/v1/jobs/a%2F..%2Fb").segments() == ["v1", "jobs", "a/../b"])
        #expect(try Self.head("/").segments().isEmpty)
        #expect(try Self.head("/a/").segments() == ["a", ""])
        #expect(try Self.head("/a+b%20c").segments() == ["a+b c"])
    }

    @Test(arguments: [
        ("http://a.example/x%20y", "a.example", "/x%20y"), ("HTTPS://a.example:8443", "a.example:8443", "/"),
        ("http://u@a/", "u@a", "/"), ("/http://a/", "", "/http://a/"), ("//a/b", "", "//a/b"),
        ("ftp://a/b", "", "ftp://a/b"), ("*", "", "*"), ("http://", "", "http://"),
    ])
    func `a whole address is split into host and path`(target: String, host: String, path: String) {
        #expect(Self.head(target).host == host && Self.head(target).path == path)
    }

    @Test(arguments: ["/%", "/%2", "/%zz", "/%00", "/a%00b", "/%ff", "/%c3"])
    func `escapes that stand for nothing are refused`(path: String) {
        #expect(throws: EscapedText.Malformed.self) { try Self.head(path).segments() }
    }
}

@Suite struct EscapedTextTests {
    @Test func `a zero byte is refused in forms, and kept in a query, whose parameters have rules`() throws {
        #expect(throws: EscapedText.Malformed.self) { try EscapedText.fields(Array("a=1%00".utf8)) }
        #expect(throws: EscapedText.Malformed.self) { try EscapedText.fields(Array("a%00=1".utf8)) }
        #expect(try EscapedText.unescaped(Array("a%00".utf8)[...], plusIsSpace: true) == "a\0")
    }
}

@Suite struct IPAddressTests {
    @Test func `addresses are read, names are not`() {
        #expect(IPAddress("127.0.0.1")?.isLoopback == true)
        #expect(IPAddress("127.9.9.9")?.isLoopback == true)
        #expect(IPAddress("::1")?.isLoopback == true)
        #expect(IPAddress("::ffff:127.0.0.1")?.isLoopback == true)
        #expect(IPAddress("0.0.0.0")?.isLoopback == false)
        #expect(IPAddress("::")?.isLoopback == false)
        #expect(IPAddress("::ffff:192.0.2.7") == IPAddress("192.0.2.7"))
        for name in [
            "localhost", "", "127.0.0.1 ", "127.0.0.1:80", "1", "fe80::1%eth0", "127.0.0.1\0.example",
        ] {
            #expect(IPAddress(name) == nil, "\(name)")
        }
    }
}
