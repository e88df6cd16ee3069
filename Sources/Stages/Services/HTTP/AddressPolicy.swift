import Foundation

/// Which addresses a request may reach when nobody named them: not the machine itself, not its networks (RFC 1918,
/// 4193, 6598, 3927, 4291). It is asked after the name was resolved, so no name can lead there either.
enum AddressPolicy {
    /// Whether an address is one of the public internet.
    static func isPublic(_ address: UnsafePointer<sockaddr>) -> Bool {
        switch Int32(address.pointee.sa_family) {
        case AF_INET:
            address.withMemoryRebound(to: sockaddr_in.self, capacity: 1) {
                isPublic(ipv4: UInt32(bigEndian: $0.pointee.sin_addr.s_addr))
            }
        case AF_INET6:
            address.withMemoryRebound(to: sockaddr_in6.self, capacity: 1) { address in
                withUnsafeBytes(of: address.pointee.sin6_addr) { isPublic(ipv6: Array($0)) }
            }
        default: false
        }
    }

    /// The same of an IPv4 address in the machine's byte order.
    static func isPublic(ipv4 address: UInt32) -> Bool {
        let (a, b) = (address >> 24, address >> 16 & 0xFF)
        switch (a, b) {
        case (0, _), (10, _), (127, _), (169, 254), (192, 168): return false
        case (172, 16...31), (100, 64...127), (198, 18...19): return false
        // 192.0.0.0/24, for protocols; 224.0.0.0 and above: multicast and reserved.
        case (192, 0): return address >> 8 & 0xFF != 0
        default: return a < 224
        }
    }

    /// The same of the sixteen bytes of an IPv6 address; one that wraps an IPv4 address is judged by that.
    static func isPublic(ipv6 bytes: [UInt8]) -> Bool {
        guard bytes.count == 16 else { return false }
        func ipv4(at offset: Int) -> UInt32 { bytes[offset..<offset + 4].reduce(0) { $0 << 8 | UInt32($1) } }
        if bytes[..<10].allSatisfy({ $0 == 0 }), bytes[10] == 0xFF, bytes[11] == 0xFF {
            return isPublic(ipv4: ipv4(at: 12))
        }
        // 64:ff9b::/96 and 2002::/16 carry IPv4 addresses as well.
        if bytes[0] == 0, bytes[1] == 0x64, bytes[2] == 0xFF, bytes[3] == 0x9B {
            return isPublic(ipv4: ipv4(at: 12))
        }
        if bytes[0] == 0x20, bytes[1] == 0x02 { return isPublic(ipv4: ipv4(at: 2)) }
        // Of all the rest only 2000::/3 is given out.
        return bytes[0] & 0xE0 == 0x20
    }
}
