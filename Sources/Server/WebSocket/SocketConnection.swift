import Glibc
package import WebSocket

/// A socket that does not block, below a WebSocket.
package final class SocketConnection: ByteConnection {
    private let descriptor: Int32
    /// Bytes that the client had sent with its handshake.
    private var early: ArraySlice<UInt8>

    package init(_ connection: UpgradedConnection) {
        descriptor = connection.descriptor
        early = connection.early[...]
        _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK)
    }

    package func receive(into buffer: UnsafeMutableBufferPointer<UInt8>) -> ByteTransfer {
        if !early.isEmpty {
            let taken = min(buffer.count, early.count)
            UnsafeMutableRawBufferPointer(buffer).copyBytes(from: early.prefix(taken))
            early = early.dropFirst(taken)
            return .bytes(taken)
        }
        return transfer { recv(descriptor, buffer.baseAddress, buffer.count, 0) }
    }

    package func send(_ bytes: UnsafeBufferPointer<UInt8>) -> ByteTransfer {
        transfer { Glibc.send(descriptor, bytes.baseAddress, bytes.count, Int32(MSG_NOSIGNAL)) }
    }

    private func transfer(_ call: () -> Int) -> ByteTransfer {
        while true {
            let count = call()
            if count > 0 { return .bytes(count) }
            if count == 0 { return .ended }
            switch errno {
            case EINTR: continue
            case EAGAIN, EWOULDBLOCK: return .later
            default: return .failed
            }
        }
    }

    package func finish() { shutdown(descriptor, Int32(SHUT_WR)) }
}
