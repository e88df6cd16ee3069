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

    /// Content of a message about a batch of photos.
    struct Batch: Decodable, Sendable, Hashable {
        struct Photo: Decodable, Sendable, Hashable { var status: String }

        var currentPhoto: Int?
        var photos: [Photo]?
    }

    var type: String
    private var payload: Payload?
    /// Messages about batches have it in place of a payload.
    private var data: Batch?

    /// What the message says; nil if it has only a type.
    var content: Payload? { payload ?? data.map { Payload($0) } }

    /// A message; nil if the text is none.
    init?(_ json: Data) {
        guard let message = try? JSONDecoder().decode(Self.self, from: json) else { return nil }
        self = message
    }
}

extension JobMessage.Payload {
    /// The same about a batch of photos.
    fileprivate init(_ batch: JobMessage.Batch) {
        guard let photos = batch.photos, !photos.isEmpty else { return }
        let done = photos.count { $0.status == "complete" || $0.status == "error" }
        progress = Double(done) / Double(photos.count)
        processedCount = done
        if let current = batch.currentPhoto { status = "Processing image \(current + 1) of \(photos.count)" }
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
