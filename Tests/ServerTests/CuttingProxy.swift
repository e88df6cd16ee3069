import Foundation
import System
import TestSupport

@testable import Server

/// Passes connections on to a server on this machine, and cuts some of them in the middle.
final class CuttingProxy: Sendable {
    let port: UInt16
    /// The socket that listens; nil once it is closed, when its number may be another's.
    private let socket: Guarded<Int32?>
    private let cuts = Guarded(0)

    /// - Parameter place: The number of bytes, in both directions together, after which the connection of this number,
    ///   from 0, is cut; nil if it is not.
    init(to server: UInt16, cutting place: @escaping @Sendable (Int) -> Int?) throws {
        let descriptor = try ListeningSocket.open(at: .init(address: "127.0.0.1", port: 0))
        socket = Guarded(descriptor)
        port = ListeningSocket.port(of: descriptor) ?? 0
        let (socket, cuts) = (socket, cuts)
        let isStarted = SystemThread.start {
            var number = 0
            while let client = Self.next(descriptor) {
                let limit = place(number)
                number += 1
                if limit != nil { cuts.withLock { $0 += 1 } }
                if !SystemThread.start({ Self.pass(client, to: server, atMost: limit) }) { close(client) }
            }
            socket.withLock { $0 = nil }
            close(descriptor)
        }
        guard isStarted else { throw RawClient.Failure.unreachable(code: EAGAIN) }
    }

    /// Connections that were to be cut. One that is over before its place is not.
    var cutCount: Int { cuts.withLock { $0 } }

    /// Accepts no further connections.
    func stop() { socket.withLock { if let socket = $0 { shutdown(socket, Int32(SHUT_RDWR)) } } }

    deinit { stop() }

    /// The next connection; nil at the end.
    private static func next(_ socket: Int32) -> Int32? {
        while true {
            var waiting = pollfd(fd: socket, events: Int16(POLLIN), revents: 0)
            _ = poll(&waiting, 1, -1)
            let client = accept(socket, nil, nil)
            if client >= 0 { return client }
            guard errno == EAGAIN || errno == EINTR || errno == ECONNABORTED else { return nil }
        }
    }

    /// Passes bytes in both directions until both sides are done, or until the limit is reached.
    private static func pass(_ client: Int32, to port: UInt16, atMost limit: Int?) {
        let server = Foundation.socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        defer {
            close(client)
            close(server)
        }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let isConnected = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(server, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
            }
        }
        guard isConnected else { return }
        var left = limit ?? .max
        var buffer = [UInt8](repeating: 0, count: 16_384)
        var sides = [client, server].map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
        while left > 0, sides.contains(where: { $0.fd >= 0 }) {
            _ = poll(&sides, nfds_t(sides.count), -1)
            for (from, to) in [(0, server), (1, client)] where sides[from].revents != 0 && left > 0 {
                let count = recv(sides[from].fd, &buffer, min(buffer.count, left), 0)
                guard count > 0, send(buffer[..<count], to: to) else {
                    shutdown(to, Int32(SHUT_WR))
                    // Poll ignores it from now on.
                    sides[from].fd = -1
                    // A client has nothing to say after the server's end.
                    if from == 1 { return }
                    continue
                }
                left -= count
            }
        }
    }

    private static func send(_ bytes: ArraySlice<UInt8>, to descriptor: Int32) -> Bool {
        var rest = bytes
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes {
                Foundation.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            guard count > 0 else { return false }
            rest = rest.dropFirst(count)
        }
        return true
    }
}
