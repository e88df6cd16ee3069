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
    func `addresses beside them are`(_ address: String) {
        #expect(AddressPolicy.isPublic(ipv4: Self.ipv4(address)))
    }

    @Test func `of IPv6 only what is given out is public, and what wraps IPv4 is judged by that`() {
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
