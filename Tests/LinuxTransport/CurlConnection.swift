import CCurl
import WebSocket

/// A connection that libcurl has made, with or without TLS. Used by one thread.
final class CurlConnection: ByteConnection {
    private let handle: UnsafeMutableRawPointer
    /// Bytes that came with the answer to the handshake.
    private var early: ArraySlice<UInt8> = []

    /// - Parameter handle: A handle that is connected, and lives longer.
    init(_ handle: UnsafeMutableRawPointer) { self.handle = handle }

    /// The socket, to wait for.
    var descriptor: Int32 { etl_curl_active_socket(handle) }

    /// These bytes are received again first.
    func putBack(_ bytes: [UInt8]) { early = bytes[...] }

    func receive(into buffer: UnsafeMutableBufferPointer<UInt8>) -> ByteTransfer {
        if !early.isEmpty {
            let taken = min(buffer.count, early.count)
            UnsafeMutableRawBufferPointer(buffer).copyBytes(from: early.prefix(taken))
            early = early.dropFirst(taken)
            return .bytes(taken)
        }
        return transfer { curl_easy_recv(handle, buffer.baseAddress, buffer.count, &$0) }
    }

    func send(_ bytes: UnsafeBufferPointer<UInt8>) -> ByteTransfer {
        transfer { curl_easy_send(handle, bytes.baseAddress, bytes.count, &$0) }
    }

    private func transfer(_ call: (inout Int) -> CURLcode) -> ByteTransfer {
        var count = 0
        switch call(&count) {
        case CURLE_OK: return count > 0 ? .bytes(count) : .ended
        case CURLE_AGAIN: return .later
        default: return .failed
        }
    }

    /// libcurl cannot close one direction only.
    func finish() {}
}
