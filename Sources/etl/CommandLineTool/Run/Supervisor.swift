import Glibc
import System

/// The supervisor that has started the process, such as systemd. It may pass a socket that listens already
/// (sd_listen_fds(3)), and expects a notification when the service is ready (sd_notify(3)). ``Watchdog`` tells it that the
/// service works.
package struct Supervisor: Sendable {
    /// The one of this process.
    package static let process = Supervisor(ProcessTexts.environment, processID: getpid())

    /// The first socket that a supervisor passes.
    private static let firstDescriptor: Int32 = 3

    /// The socket that was passed; nil if there is none.
    package let socket: Int32?
    private let socketPath: String?

    package init(_ environment: [String: String], processID: Int32) {
        // The variables are inherited by children, for whom they are not meant.
        let isMeant = environment["LISTEN_PID"].flatMap { Int32($0) } == processID
        socket =
            isMeant && environment["LISTEN_FDS"].flatMap { Int($0) } ?? 0 > 0 ? Self.firstDescriptor : nil
        socketPath = environment["NOTIFY_SOCKET"].flatMap { $0.isEmpty ? nil : $0 }
        if let socket { _ = fcntl(socket, F_SETFD, FD_CLOEXEC) }
    }

    /// Tells the supervisor something, if there is one: `READY=1`.
    package func tell(_ state: String) {
        guard let socketPath else { return }
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        var path = FileName.bytes(of: socketPath)
        guard path.count < MemoryLayout.size(ofValue: address.sun_path) else { return }
        // An abstract name begins with a zero byte, which is written as `@`.
        if path.first == UInt8(ascii: "@") { path[0] = 0 }
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path) }
        let length = socklen_t((MemoryLayout<sockaddr_un>.offset(of: \.sun_path) ?? 2) + path.count)
        let descriptor = Glibc.socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { return }
        defer { close(descriptor) }
        let bytes = Array(state.utf8)
        withUnsafePointer(to: &address) { address in
            address.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                // A failure to notify a supervisor that does not listen is ignored.
                _ = sendto(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL), address, length)
            }
        }
    }
}
