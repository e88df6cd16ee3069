/// Carries nothing anywhere: for a run that must not ask.
struct NoNetwork: HTTPTransport {
    func send(_ request: HTTPRequest) async throws(HTTPFailure) -> HTTPResponse {
        throw .unreachable("asked for without a network")
    }
}
