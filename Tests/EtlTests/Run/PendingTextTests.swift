import Testing

@testable import CommandLineTool
@testable import Contract
@testable import Jobs
@testable import Queries
@testable import Services
@testable import Store
@testable import System

@Suite struct PendingTextTests {
    private func counts(_ service: String, records: Int, _ reasons: [LookupOutcome: Int])
        -> PendingRecords.Counts
    {
        var counts = PendingRecords.Counts(service: service)
        counts.records = records
        for (outcome, count) in reasons { counts.reasons[outcome.name] = count }
        return counts
    }

    private func sentence(
        _ outcome: LookupOutcome, of service: String, _ metrics: ServiceMetrics
    ) -> String? {
        PendingText.of(
            [counts(service, records: 50, [outcome: 50])],
            services: [ServiceReport(name: service, metrics: metrics)]
        ).first
    }

    @Test func `each service is reported once, with its most frequent cause, and each record counts once`() {
        #expect(PendingText.of([]).isEmpty)
        let sentences = PendingText.of([
            counts("isbndb", records: 1, [.skipped: 1]),
            counts("openlibrary", records: 520, [.insecure: 90, .timeout: 8, .queued: 500]),
            counts("review", records: 3, [:]),
        ])
        #expect(
            sentences == [
                "isbndb was not asked: 1 record waits for it.",
                "openlibrary could not be reached securely: 520 records wait for it.",
            ])
    }

    @Test func `a pending record names the service and the reason`() {
        func text(_ service: String, _ reason: String) -> String {
            PendingText.of(Explanation.Pending(service: service, reason: reason))
        }
        #expect(text("wikidata", "timeout") == "wikidata did not answer in time")
        #expect(text("wikidata", "of a later version") == "wikidata was not asked")
        #expect(text("review", "decided") == "your decision is not applied yet")
    }

    @Test func `a service that was not asked is reported with the time it can be asked again`() {
        var metrics = ServiceMetrics()
        metrics.suspendedUntil = 1_000
        #expect(
            sentence(.down, of: "isbndb", metrics)
                == "isbndb was not asked (it failed too often and is paused until 1970-01-01T00:00:01Z): "
                + "50 records wait for it.")
    }

    @Test func `a service that rejects requests is reported with URL and status`() {
        func rejection(_ service: String, _ status: Int, at address: String) -> String? {
            var metrics = ServiceMetrics()
            metrics.noteFailed(.requestRejected, ServiceError(status, address: address))
            return sentence(.requestRejected, of: service, metrics)
        }
        #expect(
            rejection("openlibrary", 404, at: "https://openlibrary.org/api/books.json")
                == "openlibrary rejected what it was asked (404 Not Found) at "
                + "https://openlibrary.org/api/books.json: 50 records wait for it.")
        #expect(
            rejection("google-books", 501, at: "http://mirror.test/books")
                == "google-books rejected what it was asked (501 Not Implemented) at http://mirror.test/books "
                + "(check ETL_GOOGLE_BOOKS_URL): 50 records wait for it.")
        #expect(
            rejection("wikidata", 200, at: "https://www.wikidata.org/w/api.php")
                == "wikidata rejected what it was asked at https://www.wikidata.org/w/api.php: "
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
}
