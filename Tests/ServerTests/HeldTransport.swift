import FakeServices
import Services
import System
import TestSupport

/// Fake services, which do not answer before they may.
final class HeldTransport: HTTPTransport {
    let transport: FakeTransport
    let asked = StopSignal()
    let opened = StopSignal()

    init(_ faults: [String: FakeFaults] = [:], isOpen: Bool = true) {
        transport = FakeTransport(FakeServices(faults: faults), clock: ManualClock())
        if isOpen { opened.raise() }
    }

    var count: Int { transport.requests.count }

    func send(_ request: HTTPRequest) async throws(HTTPFailure) -> HTTPResponse {
        asked.raise()
        await opened.wait()
        return try await transport.send(request)
    }
}
