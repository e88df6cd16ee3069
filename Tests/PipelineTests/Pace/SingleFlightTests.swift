import Testing

@testable import Pipeline

@Suite struct SingleFlightTests {
    @Test func `the first leads, all get the answer, and the next begins anew`() {
        var flights = SingleFlight<String, Int>()
        #expect(flights.join("a", 1))
        #expect(!flights.join("a", 2))
        #expect(flights.join("b", 2))
        #expect(!flights.join("a", 3))
        #expect(flights.land("a") == [1, 2, 3])
        #expect(flights.land("a") == [])
        #expect(flights.join("a", 4))
        #expect(flights.count == 2)
    }

    @Test func `a flight nobody waits for any more goes on`() {
        var flights = SingleFlight<String, Int>()
        _ = flights.join("a", 1)
        flights.leave("a", 1)
        #expect(!flights.join("a", 2))
        #expect(flights.land("a") == [2])
    }
}
