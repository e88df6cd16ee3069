import BooksTrack
import Foundation

/// Answers every request with the same book. It needs only the client's public declarations.
struct CannedTransport: Transport {
    private static let answer =
        #"{"success":true,"data":{"isbn":"9780441013593","title":"Dune","authors":[],"categories":[]}}"#

    func exchange(_ request: TransportRequest) -> AsyncThrowingStream<TransportPart, any Error> {
        AsyncThrowingStream { continuation in
            continuation.yield(.head(status: 200, fields: [:]))
            continuation.yield(.body(Data(Self.answer.utf8)))
            continuation.finish()
        }
    }

    func openSocket(_ request: TransportRequest) -> TransportSocket {
        let refusal = ServiceError(status: 404, fields: [:], body: Data())
        let messages = AsyncThrowingStream<Data, any Error> {
            $0.finish(throwing: BooksTrackError.service(refusal))
        }
        return TransportSocket(messages: messages) { _ in }
    }
}
