package import Contract
import Database
package import Syntax
package import System

/// Makes responses with the contract's envelopes.
package enum Reply {
    package static let json = "application/json; charset=utf-8"

    /// A success around a value.
    package static func success(
        _ data: some JSONWritable, status: Int = 200, _ metadata: ResponseMetadata
    ) -> Response {
        var out = JSONWriter()
        Envelope.success(data, metadata, into: &out)
        return Response(status, .bytes(out.bytes), fields: [("Content-Type", json)])
    }

    /// A success around a value that is already JSON.
    ///
    /// - Parameter repeatsFields: Whether the fields of the value, an object, stand beside `data` too.
    package static func success(
        spliced data: [UInt8], repeatsFields: Bool = false, _ metadata: ResponseMetadata
    ) -> Response {
        var out = JSONWriter(capacity: (repeatsFields ? 2 : 1) * data.count + 256)
        Envelope.beginSuccess(into: &out)
        data.withUnsafeBytes { out.spliced(json: $0) }
        // Without the braces.
        if repeatsFields, data.count > 2 {
            data[1..<data.count - 1].withUnsafeBytes { out.spliced(json: $0) }
        }
        Envelope.endSuccess(metadata, into: &out)
        return Response(200, .bytes(out.bytes), fields: [("Content-Type", json)])
    }

    /// A failure.
    ///
    /// - Parameters:
    ///   - status: Nil for the code's own.
    ///   - now: Milliseconds since 1970.
    package static func failure(_ error: ResponseError, status: Int? = nil, now: Int64) -> Response {
        var out = JSONWriter()
        Envelope.failure(error, timestamp: now, into: &out)
        var response = Response(
            status ?? error.code.httpStatus ?? 500, .bytes(out.bytes), fields: [("Content-Type", json)])
        if let wait = error.retryAfterMs { response.add("Retry-After", "\((wait + 999) / 1_000)") }
        response.add("Cache-Control", "no-store")
        return response
    }

    /// The refusal of a job.
    package static func failure(_ refusal: JobRefusal, now: Int64) -> Response {
        switch refusal {
        case .refused(let error, let status): failure(error, status: status, now: now)
        case .failed(let failure): Reply.failure(failure, now: now)
        }
    }

    /// The refusal of work by a pool.
    package static func failure(_ refusal: Places.Refusal, now: Int64) -> Response {
        switch refusal {
        case .full: failure(.overloaded("The server has too much to do."), status: 503, now: now)
        case .ofClient(let limit):
            failure(
                .rateLimited(
                    retryAfterSeconds: 2, limit: limit, window: "at a time",
                    "Too many of your requests wait. Try again in 2 seconds."), now: now)
        }
    }

    /// The disk has no room for what an answer needs.
    package static var fullDisk: ResponseError {
        .overloaded("The server's disk is full. Try again when there is room.", retryAfterSeconds: 60)
    }

    /// The failure that something of ours went wrong. What exactly is for the log, not for clients.
    package static func failure(_ failure: ETLError, now: Int64) -> Response {
        switch failure.kind {
        case _ where failure.isFullDisk: Reply.failure(fullDisk, status: 503, now: now)
        case .temporary:
            Reply.failure(.overloaded("The store is in use. Try again."), status: 503, now: now)
        default: Reply.failure(.internalError(), now: now)
        }
    }
}
