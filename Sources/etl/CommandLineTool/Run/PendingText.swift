import Contract
import Jobs
import Queries
import Store
import System

/// Text about pending records: which services they wait for, and why.
enum PendingText {
    /// One sentence for each service: `openlibrary did not answer in time: 98 records wait for it.`
    ///
    /// - Parameter services: The run's services, for details.
    static func of(_ pending: [PendingRecords.Counts], services: [ServiceReport] = []) -> [String] {
        // Records decided in a review wait for the next run, not for a service.
        pending.filter { $0.service != Reviews.pendingService }.map { counts in
            let records = HumanText.count(counts.records, "record")
            let what = FailureText.of(worst(counts), of: counts.service, services[counts.service])
            return "\(counts.service) \(what): \(records) wait\(counts.records == 1 ? "s" : "") for it."
        }
    }

    /// Why a service has not answered a record's questions: `openlibrary did not answer in time`.
    static func of(_ pending: Explanation.Pending) -> String {
        guard pending.service != Reviews.pendingService else { return "your decision is not applied yet" }
        let outcome = LookupOutcome(name: pending.reason) ?? .skipped
        return "\(pending.service) \(FailureText.of(outcome, of: pending.service))"
    }

    /// The most frequent reason. Reasons that are no cause count less.
    private static func worst(_ counts: PendingRecords.Counts) -> LookupOutcome {
        let reasons = counts.reasons.compactMap { name, count in
            LookupOutcome(name: name).map { (outcome: $0, count: count) }
        }
        func rank(_ reason: (outcome: LookupOutcome, count: Int)) -> (Int, Int, UInt8) {
            (reason.outcome.isCause ? 0 : 1, -reason.count, reason.outcome.rawValue)
        }
        return reasons.min { rank($0) < rank($1) }?.outcome ?? .skipped
    }
}
