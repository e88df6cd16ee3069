#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

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
