import Testing

@testable import Server

@Suite struct TraceContextTests {
    private static let trace = "4bf92f3577b34da6a3ce929d0e0e4736"

    @Test func `the trace of a valid field is taken`() {
        #expect(TraceContext.trace("00-\(Self.trace)-00f067aa0ba902b7-01") == Self.trace)
        // Later versions may have more parts.
        #expect(TraceContext.trace("01-\(Self.trace)-00f067aa0ba902b7-01-what") == Self.trace)
    }

    @Test(arguments: [
        "", "00", "00-\(trace)-00f067aa0ba902b7", "ff-\(trace)-00f067aa0ba902b7-01",
        "00-\(trace.uppercased())-00f067aa0ba902b7-01", "00-\(trace)-0000000000000000-01",
        "00-00000000000000000000000000000000-00f067aa0ba902b7-01", "00-\(trace)-00f067aa0ba902b7-01-x",
        "00-\"}-00f067aa0ba902b7-01",
    ])
    func `any other field is ignored`(value: String) { #expect(TraceContext.trace(value) == nil) }
}
