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

/// What an import would ask of one service, and what that costs.
package struct ServiceForecast: Sendable, Hashable {
    /// The service's name.
    package var name: String
    /// Different questions, and of these the ones whose answers are kept and good.
    package var questions = 0
    package var kept = 0
    /// Requests: as many as are known to be needed, and as many as it may come to where each book leads to a work, its
    /// authors, or a second question by title.
    package var calls = 0...0
    /// Seconds that the requests take at the service's rate.
    package var seconds = 0.0...0.0
    /// Of the day's budget: what the requests cost at the most, what it is, and what is left of it today. nil where there
    /// is no budget.
    package var cost: Int?
    package var budget: Int?
    package var left: Int?

    package init(name: String) { self.name = name }

    /// Days that the budget takes, today's rest included; nil without one.
    package var days: Int? {
        guard let cost, let budget, let left, budget > 0 else { return nil }
        return cost <= left ? 1 : 1 + (cost - left + budget - 1) / budget
    }
}

extension ServiceForecast: JSONWritable {
    package func write(into out: inout JSONWriter) {
        out.object { out in
            out.field("name", name)
            out.field("questions", questions)
            out.field("kept", kept)
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
}
