package import FakeServices
package import Services
package import System

/// Carries requests to the fake services without a socket. Delays advance the test's clock instead of taking
/// time, so that a service can be silent ten thousand times in a test of a few seconds.
package final class FakeTransport: HTTPTransport {
    /// Nanoseconds after which a slow connection is given up (``CurlSettings``).
    private static let dripLimit: UInt64 = 5_000_000_000

    private let services: FakeServices
    private let clock: any RunClock
    private let seen = Guarded<[ReceivedRequest]>([])

    package init(_ services: FakeServices, clock: any RunClock) {
        self.services = services
        self.clock = clock
    }

    /// All requests so far, in order.
    package var requests: [ReceivedRequest] { seen.withLock { $0 } }

    package func send(_ request: HTTPRequest) async throws(HTTPFailure) -> HTTPResponse {
        if Task.isCancelled { throw .canceled }
        let origin = HTTPRequest.origin(of: request.url)
        var fields: [String: String] = [:]
        for field in request.fields { fields[field.name.lowercased()] = field.value }
        let asked = FakeRequest(
            method: request.body == nil ? "GET" : "POST",
            target: String(request.url.dropFirst(origin.count)), fields: fields, body: request.body ?? [])
        let reply = services.answer(asked)
        let visit = ReceivedRequest(request: asked, at: clock.nanoseconds(), fault: reply.fault)
        seen.withLock { $0.append(visit) }
        await clock.sleep(nanoseconds: UInt64(reply.delayMilliseconds) * 1_000_000)
        switch reply.manner {
        case .well: break
        case .cutOff, .cutOffInHead, .reset: throw .cutOff
        case .dripping:
            await clock.sleep(nanoseconds: Self.dripLimit)
            throw .timedOut
        case .silent:
            await clock.sleep(nanoseconds: request.timeLimit)
            throw .timedOut
        }
        var response = HTTPResponse(status: reply.status, body: reply.body)
        for (name, value) in reply.fields { response.fields[name.lowercased()] = value }
        return response
    }
}

/// A transport that answers with a closure and records its requests.
package final class StubTransport: HTTPTransport {
    package typealias Answer = @Sendable (HTTPRequest, Int) -> Result<HTTPResponse, HTTPFailure>

    private let seen = Guarded<[HTTPRequest]>([])
    private let answer: Answer

    /// - Parameter answer: Receives the request and its number, from 1.
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
