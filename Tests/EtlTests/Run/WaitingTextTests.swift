import Services
import Testing

@testable import etl

@Suite struct WaitingTextTests {
    private func standing(
        _ service: String, _ open: Int, until pause: Int64? = nil, seconds: Double = 0
    ) -> ServiceStatus {
        ServiceStatus(service: service, open: open, pausedUntil: pause, secondsLeft: seconds)
    }

    @Test func `whoever takes longest comes first, with the reason`() {
        #expect(WaitingText.of([]) == nil)
        #expect(WaitingText.of([standing("wikidata", 1, seconds: 0.2)]) == "wikidata (1 answer)")
        let text = WaitingText.of([
            standing("google-books", 40, seconds: 20),
            standing("openlibrary", 1_200, until: 1_763_000_000_000, seconds: 60),
        ])
        #expect(
            text == "openlibrary (1,200 answers, paused until 02:13:20Z), google-books (40 answers, 20.0 s)")
    }
}
