import Books
import Syntax

/// What all messages share (contract.md section 7).
struct MessageEnvelope {
    /// Version of the messages' shape, not of the API.
    static let version = "1.0.0"

    let type: MessageType
    let jobId: String
    let pipeline: JobPipeline
    /// Milliseconds since 1970.
    let timestamp: Int64

    /// Writes the message; `fields` writes the payload's fields after its `type`.
    /// - Parameter payload: the payload's key: photo batches call it `data`.
    func write(
        payload: StaticString, into out: inout JSONWriter, fields: (inout JSONWriter) -> Void
    ) {
        out.object { out in
            out.field("type", type)
            out.field("jobId", jobId)
            out.field("pipeline", pipeline)
            out.field("timestamp", timestamp)
            out.field("version", Self.version)
            out.field(payload) { out in
                out.field("type", type)
                fields(&out)
            }
        }
    }
}
