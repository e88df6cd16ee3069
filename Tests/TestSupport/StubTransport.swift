import Pipeline
package import Services

/// A transport that answers by a function and notes what it was asked.
package final class StubTransport: HTTPTransport {
    package typealias Answer = @Sendable (HTTPRequest, Int) -> Result<HTTPResponse, HTTPFailure>

    private let seen = Guarded<[HTTPRequest]>([])
    private let answer: Answer

    /// - Parameter answer: Gets the request and its number, from 1.
    package init(_ answer: @escaping Answer) { self.answer = answer }

    /// All requests so far.
    package var requests: [HTTPRequest] { seen.withLock { $0 } }

    package func send(_ request: HTTPRequest) async throws(HTTPFailure) -> HTTPResponse {
        let number = seen.withLock { seen in
            seen.append(request)
            return seen.count
        }
        await Task.yield()
        return try answer(request, number).get()
    }
}
