import FakeServices
import Services
import System
import TestSupport

/// Fake services of which all or one do not answer before they may.
final class HeldTransport: HTTPTransport {
    let transport: FakeTransport
    /// The only service that waits; nil for all.
    private let held: String?
    let asked = StopSignal()
    let opened = StopSignal()

    init(_ faults: [String: FakeFaults] = [:], isOpen: Bool = true, holding held: String? = nil) {
        self.held = held
        transport = FakeTransport(FakeServices(faults: faults), clock: ManualClock())
        if isOpen { opened.raise() }
    }

    var count: Int { transport.requests.count }

    /// The number of requests to a service.
    func count(of service: String) -> Int {
        transport.requests.count { $0.request.path.hasPrefix("/\(service)/") }
    }

    func send(_ request: HTTPRequest) async throws(HTTPFailure) -> HTTPResponse {
        if held.map({ request.url.contains("/\($0)/") }) ?? true {
            asked.raise()
            await opened.wait()
        }
        return try await transport.send(request)
    }
}
