import Stages
import Testing

@testable import etl

@Suite struct SilenceTextTests {
    @Test func `each service is told once, with its most frequent reason`() {
        #expect(SilenceText.of([]).isEmpty)
        let sentences = SilenceText.of([
            .init(service: "openlibrary", outcome: "down", count: 90),
            .init(service: "openlibrary", outcome: "timeout", count: 8),
            .init(service: "openlibrary", outcome: "skipped", count: 500),
            .init(service: "isbndb", outcome: "skipped", count: 1),
        ])
        #expect(
            sentences == [
                "isbndb was not waited for: 1 record waits for it.",
                "openlibrary could not be reached: 598 records wait for it.",
            ])
    }
}
