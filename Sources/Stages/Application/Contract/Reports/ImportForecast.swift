package import Syntax

/// What an import would meet and cost: `etl plan`.
package struct ImportForecast: Sendable, Hashable {
    /// Records that are not blank.
    package var records = 0
    /// Records whose ISBN stands valid.
    package var validISBNs = 0
    /// Records whose ISBN was repaired.
    package var repairedISBNs = 0
    /// Records with an ISBN that is none, and a title to go by.
    package var impossibleISBNs = 0
    /// Records with a title and no ISBN.
    package var titlesOnly = 0
    /// Different books among those kept: by ISBN, else by title and first author.
    package var uniqueKeys = 0
    /// Of the records kept, those that an offline catalog knows; nil where there is none.
    package var catalogHits: Int?
    /// What the services would be asked; empty where none is.
    package var services: [ServiceForecast] = []
    /// What was found in the records.
    package var findings = FindingCounts()
    /// Records that earlier imports into the store did in a second; nil where it has done too few to tell.
    package var recordsPerSecond: Double?
    /// Bytes that an entry takes in the store; nil where it holds too few to tell.
    package var bytesPerRecord: Double?

    /// A forecast of nothing.
    package init() {}

    /// Records that would be kept.
    package var kept: Int { records - findings.rejects.reduce(0) { $0 + $1.count } }

    /// Seconds the import would take; nil where nothing is known of the machine.
    package var seconds: Double? { recordsPerSecond.map { Double(records) / max(1, $0) } }

    /// Seconds that the slowest service takes: all are asked at once.
    package var serviceSeconds: ClosedRange<Double>? {
        guard let least = services.map(\.seconds.lowerBound).max(),
            let most = services.map(\.seconds.upperBound).max(), most > 0
        else { return nil }
        return least...most
    }

    /// Bytes by which the store would grow; nil where nothing is known of it.
    package var storageBytes: Int? { bytesPerRecord.map { Int($0 * Double(kept)) } }
}

extension ImportForecast: JSONWritable {
    package func write(into out: inout JSONWriter) {
        out.object { out in
            out.field("records", records)
            out.field("kept", kept)
            out.field("validISBNs", validISBNs)
            out.field("repairedISBNs", repairedISBNs)
            out.field("impossibleISBNs", impossibleISBNs)
            out.field("titlesOnly", titlesOnly)
            out.field("uniqueKeys", uniqueKeys)
            out.field("catalogHits", catalogHits)
            if !services.isEmpty {
                out.key("services")
                out.array { out in for service in services { service.write(into: &out) } }
            }
            findings.writeFields(into: &out)
            out.field("seconds", seconds)
            out.field("storageBytes", storageBytes)
        }
    }
}
