/// The data-quality figures of a job beside their targets, for clients.
package struct QualityReport: Sendable, Hashable {
    package var counts: QualityCounts

    package init(_ counts: QualityCounts) { self.counts = counts }

    /// The values that the figures must exceed. A target that says nothing about the job is left out.
    private struct Targets: ContractRecord, Hashable {
        static var example: Targets { Targets(omitted: []) }

        var omitted: Set<QualityTarget>

        func fields(into table: inout some FieldTable) {
            for target in QualityTarget.allCases {
                table.field(target.name, omitted.contains(target) ? nil : Double?.some(target.threshold))
            }
        }
    }
}

extension QualityReport: ContractRecord {
    package static var example: QualityReport { QualityReport(QualityCounts()) }
    package static var schemaName: String? { "Quality" }

    package func fields(into table: inout some FieldTable) {
        for target in QualityTarget.allCases { table.field(target.name, counts[target]) }
        table.field("targets", Targets(omitted: counts.notLookedUp))
    }
}
