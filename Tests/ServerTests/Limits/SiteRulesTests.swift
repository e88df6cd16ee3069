import Testing

@testable import Server

@Suite struct SiteRulesTests {
    private let rules = SiteRules(hosts: ["books.example"], origins: ["https://app.example"])

    @Test(arguments: [
        "localhost", "localhost:8787", "LOCALHOST:1", "127.0.0.1:8787", "[::1]:8787", "192.0.2.7",
        "books.example",
        "Books.Example:443", "books.example.",
    ])
    func `own names and addresses are answered`(host: String) { #expect(rules.isOurs(host: host)) }

    @Test(arguments: [
        "", "evil.example", "localhost.evil.example", "books.example.evil.example", "127.0.0.1.evil.example",
        "localhost:80:80", "localhost:8787x", "[::1", "[::1]x", "books.example@evil.example", "127.1",
        "2130706433",
    ])
    func `other names are not, whatever they lead to`(host: String) { #expect(!rules.isOurs(host: host)) }

    @Test func `a page of another site needs permission`() {
        #expect(rules.origin(nil, host: "localhost:8787") == .own)
        #expect(rules.origin("http://localhost:8787", host: "localhost:8787") == .own)
        #expect(rules.origin("https://books.example", host: "books.example") == .own)
        #expect(
            rules.origin("https://app.example", host: "localhost:8787") == .allowed("https://app.example"))
        for foreign in [
            "null", "", "https://evil.example", "http://localhost:8788", "http://localhost:8787.evil.example",
            "https://app.example.evil.example", "https://app.example/", "file://", "http://localhost:8787/x",
        ] {
            #expect(rules.origin(foreign, host: "localhost:8787") == .refused, "\(foreign)")
        }
    }
}
