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

/// The `metadata` of an envelope (contract.md section 1).
package struct ResponseMetadata: Sendable, Hashable {
    /// What stands for the provider of a search that found nothing.
    package static let nobody = "none"

    /// When it was answered, in milliseconds since 1970.
    package var timestamp: Int64
    /// Whole milliseconds.
    package var processingTime: Int64?
    /// Who answered, by the contract's spelling (``Provider/contractName``), or ``nobody``.
    package var provider: String?
    /// Whether it came from the cache.
    package var isCached: Bool?

    package init(
        timestamp: Int64, processingTime: Int64? = nil, provider: String? = nil, isCached: Bool? = nil
    ) {
        self.timestamp = timestamp
        self.processingTime = processingTime
        self.provider = provider
        self.isCached = isCached
    }

    /// The provider as v3.2 spells it.
    private var source: String? {
        provider.map { String($0.map { $0 == "-" ? "_" : $0 }) }
    }
}

extension ResponseMetadata: JSONWritable {
    package func write(into out: inout JSONWriter) {
        out.object { out in
            out.field("timestamp", Timestamp.withMilliseconds(timestamp))
            out.field("processingTime", processingTime)
            out.field("provider", provider)
            out.field("cached", isCached)
            out.field("source", source)
        }
    }
}
