// Both modules have the socket types. Those of the one that the compiler loads first are used.
import CMicroHTTPD
import Glibc

/// An IPv4 or IPv6 address.
package struct IPAddress: Sendable, Hashable {
    /// 4 or 16 bytes, most significant first.
    package let bytes: [UInt8]

    /// Reads `192.0.2.7`, `2001:db8::7`; an IPv4 address in IPv6 notation is the IPv4 address. Nil for
    /// anything else, such as a name.
    package init?(_ text: String) {
        var v4 = in_addr()
        var v6 = in6_addr()
        // For C, a text ends there.
        guard !text.utf8.contains(0) else { return nil }
        if inet_pton(AF_INET, text, &v4) == 1 {
            self.init(withUnsafeBytes(of: &v4) { Array($0) })
        } else if inet_pton(AF_INET6, text, &v6) == 1 {
            self.init(withUnsafeBytes(of: &v6) { Array($0) })
        } else {
            return nil
        }
    }

    private init(_ all: [UInt8]) {
        let isMapped =
            all.count == 16 && all[..<10].allSatisfy { $0 == 0 } && all[10] == 0xFF && all[11] == 0xFF
        bytes = isMapped ? Array(all[12...]) : all
    }

    /// The address and port that a system call has written; nil if they are of another kind.
    static func named(by address: UnsafePointer<sockaddr>) -> (address: IPAddress, port: UInt16)? {
        let raw = UnsafeRawPointer(address)
        switch Int32(raw.load(as: sa_family_t.self)) {
        case AF_INET:
            var name = raw.loadUnaligned(as: sockaddr_in.self)
            return (
                IPAddress(withUnsafeBytes(of: &name.sin_addr) { Array($0) }), UInt16(bigEndian: name.sin_port)
            )
        case AF_INET6:
            var name = raw.loadUnaligned(as: sockaddr_in6.self)
            return (
                IPAddress(withUnsafeBytes(of: &name.sin6_addr) { Array($0) }),
                UInt16(bigEndian: name.sin6_port)
            )
        default: return nil
        }
    }

    /// As people write it: `192.0.2.7`, `2001:db8::7`.
    package var text: String {
        var text = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
        guard inet_ntop(isV6 ? AF_INET6 : AF_INET, bytes, &text, socklen_t(text.count)) != nil else {
            return ""
        }
        return String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    package var isV6: Bool { bytes.count == 16 }

    /// Whether it is 127.0.0.0/8 or ::1.
    package var isLoopback: Bool {
        isV6 ? bytes.dropLast().allSatisfy { $0 == 0 } && bytes[15] == 1 : bytes[0] == 127
    }

    /// Whether the first `bits` bits are those of another address of the same version.
    package func matches(_ other: IPAddress, bits: Int) -> Bool {
        guard bytes.count == other.bytes.count else { return false }
        for index in bytes.indices {
            let left = bits - index * 8
            if left <= 0 { return true }
            let mask: UInt8 = left >= 8 ? 0xFF : 0xFF << UInt8(8 - left)
            if bytes[index] & mask != other.bytes[index] & mask { return false }
        }
        return true
    }

    /// Passes the address to a system call.
    func withSocketAddress<Result>(
        port: UInt16, _ body: (UnsafePointer<sockaddr>?, socklen_t) -> Result
    ) -> Result {
        var storage = sockaddr_storage()
        return withUnsafeMutableBytes(of: &storage) { storage in
            let length: Int
            if isV6 {
                var address = sockaddr_in6()
                address.sin6_family = sa_family_t(AF_INET6)
                address.sin6_port = port.bigEndian
                withUnsafeMutableBytes(of: &address.sin6_addr) { $0.copyBytes(from: bytes) }
                withUnsafeBytes(of: &address) { storage.copyBytes(from: $0) }
                length = MemoryLayout<sockaddr_in6>.size
            } else {
                var address = sockaddr_in()
                address.sin_family = sa_family_t(AF_INET)
                address.sin_port = port.bigEndian
                withUnsafeMutableBytes(of: &address.sin_addr) { $0.copyBytes(from: bytes) }
                withUnsafeBytes(of: &address) { storage.copyBytes(from: $0) }
                length = MemoryLayout<sockaddr_in>.size
            }
            return storage.withMemoryRebound(to: sockaddr.self) { body($0.baseAddress, socklen_t(length)) }
        }
    }
}
