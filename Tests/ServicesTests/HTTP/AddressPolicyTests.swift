import Testing

@testable import Services

@Suite struct AddressPolicyTests {
    private static func ipv4(_ text: String) -> UInt32 {
        text.split(separator: ".").compactMap { UInt32($0) }.reduce(0) { $0 << 8 | $1 }
    }

    @Test(arguments: [
        "127.0.0.1", "10.1.2.3", "172.16.0.1", "172.31.255.255", "192.168.0.1", "169.254.169.254", "0.0.0.0",
        "100.64.0.1", "198.18.0.1", "224.0.0.1", "255.255.255.255", "192.0.0.8",
    ])
    func `private, local and reserved addresses are not public`(_ address: String) {
        #expect(!AddressPolicy.isPublic(ipv4: Self.ipv4(address)))
    }

    @Test(arguments: ["1.1.1.1", "172.15.0.1", "172.32.0.1", "100.128.0.1", "192.0.1.1", "207.241.224.2"])
    func `addresses next to private ranges are public`(_ address: String) {
        #expect(AddressPolicy.isPublic(ipv4: Self.ipv4(address)))
    }

    @Test func `only assigned IPv6 ranges are public, and embedded IPv4 addresses are checked`() {
        func bytes(_ first: [UInt8], _ last: [UInt8] = []) -> [UInt8] {
            first + [UInt8](repeating: 0, count: 16 - first.count - last.count) + last
        }
        #expect(!AddressPolicy.isPublic(ipv6: bytes([], [1])))
        #expect(!AddressPolicy.isPublic(ipv6: bytes([])))
        #expect(!AddressPolicy.isPublic(ipv6: bytes([0xFE, 0x80], [1])))
        #expect(!AddressPolicy.isPublic(ipv6: bytes([0xFD, 0], [1])))
        #expect(!AddressPolicy.isPublic(ipv6: bytes([], [0xFF, 0xFF, 127, 0, 0, 1])))
        #expect(!AddressPolicy.isPublic(ipv6: bytes([0x20, 0x02, 10, 0, 0, 1])))
        #expect(!AddressPolicy.isPublic(ipv6: bytes([0, 0x64, 0xFF, 0x9B], [192, 168, 1, 1])))
        #expect(AddressPolicy.isPublic(ipv6: bytes([], [0xFF, 0xFF, 1, 1, 1, 1])))
        #expect(AddressPolicy.isPublic(ipv6: bytes([0x26, 0x06, 0x47], [0x11])))
        #expect(!AddressPolicy.isPublic(ipv6: []))
    }
}

@Suite struct ProxyPolicyTests {
    private static let both = ["http_proxy": "plain", "https_proxy": "secure"]

    private func proxy(_ url: String, _ environment: [String: String]) -> String? {
        ProxyPolicy(environment).proxy(for: url)
    }

    @Test func `each scheme has its own proxy, with all_proxy as the fallback`() {
        #expect(proxy("http://a.example/", Self.both) == "plain")
        #expect(proxy("HTTPS://a.example/", Self.both) == "secure")
        #expect(proxy("https://a.example/", ["http_proxy": "plain"]) == nil)
        #expect(proxy("http://a.example/", ["https_proxy": "secure"]) == nil)
        #expect(proxy("http://a.example/", ["https_proxy": "secure", "all_proxy": "any"]) == "any")
        #expect(proxy("https://a.example/", ["HTTPS_PROXY": "secure", "ALL_PROXY": "any"]) == "secure")
        #expect(proxy("https://a.example/", ["https_proxy": "", "HTTPS_PROXY": "secure"]) == "secure")
        #expect(proxy("https://a.example/", [:]) == nil)
    }

    @Test func `HTTP_PROXY in capitals is ignored because a web request could set it`() {
        #expect(proxy("http://a.example/", ["HTTP_PROXY": "plain"]) == nil)
    }

    @Test(arguments: [
        ("a.example", "http://a.example/x", true), ("a.example", "http://A.Example:8080/", true),
        (".example", "https://b.a.example", true), ("example, other", "http://a.example./", true),
        ("a.example", "http://ba.example/", false), ("b.example", "http://b.example.org/", false),
        ("*", "http://anything/", true), ("*,x", "http://anything/", false), (" ,.", "http://a/", false),
        ("a.example", "http://a.example@evil.example/", false),
        ("127.0.0.1", "http://127.0.0.1:80/", true), ("127.0.0.1", "http://127.0.0.2/", false),
        ("10.0.0.0/9", "http://10.127.0.1/", true), ("10.0.0.0/9", "http://10.128.0.1/", false),
        ("10.0.0.0/99", "http://10.0.0.0/", false), ("10.0.0.0/x", "http://10.0.0.0/", false),
        ("0.0.0.0/0", "http://10.1.2.3/", true), ("0.0.0.0/0", "http://[::1]/", false),
        ("::1", "http://[0:0::1]:80/", true), ("fe80::/10", "http://[fea0::1]/", true),
        ("0.0.1", "http://127.0.0.1/", false), ("a", "", false),
    ])
    func `hosts in NO_PROXY are reached directly`(_ list: String, _ url: String, _ isExempt: Bool) {
        let environment = ["all_proxy": "any", "NO_PROXY": list]
        #expect((proxy(url, environment) == nil) == isExempt)
        let first = ["all_proxy": "any", "no_proxy": "unheard.example", "NO_PROXY": list]
        #expect(proxy(url, first) == "any")
    }
}
