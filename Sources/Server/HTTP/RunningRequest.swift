import CMicroHTTPD
import Glibc

/// The words of a request line where they arrived. The path ends where the query begins.
struct RequestLine {
    let method: UnsafePointer<CChar>
    let path: UnsafePointer<CChar>
    let version: UnsafePointer<CChar>
}

/// State of a request on its event loop. Used on one event loop only.
final class RunningRequest {
    /// Bytes of a body that are read and discarded after its receiver has refused it, so that the client
    /// reads the response instead of an error.
    private static let discarded = 8 << 20

    let exchange: Exchange
    let open: OpenConnection
    let hasBody: Bool
    private var receiver: (any BodyReceiver)?
    private var received = 0
    private var ignored = 0
    private var isComplete = false
    /// Receiver of the connection if it becomes a WebSocket.
    var adopt: @Sendable (UpgradedConnection) -> Void = { $0.close() }

    init(
        _ connection: OpaquePointer, _ line: RequestLine, on open: OpenConnection, began: UInt64,
        whenStopping: @escaping @Sendable () -> Response
    ) {
        self.open = open
        let head = Self.head(connection, line, targetCount: open.targetCount)
        hasBody = head["Content-Length"].map { $0 != "0" } ?? (head["Transfer-Encoding"] != nil)
        exchange = Exchange(
            head, peer: Self.address(connection), began: began, on: ConnectionPointer(raw: connection),
            whenStopping: whenStopping)
    }

    /// A head while libmicrohttpd lists its parts.
    private struct Reading {
        var head: RequestHead
        var layout: HeadLayout
    }

    private static func head(
        _ connection: OpaquePointer, _ line: RequestLine, targetCount: Int
    ) -> RequestHead {
        var reading = Reading(
            head: RequestHead(
                method: String(cString: line.method),
                path: UnsafeRawBufferPointer(start: line.path, count: strlen(line.path)),
                isVersion10: strcmp(line.version, "HTTP/1.0") == 0),
            layout: HeadLayout(method: UInt(bitPattern: line.method), count: strlen(line.method)))
        reading.layout.addWord(at: UInt(bitPattern: line.path), count: targetCount)
        reading.layout.addWord(at: UInt(bitPattern: line.version), count: strlen(line.version))
        func add(_ kind: MHD_ValueKind) {
            withUnsafeMutablePointer(to: &reading) { reading in
                _ = MHD_get_connection_values_n(
                    connection, kind,
                    { target, kind, key, keyCount, text, textCount in
                        guard let target, let key else { return .YES }
                        let reading = target.assumingMemoryBound(to: Reading.self)
                        let name = UnsafeRawBufferPointer(start: key, count: keyCount)
                        let value = UnsafeRawBufferPointer(start: text, count: text == nil ? 0 : textCount)
                        if kind == .HEADER_KIND {
                            reading.pointee.layout.addField(
                                name: UInt(bitPattern: key), count: keyCount,
                                value: UInt(bitPattern: text), valueCount: value.count)
                            reading.pointee.head.addField(name, value)
                        } else {
                            reading.pointee.head.addParameter(name, value)
                        }
                        return .YES
                    }, reading)
            }
        }
        add(.HEADER_KIND)
        add(.GET_ARGUMENT_KIND)
        reading.layout.finish(count: etl_http_head_size(connection))
        reading.head.isClean = reading.layout.isClean
        return reading.head
    }

    private static func address(_ connection: OpaquePointer) -> String {
        etl_http_address(connection).flatMap { IPAddress.named(by: $0) }?.address.text ?? ""
    }

    func begin(_ handler: any RequestHandler) { receiver = handler.begin(exchange) }

    /// Whether more of a refused body arrives than is read.
    var isTooLong: Bool { ignored > Self.discarded }

    /// Takes a piece of the body.
    ///
    /// - Returns: The number of bytes so far.
    func receive(_ bytes: UnsafeRawBufferPointer) -> Int {
        received += bytes.count
        guard let receiver, !exchange.hasResponse else {
            ignored += bytes.count
            return received
        }
        exchange.beginReceiving()
        if receiver.receive(bytes) { exchange.receiveMore() }
        return received
    }

    /// - Returns: Whether the body has just been completed.
    func finishBody() -> Bool {
        guard !isComplete else { return false }
        isComplete = true
        if !exchange.hasResponse { receiver?.finish() }
        return true
    }

    /// The request is over. Notifies a receiver that has not got the whole body.
    func abandonBody() {
        if !isComplete { receiver?.abandon() }
        receiver = nil
    }
}
