import Jobs
import Store
import Syntax
import System
import Testing

@testable import Contract
@testable import Server
@testable import Services

@Suite struct SingleLookUpTests {
    private static let reasons: [(names: [String], code: ErrorCode, error: String)] = [
        ([], .providerTimeout, "timeout"), (["timeout"], .providerTimeout, "timeout"),
        (["queued", "stopped"], .providerTimeout, "timeout"), (["down"], .circuitOpen, "down"),
        (["quota"], .providerError, "quota"), (["queued", "rate_limited"], .circuitOpen, "rate_limited"),
        (["server_error"], .providerError, "server_error"),
        (["web_page", "queued"], .providerError, "web_page"),
        (["connection_refused"], .providerError, "connection_refused"),
        (["later"], .providerTimeout, "timeout"),
    ]

    @Test(arguments: reasons)
    func `why a service has not answered is one of the contract's codes, and in its details`(
        names: [String], code: ErrorCode, reason: String
    ) {
        var counts = PendingRecords.Counts(service: "isbndb")
        for name in names { counts.reasons[name] = 1 }
        let error = SingleLookUp.error(counts, now: 0)
        #expect(error.code == code && error.provider == "isbndb" && error.isRetryable)
        #expect(error.retryAfterMs == (code == .circuitOpen ? 60_000 : nil))
        #expect(error.details == .provider(ProviderFailure("isbndb", error: reason)))
    }

    @Test func `a failure before the time was over is the cause`() {
        var metrics = ServiceMetrics()
        metrics.noteFailed(.timeout, ServiceError(nil, address: "http://isbndb.test"))
        metrics.noteFailed(.serverError, ServiceError(503, address: "http://isbndb.test"))
        for reasons in [[], ["queued"], ["queued", "stopped"]] {
            var counts = PendingRecords.Counts(service: "isbndb")
            for name in reasons { counts.reasons[name] = 1 }
            let error = SingleLookUp.error(counts, metrics, now: 0)
            #expect(error.code == .providerError)
            let failure = ProviderFailure("isbndb", error: "server_error", status: 503)
            #expect(error.details == .provider(failure))
        }
    }

    @Test(arguments: [LookupOutcome.down, .quota])
    func `a service that tells when it can be asked again is believed`(outcome: LookupOutcome) {
        func pause(_ resumeAt: Int64, _ now: Int64) -> Int64? {
            SingleLookUp.error(UnansweredService("isbndb", outcome, resumeAt: resumeAt), now: now)
                .retryAfterMs
        }
        #expect(pause(50_000, 20_000) == 30_000)
        #expect(pause(20_000, 50_000) == 1_000)
    }

    @Test func `a spent quota says when it is renewed`() {
        let spent = UnansweredService("google-books", .quota, resumeAt: 1_700_000_000_000)
        #expect(
            SingleLookUp.error(spent, now: 0).message
                == "Provider google-books answers no further requests before 2023-11-14T22:13:20Z: its daily quota is spent."
        )
    }
}
