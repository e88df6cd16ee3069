package import Syntax

/// The one shape of every answer (contract.md section 1): it satisfies clients of v2.1, which look for
/// `error`, and of v3.2, which look at `success`.
package enum Envelope {
    /// Writes a success around a value at hand.
    package static func success(
        _ data: some JSONWritable, _ metadata: ResponseMetadata, into out: inout JSONWriter
    ) {
        beginSuccess(into: &out)
        data.write(into: &out)
        endSuccess(metadata, into: &out)
    }

    /// Opens a success whose `data`, exactly one value, is written next, in pieces.
    package static func beginSuccess(into out: inout JSONWriter) {
        out.beginObject()
        out.field("success", true)
        out.key("data")
    }

    /// Closes it after its `data`: the metadata come last, so that they tell the whole time it took.
    package static func endSuccess(_ metadata: ResponseMetadata, into out: inout JSONWriter) {
        out.field("metadata", metadata)
        out.endObject()
    }

    /// Writes a failure.
    /// - Parameter timestamp: when it was answered, in milliseconds since 1970.
    package static func failure(_ error: ResponseError, timestamp: Int64, into out: inout JSONWriter) {
        out.object { out in
            out.field("success", false)
            // The one null of the contract: clients of v2.1 decode `data` as required and nullable.
            out.key("data")
            out.null()
            out.field("metadata", ResponseMetadata(timestamp: timestamp))
            out.field("error", error)
        }
    }
}
