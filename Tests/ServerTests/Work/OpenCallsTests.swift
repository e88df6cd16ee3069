import Testing

@testable import Server

@Suite struct OpenCallsTests {
    @Test func `without calls nothing is stuck`() {
        #expect(!OpenCalls(limit: 0).isStuck(at: .max))
    }

    @Test func `a call that does not return within the limit is stuck until it does`() {
        var calls = OpenCalls(limit: 10)
        calls.begin(1, at: 100)
        calls.begin(2, at: 105)
        #expect(!calls.isStuck(at: 110) && calls.isStuck(at: 111))
        calls.end(1)
        #expect(!calls.isStuck(at: 115) && calls.isOpen(2) && !calls.isOpen(1))
        // The same thread, and a clock read before.
        calls.begin(2, at: 200)
        #expect(!calls.isStuck(at: 199) && !calls.isStuck(at: 210) && calls.isStuck(at: 211))
        calls.end(2)
        #expect(!calls.isStuck(at: .max))
    }
}
