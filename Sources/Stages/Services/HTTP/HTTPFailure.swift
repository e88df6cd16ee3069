/// Why a request has no answer that can be used.
package enum HTTPFailure: Error, Sendable, Hashable {
    /// Not answered in time, or only drop by drop.
    case timedOut
    /// The host is not there, does not listen or hung up before it said anything.
    case unreachable(String)
    /// The connection broke in the midst of the answer.
    case cutOff
    /// The certificate is not to be trusted, or TLS failed otherwise.
    case insecure(String)
    /// The answer is longer than it may be.
    case tooLarge
    /// The URL, or what a redirect leads to, is not allowed: another scheme, or a private address nobody named.
    case forbiddenAddress
    case tooManyRedirects
    /// Nobody waits for it any more.
    case canceled

    /// Whether another attempt may go better.
    package var isWorthRetrying: Bool {
        switch self {
        case .timedOut, .unreachable, .cutOff: true
        case .insecure, .tooLarge, .forbiddenAddress, .tooManyRedirects, .canceled: false
        }
    }

    /// What happened, to be put after the service's name. It names no URL, for that may hold a key.
    package var words: String {
        switch self {
        case .timedOut: "did not answer in time"
        case .unreachable(let why): "cannot be reached (\(why))"
        case .cutOff: "hung up in the midst of an answer"
        case .insecure(let why): "has no trustworthy connection (\(why))"
        case .tooLarge: "sent an answer that is too long"
        case .forbiddenAddress: "leads to an address that is not allowed"
        case .tooManyRedirects: "redirects without end"
        case .canceled: "was not waited for"
        }
    }
}
