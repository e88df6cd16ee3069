/// Answers requests. Called on the event loops: nothing in it may block.
package protocol RequestHandler: Sendable {
    /// A request's head has arrived. Either the exchange is answered, now or later, or its body is received
    /// first.
    ///
    /// - Returns: Receiver of the body; nil if it is discarded.
    func begin(_ exchange: Exchange) -> (any BodyReceiver)?

    /// The answer to requests that the server can no longer answer because it stops.
    var whenStopping: Response { get }

    /// The answer to a request whose head cannot be used.
    func refusal(of head: HeadFault) -> Response

    /// A request is over: its response was sent, or the connection broke.
    ///
    /// - Parameters:
    ///   - status: The response's status; nil if there was none.
    ///   - isComplete: Whether the whole response was sent.
    func end(_ exchange: Exchange, status: Int?, isComplete: Bool)
}

/// Why the head of a request cannot be used.
package enum HeadFault: Sendable, Hashable {
    /// Its length is no number.
    case malformed
    /// It has too many bytes or fields.
    case tooLarge
}

/// Receives the body of a request, piece by piece, on an event loop.
package protocol BodyReceiver: Sendable {
    /// Takes a piece of the body.
    ///
    /// - Returns: Whether more can come now. If not, no further piece comes until ``Exchange/receiveMore()`` is
    ///   called. ``finish()`` may come before that.
    func receive(_ bytes: UnsafeRawBufferPointer) -> Bool

    /// The whole body has arrived. The receiver answers the exchange, now or later.
    func finish()

    /// The connection broke before the body was complete.
    func abandon()
}
