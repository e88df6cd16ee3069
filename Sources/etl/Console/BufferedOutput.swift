import Pipeline

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// Standard output: collected and written in large pieces, and never failing in silence. After a failure
/// nothing more is written, and every call tells the same failure.
final class BufferedOutput: Sendable {
    /// Bytes that are written at once.
    private static let pieceSize = 64 << 10

    private struct State {
        var pending: [UInt8] = []
        var failure: Int32 = 0
    }

    private let outlet: any ByteOutlet
    private let isTerminal: Bool
    private let state = Guarded(State())

    /// - Parameter isTerminal: Whether the outlet was a terminal to begin with: one that has gone does not say so.
    init(_ outlet: any ByteOutlet, isTerminal: Bool = false) {
        self.outlet = outlet
        self.isTerminal = isTerminal
    }

    /// Takes bytes; writes when there are enough of them.
    func write(_ bytes: some Sequence<UInt8> & Sendable) throws(CommandFailure) {
        let failure = state.withLock { state in
            guard state.failure == 0 else { return state.failure }
            state.pending.append(contentsOf: bytes)
            return state.pending.count >= Self.pieceSize ? Self.drain(&state, outlet) : 0
        }
        try check(failure)
    }

    /// Writes what is pending.
    func flush() throws(CommandFailure) {
        try check(state.withLock { Self.drain(&$0, outlet) })
    }

    private static func drain(_ state: inout State, _ outlet: any ByteOutlet) -> Int32 {
        if state.failure == 0, !state.pending.isEmpty {
            state.failure = state.pending.withUnsafeBytes { outlet.write($0) }
            state.pending.removeAll(keepingCapacity: true)
        }
        return state.failure
    }

    private func check(_ failure: Int32) throws(CommandFailure) {
        switch failure {
        case 0: return
        case EPIPE: throw .readerGone
        // What a terminal says whose window was closed; of a file it is a disk that fails.
        case EIO where isTerminal: throw .readerGone
        default:
            throw CommandFailure(
                .inputOutput, "Standard output cannot be written: \(String(cString: strerror(failure))).",
                advice: failure == ENOSPC ? "Make room, or write to another place." : nil)
        }
    }
}

/// Where bytes leave the process.
protocol ByteOutlet: Sendable {
    /// Writes all of them; 0, or the `errno` that ended it.
    func write(_ bytes: UnsafeRawBufferPointer) -> Int32
}

/// A file descriptor that is open already: standard output or standard error.
struct DescriptorOutlet: ByteOutlet {
    let descriptor: Int32

    func write(_ bytes: UnsafeRawBufferPointer) -> Int32 {
        var rest = bytes
        while !rest.isEmpty {
            #if canImport(Glibc)
            let count = Glibc.write(descriptor, rest.baseAddress, rest.count)
            #else
            let count = Musl.write(descriptor, rest.baseAddress, rest.count)
            #endif
            if count < 0 {
                switch errno {
                case EINTR: continue
                case EAGAIN: waitForRoom()
                default: return errno
                }
            } else {
                rest = UnsafeRawBufferPointer(rebasing: rest[count...])
            }
        }
        return 0
    }

    /// A terminal or pipe that somebody else has made non-blocking is waited for: we cannot make it blocking
    /// again without doing the same to them.
    private func waitForRoom() {
        var wish = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        poll(&wish, 1, -1)
    }
}
