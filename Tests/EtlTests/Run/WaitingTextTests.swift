import Testing

@testable import CommandLineTool
@testable import Services

@Suite struct WaitingTextTests {
    private func status(
        _ service: String, _ open: Int, until pause: Int64? = nil, seconds: Double = 0
    ) -> ServiceStatus {
        ServiceStatus(service: service, open: open, pausedUntil: pause, secondsLeft: seconds)
    }

    @Test func `the slowest service comes first, with the reason`() {
        #expect(WaitingText.of([]) == nil)
        #expect(WaitingText.of([status("wikidata", 1, seconds: 0.2)]) == "wikidata (1 answer)")
        let text = WaitingText.of([
            status("google-books", 40, seconds: 20),
            status("openlibrary", 1_200, until: 1_763_000_000_000, seconds: 60),
        ])
        #expect(
            text == "openlibrary (1,200 answers, paused until 02:13:20Z), google-books (40 answers, 20.0 s)")
    }
}
