import CMicroHTTPD
import Glibc
import System

/// Reads a ``ResponseStream`` for libmicrohttpd. Its connection rests while the stream has nothing to send.
package final class StreamReader: Releasable {
    private struct State {
        var isResting = false
        /// There was a wake-up since the stream was read.
        var isWoken = false
        var isOver = false
        /// The server stops.
        var isReleased = false
    }

    private let stream: any ResponseStream
    private let connection: ConnectionPointer
    private let state = Guarded(State())

    init(_ stream: any ResponseStream, on connection: ConnectionPointer) {
        self.stream = stream
        self.connection = connection
    }

    /// There is something to read. Can be called on any thread, and when the stream is over.
    package func wake() {
        state.withLock { state in
            guard !state.isOver else { return }
            if state.isResting {
                state.isResting = false
                MHD_resume_connection(connection.raw)
            } else {
                state.isWoken = true
            }
        }
    }

    /// - Returns: The number of bytes, 0 if the connection rests, or one of libmicrohttpd's two codes.
    private func read(into buffer: UnsafeMutableRawBufferPointer) -> Int {
        while true {
            let isReleased = state.withLock { state in
                state.isWoken = false
                return state.isReleased
            }
            if isReleased { return Self.endOfStream }
            switch stream.read(into: buffer) {
            case .bytes(let count): return count
            case .ended: return Self.endOfStream
            case .waiting:
                let rests = state.withLock { state in
                    guard !state.isWoken else { return false }
                    state.isResting = true
                    MHD_suspend_connection(connection.raw)
                    return true
                }
                if rests { return 0 }
            }
        }
    }

    /// Ends the stream because the server stops.
    func release() {
        state.withLock { $0.isReleased = true }
        wake()
    }

    private func end() {
        state.withLock { $0.isOver = true }
        stream.end()
    }

    /// `MHD_CONTENT_READER_END_OF_STREAM`, a macro that Swift does not import.
    private static let endOfStream = -1
    /// Size of one read in bytes.
    private static let blockBytes = 4_096

    /// A response whose body is the stream; nil if there is no memory.
    func response() -> OpaquePointer? {
        stream.begin(self)
        return MHD_create_response_from_callback(
            UInt64.max, Self.blockBytes,
            { owner, _, bytes, most in
                guard let owner, let bytes else { return StreamReader.endOfStream }
                let reader = Unmanaged<StreamReader>.fromOpaque(owner).takeUnretainedValue()
                return reader.read(into: UnsafeMutableRawBufferPointer(start: bytes, count: most))
            },
            Unmanaged.passRetained(self).toOpaque(),
            { owner in
                guard let owner else { return }
                Unmanaged<StreamReader>.fromOpaque(owner).takeRetainedValue().end()
            })
    }
}

/// The connection of a WebSocket: no longer read or written by libmicrohttpd.
package struct UpgradedConnection: Sendable {
    /// Socket of the WebSocket. With TLS it is a local socket behind which libmicrohttpd encrypts.
    package let descriptor: Int32
    /// Bytes that the client sent right behind its request.
    package let early: [UInt8]
    private let handle: ConnectionPointer

    init(descriptor: Int32, early: [UInt8], handle: OpaquePointer) {
        self.descriptor = descriptor
        self.early = early
        self.handle = ConnectionPointer(raw: handle)
    }

    /// Closes the connection. It must not be used afterwards.
    package func close() { etl_http_close_upgraded(handle.raw) }
}
