/// Carries nothing anywhere: for a run that must not ask.
package struct OfflineTransport: HTTPTransport {
    package init() {}

    package func send(_ request: HTTPRequest) async throws(HTTPFailure) -> HTTPResponse {
        throw .unreachable("asked for without a network")
    }
}
