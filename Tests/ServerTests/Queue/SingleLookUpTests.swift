import Store
import Testing

@testable import Contract
@testable import Server

@Suite struct SingleLookUpTests {
    private static let reasons: [(names: [String], code: ErrorCode)] = [
        ([], .providerTimeout), (["timeout"], .providerTimeout), (["queued", "stopped"], .providerTimeout),
        (["down"], .circuitOpen), (["quota"], .circuitOpen), (["queued", "rate_limited"], .circuitOpen),
        (["server_error"], .providerError), (["web_page", "queued"], .providerError),
        (["connection_refused"], .providerError), (["later"], .providerTimeout),
    ]

    @Test(arguments: reasons)
    func `why a service has not answered is one of the contract's codes`(names: [String], code: ErrorCode) {
        var counts = PendingRecords.Counts(service: "isbndb")
        for name in names { counts.reasons[name] = 1 }
        let error = SingleLookUp.error(counts, until: nil, now: 0)
        #expect(error.code == code && error.provider == "isbndb" && error.isRetryable)
        #expect(error.retryAfterMs == (code == .circuitOpen ? 60_000 : nil))
    }

    @Test func `a service that tells when it can be asked again is believed`() {
        var counts = PendingRecords.Counts(service: "isbndb")
        counts.reasons["quota"] = 1
        #expect(SingleLookUp.error(counts, until: 50_000, now: 20_000).retryAfterMs == 30_000)
        #expect(SingleLookUp.error(counts, until: 20_000, now: 50_000).retryAfterMs == 1_000)
    }
}
