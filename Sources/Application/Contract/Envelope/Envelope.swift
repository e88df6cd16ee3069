package import Syntax

/// The outer object of every result (`docs/contract.md`). It works for older clients, which look for `error`,
/// and for newer ones, which look at `success`.
package enum Envelope {
    /// Writes a success around a value.
    package static func success(
        _ data: some JSONWritable, _ metadata: ResponseMetadata, into out: inout JSONWriter
    ) {
        beginSuccess(into: &out)
        data.write(into: &out)
        endSuccess(metadata, into: &out)
    }

    /// Opens a success. Its `data`, exactly one value, is written next and may be written in pieces.
    package static func beginSuccess(into out: inout JSONWriter) {
        out.beginObject()
        out.field("success", true)
        out.key("data")
    }

    /// Closes a success after its `data`. The metadata come last, so that they cover the whole processing
    /// time.
    package static func endSuccess(_ metadata: ResponseMetadata, into out: inout JSONWriter) {
        out.field("metadata", metadata)
        out.endObject()
    }

    /// Writes a failure.
    ///
    /// - Parameter timestamp: when the response was written, in milliseconds since 1970.
    package static func failure(_ error: ResponseError, timestamp: Int64, into out: inout JSONWriter) {
        Failure(error: error, metadata: ResponseMetadata(timestamp: timestamp)).write(into: &out)
    }

    /// The envelope of a failure.
    package struct Failure: ContractRecord {
        package static var example: Failure { Failure(error: .example, metadata: .example) }
        package static var schemaName: String? { "Failure" }

        var error: ResponseError
        var metadata: ResponseMetadata

        package func fields(into table: inout some FieldTable) {
            table.field("success", false)
            // The only null of the contract: older clients decode `data` as required and nullable.
            table.field("data", Null())
            table.field("metadata", metadata)
            table.field("error", error)
        }
    }
}

/// The `metadata` of an envelope.
package struct ResponseMetadata: Sendable, Hashable {
    /// The provider of a search that found nothing.
    package static let noProvider = "none"
    /// The provider of stored results, for clients of version 2.1.
    package static let resultsCache = "kv_cache"

    /// When the response was written, in milliseconds since 1970.
    package var timestamp: Int64
    /// Whole milliseconds.
    package var processingTime: Int64?
    /// The provider, as the contract spells it (``Provider/contractName``), or ``noProvider``.
    package var provider: String?
    /// Whether the response came from the cache.
    package var isCached: Bool?

    package init(
        timestamp: Int64, processingTime: Int64? = nil, provider: String? = nil, isCached: Bool? = nil
    ) {
        self.timestamp = timestamp
        self.processingTime = processingTime
        self.provider = provider
        self.isCached = isCached
    }

    /// The provider with underscores instead of hyphens, as newer clients expect it.
    private var source: String? {
        provider.map { String($0.map { $0 == "-" ? "_" : $0 }) }
    }
}

extension ResponseMetadata: ContractRecord {
    package static var example: ResponseMetadata { ResponseMetadata(timestamp: 0) }
    package static var schemaName: String? { "Metadata" }

    package func fields(into table: inout some FieldTable) {
        table.field("timestamp", Moment(withMilliseconds: timestamp))
        table.field("processingTime", processingTime)
        table.field("provider", provider)
        table.field("cached", isCached)
        table.field("source", source)
    }
}
