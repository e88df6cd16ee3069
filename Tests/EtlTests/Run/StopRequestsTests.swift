import Testing

@testable import CommandLineTool

@Suite struct StopRequestsTests {
    @Test func `the first request stops the run, and a later one ends the process`() {
        var requests = StopRequests()
        #expect(requests.add(at: 5_000) == .stop)
        #expect(requests.add(at: 5_000 + StopRequests.echo) == .end)
    }

    /// timeout(1) sends the signal twice.
    @Test func `a request that arrives twice counts once`() {
        var requests = StopRequests()
        #expect(requests.add(at: 0) == .stop)
        #expect(requests.add(at: 1) == .ignore)
        #expect(requests.add(at: StopRequests.echo - 1) == .ignore)
        #expect(requests.add(at: StopRequests.echo) == .end)
    }
}
