import CMicroHTTPD
import Glibc

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
        _ connection: OpaquePointer, _ head: RequestHead, on open: OpenConnection, began: UInt64,
        whenStopping: @escaping @Sendable () -> Response
    ) {
        self.open = open
        hasBody = head["Content-Length"].map { $0 != "0" } ?? (head["Transfer-Encoding"] != nil)
        exchange = Exchange(
            head, peer: Self.address(connection), began: began, on: ConnectionPointer(raw: connection),
            whenStopping: whenStopping)
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
