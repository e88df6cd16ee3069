import Glibc

/// A response: status, header fields, body.
package struct Response: Sendable {
    /// The body that follows the head.
    package enum Body: Sendable {
        case bytes([UInt8])
        /// A file that is sent from its start. Its descriptor is closed afterwards.
        case file(SpooledFile)
        /// Bytes that come as they are made, until the stream ends or the client leaves.
        case stream(any ResponseStream)
        /// The connection becomes a WebSocket, and belongs to `adopt` from then on.
        case upgrade(adopt: @Sendable (UpgradedConnection) -> Void)
    }

    package var status: Int
    /// Names and values. Values must not contain line ends.
    package private(set) var fields: [(name: String, value: String)]
    package var body: Body
    /// Whether the connection is closed after the response.
    package var closes = false

    package init(_ status: Int, _ body: Body, fields: [(name: String, value: String)] = []) {
        self.status = status
        self.body = body
        self.fields = []
        for (name, value) in fields { add(name, value) }
    }

    package init(_ status: Int, text: String, type: String, fields: [(name: String, value: String)] = []) {
        self.init(status, .bytes(Array(text.utf8)), fields: [("Content-Type", type)] + fields)
    }

    /// Adds a header field. Control characters in the value would begin another field, so they become spaces.
    package mutating func add(_ name: String, _ value: String) {
        let isPlain = value.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F }
        let safe =
            isPlain
            ? value : String(decoding: value.utf8.map { $0 >= 0x20 && $0 != 0x7F ? $0 : 0x20 }, as: UTF8.self)
        fields.append((name, safe))
    }

    /// Makes browsers send its cookies over TLS only.
    package mutating func secureCookies() {
        for index in fields.indices where fields[index].name == "Set-Cookie" {
            fields[index].value += "; Secure"
        }
    }

    /// Puts the path of the server in front of the paths in its head.
    package mutating func mount(at base: BasePath) {
        guard !base.isRoot else { return }
        for index in fields.indices {
            let value = fields[index].value
            switch fields[index].name {
            case "Location": fields[index].value = base.text + value
            case "Link": fields[index].value = value.replacing("</", with: "<\(base.text)/")
            case "Set-Cookie":
                fields[index].value = value.replacing("; Path=/;", with: "; Path=\(base.text);")
            default: break
            }
        }
    }

    /// The stream that is its body; nil if it has another one.
    var stream: (any ResponseStream)? { if case .stream(let stream) = body { stream } else { nil } }

    /// The value of a header field; nil if there is none.
    package subscript(field: String) -> String? {
        fields.first { $0.name.lowercased() == field.lowercased() }?.value
    }
}

/// An open file whose whole content is a response. Closed when nothing refers to it any more.
package final class SpooledFile: Sendable {
    package let descriptor: Int32
    package let size: Int
    /// Lives as long as the file: its bytes in a quota. Nil for none.
    private let lease: (any Sendable)?

    package init(descriptor: Int32, size: Int, lease: (any Sendable)? = nil) {
        self.descriptor = descriptor
        self.size = size
        self.lease = lease
    }

    /// The same file with its size now; the other one is no longer used.
    package func sized(_ size: Int) -> SpooledFile {
        SpooledFile(descriptor: fcntl(descriptor, F_DUPFD_CLOEXEC, 0), size: size, lease: lease)
    }

    deinit { close(descriptor) }
}

/// A response body that is made while it is sent.
///
/// It is read on an event loop, so nothing in it may block. If it has nothing to send, the connection rests
/// until ``StreamReader/wake()`` is called.
package protocol ResponseStream: Sendable {
    /// Called once, before the first read. The stream calls `reader.wake()` when there is something to read.
    func begin(_ reader: StreamReader)

    /// Fills a buffer with what comes next.
    func read(into buffer: UnsafeMutableRawBufferPointer) -> StreamStep

    /// Called once, when the response is over or the client has left.
    func end()
}

/// The result of reading a ``ResponseStream``.
package enum StreamStep: Sendable, Hashable {
    /// So many bytes are in the buffer; at least 1.
    case bytes(Int)
    /// Nothing to send now.
    case waiting
    case ended
}
