package import Contract
package import Syntax

/// Expected findings and costs of an import: the result of `etl plan`.
package struct ImportForecast: Sendable, Hashable {
    /// Records that are not blank.
    package var records = 0
    /// Records with a valid ISBN.
    package var validISBNs = 0
    /// Records whose ISBN was repaired.
    package var repairedISBNs = 0
    /// Records with a title and an ISBN that is invalid and cannot be repaired.
    package var impossibleISBNs = 0
    /// Records with a title and no ISBN.
    package var titlesOnly = 0
    /// Distinct books among the imported records: by ISBN, else by title and first author.
    package var uniqueKeys = 0
    /// Imported records that an offline catalog has; nil without a catalog.
    package var catalogHits: Int?
    /// Queries to the services; empty if no service is asked.
    package var services: [ServiceForecast] = []
    /// Findings in the records: rejects, repairs and warnings.
    package var findings = FindingCounts()
    /// Records per second of earlier imports into the store; nil if there were too few to tell.
    package var recordsPerSecond: Double?
    /// Bytes per entry in the store; nil if it has too few to tell.
    package var bytesPerRecord: Double?

    /// An empty forecast.
    package init() {}

    /// Number of records that would be imported.
    package var imported: Int { records - findings.rejects.reduce(0) { $0 + $1.count } }

    /// Seconds the import would take; nil if there is no measurement.
    package var seconds: Double? { recordsPerSecond.map { Double(records) / max(1, $0) } }

    /// Seconds of the slowest service; all services are asked at the same time.
    package var serviceSeconds: ClosedRange<Double>? {
        guard let least = services.map(\.seconds.lowerBound).max(),
            let most = services.map(\.seconds.upperBound).max(), most > 0
        else { return nil }
        return least...most
    }

    /// Bytes by which the store would grow; nil if there is no measurement.
    package var storageBytes: Int? { bytesPerRecord.map { Int($0 * Double(imported)) } }
}

extension ImportForecast: JSONObject {
    package func writeFields(into out: inout JSONWriter) {
        out.field("records", records)
        out.field("kept", imported)
        out.field("validISBNs", validISBNs)
        out.field("repairedISBNs", repairedISBNs)
        out.field("impossibleISBNs", impossibleISBNs)
        out.field("titlesOnly", titlesOnly)
        out.field("uniqueKeys", uniqueKeys)
        out.field("catalogHits", catalogHits)
        if !services.isEmpty { out.field("services", services) }
        findings.writeFields(into: &out)
        out.field("seconds", seconds)
        out.field("storageBytes", storageBytes)
    }
}

/// Queries of an import to one service, and their cost.
package struct ServiceForecast: Sendable, Hashable {
    /// The service's name.
    package var name: String
    /// Distinct questions, and the number of them with a fresh cached answer.
    package var queries = 0
    package var cached = 0
    /// Expected requests, including those for works, authors and searches that answers lead to.
    package var calls = 0...0
    /// Seconds between two requests at the service's rate limit.
    package var interval = 0.0
    /// The daily budget: maximum cost of the requests, size, and what is left today. Nil without a budget.
    package var cost: Int?
    package var budget: Int?
    package var left: Int?

    package init(name: String) { self.name = name }

    /// Seconds that the requests take at the rate limit.
    package var seconds: ClosedRange<Double> {
        Double(calls.lowerBound) * interval...Double(calls.upperBound) * interval
    }

    /// Days that the budget requires, today included; nil without a budget.
    package var days: Int? {
        guard let cost, let budget, let left, budget > 0 else { return nil }
        return cost <= left ? 1 : 1 + (cost - left + budget - 1) / budget
    }
}

extension ServiceForecast: JSONObject {
    package func writeFields(into out: inout JSONWriter) {
        out.field("name", name)
        out.field("questions", queries)
        out.field("kept", cached)
        out.field("callsAtLeast", calls.lowerBound)
        out.field("callsAtMost", calls.upperBound)
        out.field("secondsAtLeast", seconds.lowerBound)
        out.field("secondsAtMost", seconds.upperBound)
        out.field("cost", cost)
        out.field("dailyBudget", budget)
        out.field("leftToday", left)
        out.field("days", days)
    }
}
