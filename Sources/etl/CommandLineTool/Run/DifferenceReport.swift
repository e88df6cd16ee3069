import Contract
import Queries
import Store

/// The text output of `etl diff`: the number of changed rows, then the changes.
struct DifferenceReport {
    /// Lines that are shown of the whole list. More are counted only.
    private static let maxLines = 10_000
    /// A list up to this length is its own summary.
    private static let maxLinesOfSummary = 20

    private var counts: [RowChange.Kind: [RowChange.Effect: Int]] = [:]
    private var changes = ChangeTable()
    private var unshown = 0
    /// Number of changed rows by kind and field, in the order of their first change.
    private var fields: [(name: [String], count: Int)] = []

    mutating func add(_ change: RowChange) {
        counts[change.kind, default: [:]][change.effect, default: 0] += 1
        if changes.count < Self.maxLines { changes.add(change) } else { unshown += 1 }
        guard change.effect == .changed else { return }
        for field in change.fields {
            let name = [change.kind.rawValue, field.field]
            if let index = fields.firstIndex(where: { $0.name == name }) {
                fields[index].count += 1
            } else {
                fields.append((name, 1))
            }
        }
    }

    /// - Parameters:
    ///   - jobs: The job whose changes are shown, or the two that are compared.
    ///   - isWhole: Whether a long list is shown too, and not only summarized.
    func write(of jobs: [Job], isWhole: Bool, to console: Console) throws(CommandFailure) {
        let names = jobs.map { "`\($0.shortName)`" }
        let what = jobs.count == 1 ? "Job \(names[0])" : "From after job \(names[0]) to after job \(names[1])"
        guard !counts.isEmpty else { return try console.writeText("\(what): the library is the same.") }
        let started = jobs.count == 1 ? ", started \(Timestamp.withoutFraction(jobs[0].startedAt))" : ""
        let undone = jobs.count == 1 ? jobs[0].undoneBy.map { ", undone by `\($0)`" } ?? "" : ""
        try console.writeText("\(what)\(started)\(undone)") { console.style(.bold, $0) }
        try console.write("\n")
        let effects = RowChange.Effect.allCases.filter { effect in
            counts.values.contains { $0[effect] != nil }
        }
        var table = Table([.init("", isNeverCut: true)] + effects.map { .init($0.rawValue, .right) })
        for kind in RowChange.Kind.allCases {
            guard let found = counts[kind] else { continue }
            table.add([kind.plural] + effects.map { HumanText.count(found[$0] ?? 0) })
        }
        try console.write(table)
        try console.write("\n")
        guard isWhole || changes.count <= Self.maxLinesOfSummary else {
            return try writeSummary(of: jobs, to: console)
        }
        try console.write(changes.table)
        if unshown > 0 {
            try console.writeText(
                "\n\(HumanText.count(unshown, "more row")). `--to csv` and `--to ndjson` list all.")
        }
    }

    /// Writes how often each field changed, and how to see the list.
    private func writeSummary(of jobs: [Job], to console: Console) throws(CommandFailure) {
        var table = Table(
            .init("row", isNeverCut: true), .init("field", isNeverCut: true), .init("changed", .right))
        for (name, count) in fields { table.add(name + [HumanText.count(count)]) }
        if !table.isEmpty {
            try console.write(table)
            try console.write("\n")
        }
        let db = DefaultPaths.option(store: console.words.store)
        let names = jobs.map { ShellWord.of($0.shortName) }.joined(separator: " ")
        try console.writeText("To list every change: `etl diff --all\(db) \(names)`")
    }
}

/// Changes in aligned columns: one line per field, and one for a row that was created or removed.
struct ChangeTable {
    private(set) var table = Table(
        .init("change", isNeverCut: true), .init("row", isNeverCut: true), .init("title", narrowest: 20),
        .init("field", isNeverCut: true), .init("before", wraps: true), .init("after", wraps: true),
        .init("from", wraps: true))
    private(set) var count = 0

    mutating func add(_ change: RowChange) {
        let row = [change.effect.rawValue, change.kind.rawValue, change.title ?? change.key]
        guard change.effect == .changed || change.effect == .merged else {
            count += 1
            return table.add(row)
        }
        for field in change.fields {
            count += 1
            table.add(
                row + [
                    field.field, Self.shown(field.before), Self.shown(field.after), field.source?.words ?? "",
                ])
        }
    }

    /// A long text shows that it changed, not how: that is what CSV and JSON are for.
    static func shown(_ values: [String]) -> String {
        let text = values.joined(separator: "; ")
        return text.count > longest ? text.prefix(longest) + "…" : text
    }

    private static let longest = 80
}

extension RowChange.Kind {
    fileprivate var plural: String {
        switch self {
        case .work: "works"
        case .edition: "editions"
        case .entry: "entries"
        case .author: "authors"
        }
    }
}
