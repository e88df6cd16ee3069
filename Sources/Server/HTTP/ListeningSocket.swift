// Both modules have the socket types. Those of the one that the compiler loads first are used.
import CMicroHTTPD
import Glibc
package import System

/// Makes the socket that a server listens on.
package enum ListeningSocket {
    /// An address and a port to listen on.
    package struct Place: Sendable, Hashable {
        /// An IPv4 or IPv6 address, `127.0.0.1` or `::1`.
        package var address: String
        /// 0 for any free port.
        package var port: UInt16

        package init(address: String, port: UInt16) {
            self.address = address
            self.port = port
        }

        /// Whether only this machine can reach it.
        ///
        /// - Throws: `.configuration` if the address is not one.
        package func isLoopback() throws(ETLError) -> Bool { try ip().isLoopback }

        fileprivate func ip() throws(ETLError) -> IPAddress {
            guard let address = IPAddress(address) else {
                throw ETLError(
                    .configuration, "`\(self.address)` is not an IPv4 or IPv6 address.",
                    advice: "Specify an address of this machine, such as 127.0.0.1.")
            }
            return address
        }
    }

    /// The only place that names these constants: a clean build does not find them here if HTTPServer.swift, which imports
    /// libmicrohttpd, names them too (Swift 6.3.1).
    private static func stream(_ family: Int32) -> Int32 {
        socket(family, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue), 0)
    }

    /// Opens a socket and listens.
    ///
    /// - Throws: `.configuration` if the address is not one of this machine, `.permission` if the port may not
    ///   be used, `.temporary` if another program listens on it.
    package static func open(at place: Place) throws(ETLError) -> Int32 {
        let address = try place.ip()
        let descriptor = stream(address.isV6 ? AF_INET6 : AF_INET)
        guard descriptor >= 0 else { throw failure(place) }
        var yes: Int32 = 1
        setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &yes, socklen_t(MemoryLayout<Int32>.size))
        let isListening = address.withSocketAddress(port: place.port) { address, length in
            bind(descriptor, address, length) == 0 && listen(descriptor, 1_024) == 0
        }
        guard isListening else {
            let failure = failure(place)
            close(descriptor)
            throw failure
        }
        return descriptor
    }

    /// The port of a socket that listens; nil if it is not an IP socket.
    package static func port(of descriptor: Int32) -> UInt16? { name(of: descriptor)?.port }

    private static func name(of descriptor: Int32) -> (address: IPAddress, port: UInt16)? {
        var storage = sockaddr_storage()
        var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
        return withUnsafeMutablePointer(to: &storage) { storage in
            storage.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                getsockname(descriptor, address, &length) == 0 ? IPAddress.named(by: address) : nil
            }
        }
    }

    /// Whether only this machine can reach a socket that listens.
    ///
    /// - Throws: `.configuration` if it is not an IP socket.
    package static func isLoopback(_ descriptor: Int32) throws(ETLError) -> Bool {
        guard let name = name(of: descriptor) else {
            throw ETLError(
                .configuration, "The socket that was passed to the server is not an IP socket.",
                advice: "Let the supervisor listen on an address and a port.")
        }
        return name.address.isLoopback
    }

    private static func failure(_ place: Place) -> ETLError {
        let code = errno
        let name =
            place.address.contains(":")
            ? "[\(place.address)]:\(place.port)" : "\(place.address):\(place.port)"
        let sentence = "Cannot listen on \(name): \(String(cString: strerror(code)))."
        return switch code {
        case EADDRINUSE:
            ETLError(
                .temporary, sentence, advice: "Stop the program that uses the port, or choose another port.")
        case EACCES:
            ETLError(.permission, sentence, advice: "Choose a port from 1024.")
        case EADDRNOTAVAIL:
            ETLError(.configuration, sentence, advice: "Specify an address of this machine.")
        default: ETLError(.temporary, sentence)
        }
    }
}
