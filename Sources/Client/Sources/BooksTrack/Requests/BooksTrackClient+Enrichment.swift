import Foundation

/// Look-ups of books in the service's library and catalogs, and at its providers.
extension BooksTrackClient {
    /// Looks up one book and waits up to 30 seconds for the answer. Nil if no source has the book.
    ///
    /// A request that breaks off is sent again with the same key, and the service does not do it twice.
    ///
    /// - Parameters:
    ///   - barcode: 10 or 13 digits; hyphens are allowed.
    ///   - key: Identifies the request, also after a restart of the app: for 24 hours, requests with this key get the same
    ///     answer. Nil for a new one.
    ///   - provider: Provider to ask first; nil for the server's order.
    public func lookUp(
        barcode: String, key: String? = nil, preferring provider: Provider? = nil
    ) async throws(BooksTrackError) -> EnrichedBook? {
        let body = BarcodeRequest(
            barcode: barcode, idempotencyKey: key ?? UUID().uuidString, preferProvider: provider)
        do {
            let answer = try await answer(
                to: request("POST", "/api/v2/books/enrich", sending: body), as: EnrichedBook.self)
            var book = answer.data
            book.metadata = answer.metadata
            return book
        } catch .service(let error) where error.code == .notFound {
            return nil
        } catch {
            throw error
        }
    }

    /// Looks up 1 to 100 books as a job. ``foundBooks(of:)`` gives them when it is done.
    public func lookUp(_ books: [RequestedBook]) async throws(BooksTrackError) -> Job {
        var request = try request("POST", "/v1/enrichment/batch", sending: ["books": books])
        request.mayBeRepeated = false
        return try await data(of: request)
    }

    private nonisolated func request(
        _ method: String, _ path: String, sending body: some Encodable
    ) throws(BooksTrackError) -> TransportRequest {
        var request = request(method, path)
        request.fields["Content-Type"] = "application/json"
        do { request.body = try JSONEncoder().encode(body) } catch { throw .malformed("\(error)") }
        return request
    }
}

/// The body of a look-up.
private struct BarcodeRequest: Encodable {
    var barcode: String
    var idempotencyKey: String
    var preferProvider: Provider?
}
