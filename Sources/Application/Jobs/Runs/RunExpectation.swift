package import Pipeline
import Store
import System

/// Conditions at the end of a run before its job counts as complete, such as `changed <= 5 %`.
package struct RunExpectation: Sendable, Hashable {
    /// Action if one does not hold.
    package enum Action: String, Sendable, Hashable, CaseIterable {
        /// The job stays unfinished until it is accepted.
        case keep
        /// The job is undone.
        case undo
    }

    /// As written.
    package let text: String
    let condition: RecordExpression

    package init(_ text: String) throws(ExpressionError) {
        self.text = text
        condition = try RecordExpression(Self.withoutFunction(text), over: Self.schema, as: .condition)
    }

    private static let function = "fill_rate("

    /// Writes `fill_rate(cover)` as the name of a metric, without moving what follows.
    private static func withoutFunction(_ text: String) -> String {
        var rest = text[...]
        var written = ""
        while let start = rest.firstRange(of: function),
            let end = rest[start.upperBound...].firstIndex(of: ")")
        {
            let field = rest[start.upperBound..<end].filter { $0 != " " }
            let name = prefix + field
            let width = rest.distance(from: start.lowerBound, to: end) + 1
            written +=
                rest[..<start.lowerBound] + name + String(repeating: " ", count: max(1, width - name.count))
            rest = rest[rest.index(after: end)...]
        }
        return written + rest
    }

    private static let prefix = "fill_rate_"
    private static let shares = ["changed", "not_found", "rejected"]
    private static let numbers = ["removed"]

    static let schema = ExpressionSchema(
        (shares + numbers + StoredBookField.offered.map { prefix + $0 }).map { .init($0, .number) })

    /// The fields of stored books whose fill rates are used.
    var fields: [String] {
        condition.fields.map { Self.schema.fields[$0].name }.filter { $0.hasPrefix(Self.prefix) }
            .map { String($0.dropFirst(Self.prefix.count)) }
    }

    /// The metrics that it is about, in words, if it does not hold; nil if it does.
    func violation(_ metrics: JobMetrics) -> String? {
        guard !condition.holds(for: MetricsRecord(metrics: metrics)) else { return nil }
        let found = condition.fields.map { index in
            let name = Self.schema.fields[index].name
            let value = metrics[name]
            return Self.numbers.contains(name)
                ? "\(name) is \(Int(value))" : "\(name) is \((value * 1_000).rounded() / 10) %"
        }
        return "`\(text)`: \(found.joined(separator: ", "))"
    }

    private struct MetricsRecord: ExpressionRecord {
        let metrics: JobMetrics

        func value(ofField index: Int) -> ExpressionValue {
            ExpressionValue(number: metrics[RunExpectation.schema.fields[index].name])
        }
    }
}

extension JobMetrics {
    /// A metric by its name in expectations; 0 if there is nothing to count.
    fileprivate subscript(_ name: String) -> Double {
        func share(_ part: Int, of whole: Int) -> Double { whole > 0 ? Double(part) / Double(whole) : 0 }
        let counts = job.counts
        return switch name {
        case "changed": share(counts.booksUpdated, of: counts.booksUpdated + counts.duplicatesSkipped)
        case "not_found": share(job.recordsWithISBN - job.recordsMatched, of: job.recordsWithISBN)
        case "rejected": share(counts.rejected, of: counts.totalProcessed)
        case "removed": Double(removed)
        default: fillRates[String(name.dropFirst("fill_rate_".count))] ?? 0
        }
    }
}

/// The expectations of a run.
struct RunExpectations {
    var all: [RunExpectation] = []
    var action = RunExpectation.Action.keep

    /// Those of a plan's sink.
    init(_ plan: Plan) {
        all = plan.sink.settings[BookStages.expectations]
        action = plan.sink.settings[BookStages.violationAction]
    }

    /// Violations as text.
    func violations(_ store: ResultsStore) async throws(ETLError) -> [String] {
        guard !all.isEmpty, let metrics = try await store.metrics(of: all.flatMap(\.fields)) else {
            return []
        }
        return all.compactMap { $0.violation(metrics) }
    }
}
