import Testing

@testable import Application
@testable import Books
@testable import Services
@testable import etl

@Suite struct PendingTextTests {
    @Test func `who was not even asked is left alone, and until when`() {
        var figures = ServiceMetrics()
        figures.leftAloneUntil = 1_000
        let reasons = [PendingRecords.Reason(service: "isbndb", outcome: "down", count: 2)]
        func said() -> [String] {
            PendingText.of(reasons, services: [ServiceReport(name: "isbndb", figures: figures)])
        }
        #expect(
            said() == [
                "isbndb was not asked (it failed too often and is left alone until 1970-01-01T00:00:01Z): "
                    + "2 records wait for it."
            ])
        figures.calls = 3
        #expect(said() == ["isbndb could not be reached: 2 records wait for it."])
    }

    @Test func `each service is told once, with its most frequent reason`() {
        #expect(PendingText.of([]).isEmpty)
        let sentences = PendingText.of([
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
