import Foundation

/// A message of the service about a job, from a stream or a WebSocket. What this client does not know is left out.
struct JobMessage: Decodable, Sendable, Hashable {
    /// Content. Each type of message has some of these.
    struct Payload: Decodable, Sendable, Hashable {
        var progress: Double?
        var status: String?
        var message: String?
        var processedCount: Int?
        var summary: JobUpdate.Summary?
        var code: String?
        var retryable: Bool?
        var details: [String: DetailValue]?
    }

    var type: String
    var payload: Payload?

    /// A message; nil if the text is none.
    init?(_ json: Data) {
        guard let message = try? JSONDecoder().decode(Self.self, from: json) else { return nil }
        self = message
    }
}

extension ServiceError {
    /// Why a job failed; nil if the message does not state it.
    init?(_ payload: JobMessage.Payload) {
        guard let code = payload.code else { return nil }
        self.init(
            code: Code(rawValue: code) ?? .unknown, message: payload.message ?? "",
            isRetryable: payload.retryable ?? false, details: payload.details?.mapValues(\.text) ?? [:])
    }
}
