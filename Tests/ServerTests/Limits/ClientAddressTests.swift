import Testing

@testable import Server

@Suite struct ClientAddressTests {
    private static func client(_ peer: String, _ forwarded: String..., trusting: [String] = []) -> String {
        ClientAddress(proxies: trusting.compactMap { ClientAddress.Range($0) }).client(
            peer: peer, forwarded: forwarded)
    }

    @Test func `without a trusted proxy, what is forwarded is ignored`() {
        #expect(Self.client("192.0.2.7", "203.0.113.9") == "192.0.2.7")
        #expect(Self.client("192.0.2.7", "203.0.113.9", trusting: ["10.0.0.0/8"]) == "192.0.2.7")
    }

    @Test func `a trusted proxy is believed, but not what its client had claimed`() {
        let proxies = ["10.0.0.0/8", "::1"]
        #expect(Self.client("10.1.2.3", "203.0.113.9", trusting: proxies) == "203.0.113.9")
        #expect(Self.client("10.1.2.3", "1.1.1.1, 203.0.113.9", trusting: proxies) == "203.0.113.9")
        #expect(
            Self.client("10.1.2.3", "1.1.1.1", "203.0.113.9 , 10.9.9.9", trusting: proxies) == "203.0.113.9")
        #expect(Self.client("::1", "2001:db8::5", trusting: proxies) == "2001:db8::5")
    }

    @Test func `what is no address ends the chain`() {
        let proxies = ["10.0.0.1"]
        #expect(Self.client("10.0.0.1", "unknown", trusting: proxies) == "10.0.0.1")
        #expect(Self.client("10.0.0.1", "203.0.113.9, unknown", trusting: proxies) == "10.0.0.1")
        #expect(Self.client("10.0.0.1", "", trusting: proxies) == "10.0.0.1")
        #expect(Self.client("10.0.0.1", trusting: proxies) == "10.0.0.1")
    }

    @Test(arguments: ["10.0.0.0/33", "10.0.0.0/-1", "10.0.0.0/x", "localhost", "", "10.0.0", "::/129"])
    func `what is no range is refused`(text: String) { #expect(ClientAddress.Range(text) == nil) }

    @Test func `an IPv6 client cannot evade its limits by changing its address`() {
        #expect(ClientAddress.key("2001:db8:1:2::1") == ClientAddress.key("2001:db8:1:2:ffff::9"))
        #expect(ClientAddress.key("2001:db8:1:2::1") != ClientAddress.key("2001:db8:1:3::1"))
        #expect(ClientAddress.key("192.0.2.7") == "192.0.2.7")
    }

    @Test(arguments: ["::ffff:192.0.2.7", "::FFFF:192.0.2.7", "0:0:0:0:0:ffff:c000:207"])
    func `a client is counted once, however a proxy spells its address`(text: String) {
        #expect(ClientAddress.key(text) == ClientAddress.key("192.0.2.7"))
    }
}
