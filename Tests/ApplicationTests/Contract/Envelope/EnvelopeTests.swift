import Books
import Contract
import Testing

@testable import TestSupport

@Suite struct EnvelopeTests {
    private let metadata = ResponseMetadata(
        timestamp: Sample.moment + 7, processingTime: 145, provider: Provider.googleBooks.contractName,
        isCached: false)

    @Test func `a success is decoded by both clients and has no error`() throws {
        let written = Written { Envelope.success(Sample.fullBook, metadata, into: &$0) }
        #expect(try written.keys() == ["data", "metadata", "success"])
        #expect(written.text.hasPrefix(#"{"success":true,"data":{"isbn""#))
        let old = try written.decoded(as: V21.Envelope<V32.BookDTO, V21.NoDetails>.self)
        #expect(old.error == nil && old.data?.pageCount == 304)
        #expect(old.metadata.timestamp == "2025-11-15T20:00:00.007Z")
        #expect(old.metadata.processingTime == 145)
        #expect(old.metadata.provider == "google-books")
        #expect(old.metadata.cached == false)
        let new = try written.decoded(as: V32.ResponseEnvelope<V32.BookDTO>.self)
        #expect(new.success && new.data?.isbn == "9780441478125")
        #expect(written.text.contains(#""source":"google_books""#))
    }

    @Test func `an empty search result is a success without a provider`() throws {
        let written = Written {
            Envelope.success(
                BookSearchResponse(), ResponseMetadata(timestamp: 0, provider: ResponseMetadata.noProvider),
                into: &$0)
        }
        let old = try written.decoded(as: V21.Envelope<V21.BookSearchResponse, V21.NoDetails>.self)
        #expect(old.data?.works.isEmpty == true)
        #expect(old.metadata.provider == "none")
    }

    @Test func `unknown metadata is left out`() {
        #expect(Written(ResponseMetadata(timestamp: 0)).text == #"{"timestamp":"1970-01-01T00:00:00.000Z"}"#)
    }

    private struct ISBNDetails: Decodable { let isbn: String }

    @Test func `a failure is decoded by both clients`() throws {
        let written = Written { Envelope.failure(.invalidISBN("12\"3"), timestamp: Sample.moment, into: &$0) }
        #expect(written.text.hasPrefix(#"{"success":false,"data":null,"metadata":{"timestamp":"#))
        let old = try written.decoded(as: V21.Envelope<V32.BookDTO, ISBNDetails>.self)
        #expect(old.data == nil)
        #expect(old.error?.code == "INVALID_ISBN")
        #expect(old.error?.details?.isbn == "12\"3")
        let new = try written.decoded(as: V32.ResponseEnvelope<V32.BookDTO>.self)
        #expect(!new.success)
        #expect(written.text.contains(#""retryable":false"#))
    }

    @Test func `an open circuit names its provider and the retry time`() throws {
        let written = Written {
            Envelope.failure(
                .circuitOpen(ProviderFailure("google-books", error: "down"), retryAfterMs: 60_000),
                timestamp: 0, into: &$0)
        }
        let new = try written.decoded(as: V32.ResponseEnvelope<V32.BookDTO>.self)
        #expect(new.error == .circuitOpen(provider: "google-books", retryAfterMs: 60_000))
    }

    private struct RateDetails: Decodable, Equatable {
        let retryAfter, limit: Int
        let window: String
    }

    @Test func `a rate limit has the retry time, in the spellings of both clients`() throws {
        let written = Written {
            Envelope.failure(
                .rateLimited(retryAfterSeconds: 45, limit: 100, window: "1 minute"), timestamp: 0, into: &$0)
        }
        let old = try written.decoded(as: V21.Envelope<V32.BookDTO, RateDetails>.self)
        #expect(old.error?.details == RateDetails(retryAfter: 45, limit: 100, window: "1 minute"))
        let new = try written.decoded(as: V32.ResponseEnvelope<V32.BookDTO>.self)
        #expect(new.error == .rateLimitExceeded(retryAfter: 45_000))
    }

    private struct ExpiryDetails: Decodable, Equatable { let jobId, resultsKey, ttl: String }

    @Test func `expired results say how long they were kept`() throws {
        let written = Written {
            Envelope.failure(.noResults(jobId: "j1", hoursKept: 24), timestamp: 0, into: &$0)
        }
        let old = try written.decoded(as: V21.Envelope<V32.BookDTO, ExpiryDetails>.self)
        #expect(
            old.error?.details == ExpiryDetails(jobId: "j1", resultsKey: "job-results:j1", ttl: "24 hours"))
    }

    @Test func `every failure is decoded by v3.2`() throws {
        let failures: [(ResponseError, ErrorCode)] = [
            (.invalidISBN("x"), .invalidISBN),
            (.invalidQuery("q", value: "", reason: "The query needs two characters"), .invalidQuery),
            (.invalidRequest("view", value: "x", reason: "No such view"), .invalidRequest),
            (.unauthorized(), .unauthorized), (.notFound("No such job"), .notFound),
            (.payloadTooLarge(limitBytes: 1), .payloadTooLarge), (.internalError(), .internalError),
            (
                .providerError(ProviderFailure("isbndb", error: "malformed"), reason: "Not JSON"),
                .providerError
            ),
            (.providerTimeout(ProviderFailure("wikidata", error: "timeout")), .providerTimeout),
        ]
        for (failure, code) in failures {
            #expect(failure.code == code)
            let written = Written { Envelope.failure(failure, timestamp: 0, into: &$0) }
            let new = try written.decoded(as: V32.ResponseEnvelope<V32.BookDTO>.self)
            #expect(new.error != nil)
        }
    }
}
