import CMicroHTTPD
import Glibc

/// Makes responses of libmicrohttpd.
enum ResponseMaker {
    /// - Parameter reader: Reads the response's stream, if it has one.
    /// - Returns: The response, which the caller destroys after queueing it; nil if there is no memory.
    static func make(_ response: Response, _ reader: StreamReader?) -> OpaquePointer? {
        guard let made = body(response.body, reader) else { return nil }
        for (name, value) in response.fields { MHD_add_response_header(made, name, value) }
        if response.closes { MHD_add_response_header(made, "Connection", "close") }
        return made
    }

    private static func body(_ body: Response.Body, _ reader: StreamReader?) -> OpaquePointer? {
        switch body {
        case .bytes(let bytes):
            return bytes.withUnsafeBytes { bytes in
                MHD_create_response_from_buffer(
                    bytes.count, UnsafeMutableRawPointer(mutating: bytes.baseAddress), .RESPMEM_MUST_COPY)
            }
        case .file(let file):
            // libmicrohttpd closes its own descriptor.
            let descriptor = fcntl(file.descriptor, F_DUPFD_CLOEXEC, 0)
            guard descriptor >= 0 else { return nil }
            return MHD_create_response_from_fd64(UInt64(file.size), descriptor)
        case .stream:
            return reader?.response()
        case .upgrade:
            return MHD_create_response_for_upgrade(
                { _, _, context, extra, count, socket, handle in
                    guard let context, let handle else { return }
                    let early = UnsafeRawBufferPointer(start: extra, count: extra == nil ? 0 : count)
                    Unmanaged<RunningRequest>.fromOpaque(context).takeUnretainedValue().adopt(
                        UpgradedConnection(descriptor: socket, early: Array(early), handle: handle))
                }, nil)
        }
    }
}
