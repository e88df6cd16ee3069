import Glibc

/// A port of this machine that refuses connections. No other process gets it while this object lives, as it could be
/// with the port of a server that has stopped.
package final class ClosedPort {
    private let descriptor: Int32
    package let number: UInt16

    package init() throws {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = inet_addr("127.0.0.1")
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let code = withUnsafeMutablePointer(to: &address) { address in
            address.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                bind(descriptor, address, length) == 0 ? getsockname(descriptor, address, &length) : -1
            }
        }
        guard code == 0 else {
            let failure = SystemFailure(code: errno)
            close(descriptor)
            throw failure
        }
        self.descriptor = descriptor
        number = UInt16(bigEndian: address.sin_port)
    }

    deinit { close(descriptor) }

    private struct SystemFailure: Error { var code: Int32 }
}
