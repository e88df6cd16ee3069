import System

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// Standard output, buffered. No failure is lost: after the first one nothing more is written, and every call
/// throws it again.
final class BufferedOutput: Sendable {
    /// Buffered bytes that cause a write.
    private static let pieceSize = 64 << 10

    private struct State {
        var pending: [UInt8] = []
        var failure: Int32 = 0
        var isUnused = true
    }

    private let outlet: any ByteOutlet
    private let isTerminal: Bool
    private let state = Guarded(State())

    /// - Parameter isTerminal: Whether the outlet was a terminal at the start. A closed terminal is no longer
    ///   recognized.
    init(_ outlet: any ByteOutlet, isTerminal: Bool = false) {
        self.outlet = outlet
        self.isTerminal = isTerminal
    }

    /// Buffers bytes, and writes them when there are enough.
    func write(_ bytes: some Sequence<UInt8> & Sendable) throws(CommandFailure) {
        let failure = state.withLock { state in
            guard state.failure == 0 else { return state.failure }
            state.isUnused = false
            state.pending.append(contentsOf: bytes)
            return state.pending.count >= Self.pieceSize ? Self.drain(&state, outlet) : 0
        }
        try check(failure)
    }

    /// Whether nothing was written, not even to the buffer.
    var isUnused: Bool { state.withLock(\.isUnused) }

    /// Writes the buffered bytes.
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
        // A terminal whose window was closed. For a file, EIO is a failing disk.
        case EIO where isTerminal: throw .readerGone
        default:
            throw CommandFailure(
                .inputOutput, "Standard output cannot be written: \(String(cString: strerror(failure))).",
                advice: failure == ENOSPC ? "Free some disk space, or write to another disk." : nil)
        }
    }
}

/// A destination for bytes outside the process.
protocol ByteOutlet: Sendable {
    /// Writes all bytes. Returns 0, or the `errno` of the failure.
    func write(_ bytes: UnsafeRawBufferPointer) -> Int32
}

extension ByteOutlet {
    func write(_ bytes: [UInt8]) -> Int32 { bytes.withUnsafeBytes { write($0) } }
}

/// A file that is closed with the last reference to it.
final class FileOutlet: ByteOutlet {
    private let outlet: DescriptorOutlet

    /// - Parameter descriptor: Open for writing; closed by this object.
    init(descriptor: Int32) { outlet = DescriptorOutlet(descriptor: descriptor) }

    deinit { close(outlet.descriptor) }

    func write(_ bytes: UnsafeRawBufferPointer) -> Int32 { outlet.write(bytes) }
}

/// An open file descriptor: standard output, standard error or a file.
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
                case EAGAIN: waitUntilWritable()
                default: return errno
                }
            } else {
                rest = UnsafeRawBufferPointer(rebasing: rest[count...])
            }
        }
        return 0
    }

    /// Waits for a terminal or pipe that another process has made non-blocking. Making it blocking again
    /// would change it for that process too.
    private func waitUntilWritable() {
        var request = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        poll(&request, 1, -1)
    }
}
