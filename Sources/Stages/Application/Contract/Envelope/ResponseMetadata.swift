package import Syntax

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
