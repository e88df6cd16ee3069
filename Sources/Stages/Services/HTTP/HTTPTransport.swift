/// What carries requests to services: libcurl in earnest (``CurlClient``), anything in a test.
package protocol HTTPTransport: Sendable {
    /// Sends a request and gives the answer, whatever its status.
    ///
    /// - Throws: Where there is no answer, or none that may be used. Ends early when the task is cancelled.
    func send(_ request: HTTPRequest) async throws(HTTPFailure) -> HTTPResponse
}
