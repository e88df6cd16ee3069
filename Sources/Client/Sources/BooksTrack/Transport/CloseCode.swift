/// Why the service closes a WebSocket.
public enum CloseCode: Int, Sendable, Hashable, CaseIterable {
    /// The job is over.
    case complete = 1_000
    /// The server stops, or the job was canceled.
    case goingAway = 1_001
    /// A frame or message of the client is malformed.
    case protocolError = 1_002
    /// A text of the client is not UTF-8.
    case invalidText = 1_007
    /// The token is wrong or has expired, or there is no such job.
    case policyViolation = 1_008
    /// A message of the client is too long.
    case messageTooBig = 1_009
    /// The job or the server has failed.
    case internalError = 1_011
    /// There are too many connections.
    case tryAgainLater = 1_013
    /// None, or one that this client does not know.
    case unknown = 0

    /// Whether connecting again may succeed.
    public var isRetryable: Bool {
        switch self {
        case .complete, .goingAway, .internalError, .tryAgainLater, .unknown: true
        case .protocolError, .invalidText, .policyViolation, .messageTooBig: false
        }
    }

    /// Pause that the contract requires before clients connect again; nil if it states none.
    public var pause: Duration? {
        switch self {
        case .goingAway: .seconds(5)
        case .tryAgainLater: .seconds(30)
        default: nil
        }
    }
}
