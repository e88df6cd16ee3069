import TestSupport
import Testing

@testable import Services

/// Numbers in header fields and in variables of the environment.
@Suite struct HostileFieldsTests {
    @Test(arguments: [0, 1_790_000_000_000, .max, .min] as [Int64])
    func `a time to wait is not negative and bounded`(now: Int64) {
        for text in HostileNumbers.texts + HostileNumbers.texts.prefix(2_000).map({ "Sun, 06 Nov \($0) GMT" })
        {
            guard let wait = RetryAfter.milliseconds(text, now: now) else { continue }
            #expect((0...RetryAfter.longest).contains(wait), "\(text)")
        }
    }

    @Test func `networks without a proxy`() {
        for text in HostileNumbers.texts.prefix(3_000) {
            for entry in [text, "10.0.0.0/\(text)", "[::1]/\(text)", "::/\(text)"] {
                let policy = ProxyPolicy(["http_proxy": "http://p", "no_proxy": entry])
                for host in ["10.1.2.3", "[::1]", "example.org"] {
                    let proxy = policy.proxy(for: "http://\(host)/")
                    #expect(proxy == nil || proxy == "http://p")
                }
            }
        }
    }
}
