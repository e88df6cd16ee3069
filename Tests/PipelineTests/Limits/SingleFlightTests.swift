import Testing

@testable import Pipeline

@Suite struct SingleFlightTests {
    @Test func `the first leads, all get the answer, and the next begins anew`() {
        var flights = SingleFlight<String, Int>()
        let leads = [("a", 1), ("a", 2), ("b", 2), ("a", 3)].map { flights.join($0.0, $0.1) }
        #expect(leads == [true, false, true, false])
        let landed = [flights.land("a"), flights.land("a")]
        #expect(landed == [[1, 2, 3], []])
        let leadsAnew = flights.join("a", 4)
        #expect(leadsAnew)
        #expect(flights.count == 2)
    }

    @Test func `a flight nobody waits for any more goes on`() {
        var flights = SingleFlight<String, Int>()
        _ = flights.join("a", 1)
        flights.leave("a", 1)
        let leads = flights.join("a", 2)
        let waiters = flights.land("a")
        #expect(!leads && waiters == [2])
    }
}
