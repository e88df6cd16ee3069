import Pipeline
import Services

/// A record that was asked for, and is open.
package struct PendingRecord: Sendable {
    var place: RecordPlace
    /// The services that have not answered, and what came in place of an answer.
    package var unsettled: [UnansweredQuery]

    /// What the store says of why it waits.
    var reasons: Set<String> { Set(unsettled.map(Self.reason)) }

    /// The same where it waits already: what came of asking last goes before what came of it earlier. Who was not asked
    /// this time is waited for as before, and what a reader has decided is not forgotten.
    func reasons(after before: Set<String>) -> Set<String> {
        func known(of service: String) -> Set<String> { before.filter { $0.hasPrefix("\(service):") } }
        var reasons = known(of: Reviews.pendingService)
        for (service, answers) in Dictionary(grouping: unsettled, by: \.service) {
            let told = answers.filter { $0.outcome != .skipped }
            reasons.formUnion(told.isEmpty ? known(of: service) : Set(told.map(Self.reason)))
        }
        return reasons.isEmpty ? self.reasons : reasons
    }

    private static func reason(_ answer: UnansweredQuery) -> String {
        "\(answer.service):\(answer.outcome.name)"
    }
}

extension PendingRecord {
    /// nil where all services have answered.
    package init?(_ draft: ResultDraft) {
        guard !draft.unsettled.isEmpty else { return nil }
        self.init(
            place: RecordPlace(file: draft.position.file, row: draft.position.record),
            unsettled: draft.unsettled)
    }
}
