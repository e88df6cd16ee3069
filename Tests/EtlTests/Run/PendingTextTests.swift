import Testing

@testable import Application
@testable import Books
@testable import Services
@testable import etl

@Suite struct PendingTextTests {
    @Test func `a service that was not asked is reported with the time it can be asked again`() {
        var metrics = ServiceMetrics()
        metrics.suspendedUntil = 1_000
        let reasons = [PendingRecords.Reason(service: "isbndb", outcome: "down", count: 2)]
        func sentences() -> [String] {
            PendingText.of(reasons, services: [ServiceReport(name: "isbndb", metrics: metrics)])
        }
        #expect(
            sentences() == [
                "isbndb was not asked (it failed too often and is paused until 1970-01-01T00:00:01Z): "
                    + "2 records wait for it."
            ])
        metrics.calls = 3
        #expect(sentences() == ["isbndb could not be reached: 2 records wait for it."])
    }

    private func sentence(_ outcome: LookupOutcome, of service: String, _ metrics: ServiceMetrics) -> String?
    {
        PendingText.of(
            [.init(service: service, outcome: outcome.name, count: 50)],
            services: [ServiceReport(name: service, metrics: metrics)]
        ).first
    }

    @Test func `a service that answers with errors is reported with URL and status`() {
        var metrics = ServiceMetrics()
        metrics.calls = 1
        metrics.error = ServiceError(status: 404, address: "https://openlibrary.org/api/books.json")
        #expect(
            sentence(.down, of: "openlibrary", metrics)
                == "openlibrary answered 404 Not Found at https://openlibrary.org/api/books.json: "
                + "50 records wait for it.")
        metrics.error = ServiceError(status: 501, address: "http://mirror.test/books")
        #expect(
            sentence(.down, of: "google-books", metrics)
                == "google-books answered 501 Not Implemented at http://mirror.test/books "
                + "(check ETL_GOOGLE_BOOKS_URL): 50 records wait for it.")
        metrics.error = ServiceError(status: 200, address: "https://www.wikidata.org/w/api.php")
        #expect(
            sentence(.down, of: "wikidata", metrics)
                == "wikidata refused what it was asked at https://www.wikidata.org/w/api.php: "
                + "50 records wait for it.")
    }

    @Test func `a service that rejects requests for now is reported with its time`() {
        var metrics = ServiceMetrics()
        metrics.calls = 2
        #expect(
            sentence(.rateLimited, of: "openlibrary", metrics)
                == "openlibrary rejected requests as too frequent: 50 records wait for it.")
        metrics.throttledUntil = 1_000
        #expect(
            sentence(.rateLimited, of: "openlibrary", metrics)
                == "openlibrary rejected requests for now (paused until 1970-01-01T00:00:01Z): "
                + "50 records wait for it.")
        metrics.calls = 0
        #expect(
            sentence(.rateLimited, of: "openlibrary", metrics)
                == "openlibrary was not asked (it rejected requests and is paused until 1970-01-01T00:00:01Z): "
                + "50 records wait for it.")
    }

    @Test func `each service is reported once, with its most frequent reason`() {
        #expect(PendingText.of([]).isEmpty)
        let sentences = PendingText.of([
            .init(service: "openlibrary", outcome: "down", count: 90),
            .init(service: "openlibrary", outcome: "timeout", count: 8),
            .init(service: "openlibrary", outcome: "skipped", count: 500),
            .init(service: "isbndb", outcome: "skipped", count: 1),
        ])
        #expect(
            sentences == [
                "isbndb was not asked: 1 record waits for it.",
                "openlibrary could not be reached: 598 records wait for it.",
            ])
    }
}

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
