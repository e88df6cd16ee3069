import Contract
import Pipeline
import Queries
import Store
import Syntax
import System

/// `etl report`: the report of a job that has ended, again; or the library as a page.
enum ReportCommand: Command {
    enum Format: String, Sendable, CaseIterable {
        case text, json, markdown
    }

    static let job = StoreOptions.jobArgument
    static let format = Option(.choice("to", default: Format.text, "Output format"), "FORMAT")
        .formerly("format")

    static let spec = CommandSpec(
        "report", summary: "Report what a job did: records, reasons, changes, data quality",
        details: [
            "Prints counts of records, reasons of rejects and warnings, changed rows by kind, and the data-quality figures "
                + "with their targets. The figures are of the library as it is now. What services did is in the report "
                + "at the end of a run (`--json`), and on the page of `etl stats --html --technical`.",
            "Earlier versions wrote the page of the library with `etl report --html FILE`. It is now `etl stats --html FILE`, "
                + "and the old spelling goes on working.",
        ],
        arguments: [job.spec],
        options: [
            format.spec, LibraryPageOutput.page.spec, LibraryPageOutput.covers.spec,
            ExportCommand.library.spec, StoreOptions.db.spec, StoreOptions.json.spec,
        ],
        examples: [
            .init("etl report", "Report the newest job"),
            .init("etl report spring-import", "Report a job by its name"),
            .init("etl report --to markdown spring-import > report.md", "Write a report to send around"),
        ], isPaged: true,
        objection: { arguments in
            if arguments[LibraryPageOutput.page] != nil {
                if arguments[job] != nil || arguments[StoreOptions.json] || arguments.isExplicit(format) {
                    return Objection(
                        "`--html` writes a page about the library, not the report of a job.",
                        advice: "Leave out the job and its format.")
                }
                return nil
            }
            if arguments[ExportCommand.library] != nil || arguments.isExplicit(LibraryPageOutput.covers) {
                return Objection(
                    "`--library` and `--covers` belong to `--html`.", advice: "Leave them out, or add --html."
                )
            }
            return StoreOptions.objection(arguments, to: format, besides: .json)
        })

    static func run(_ arguments: ParsedArguments, _ console: Console) async throws(CommandFailure)
        -> ExitStatus
    {
        let store = DefaultPaths.store(arguments)
        if arguments[LibraryPageOutput.page] != nil {
            console.note("`etl report --html` is now `etl stats --html`.")
            // The page was always the technical one.
            try await LibraryPageOutput(arguments, console).write(
                arguments[ExportCommand.library], of: store, isTechnical: true)
            return .completed
        }
        let name = arguments[job]
        let report = try StoreOutput.write(store, console) {
            (connection, _) throws(ETLError) -> JobReport in
            try JobReport(of: try JobTable(connection).any(name), in: connection)
        }
        switch arguments[StoreOptions.json] ? .json : arguments[format] {
        case .json: try console.writeJSON { report.write(into: &$0) }
        case .text:
            try console.writeText(report.title) { console.style(.bold, $0) }
            for section in report.sections {
                try console.write("\n")
                var table = Table(
                    section.columns.enumerated().map {
                        .init($1, section.isNumber($0) ? .right : .left, wraps: section.isSentence($0))
                    })
                for row in section.rows { table.add(row) }
                try console.write(table)
            }
        case .markdown:
            try console.write("# \(report.title)\n")
            for section in report.sections {
                try console.write("\n| \(section.columns.joined(separator: " | ")) |\n")
                try console.write(
                    "|\(section.columns.indices.map { section.isNumber($0) ? " ---: |" : " --- |" }.joined())\n"
                )
                for row in section.rows {
                    let cells = row.map { $0.replacing("|", with: "\\|") }
                    try console.write("| \(cells.joined(separator: " | ")) |\n")
                }
            }
        }
        return .completed
    }
}

extension JobReport {
    /// A table of the report.
    fileprivate struct Section {
        /// The column with the meaning of a figure.
        static let meaning = "meaning"

        var columns: [String]
        var rows: [[String]]

        /// Whether a column has numbers.
        func isNumber(_ column: Int) -> Bool { column > 0 && !isSentence(column) }

        func isSentence(_ column: Int) -> Bool { columns[column] == Self.meaning }
    }

    fileprivate var title: String {
        let undone = job.undoneBy.map { ", undone by `\($0)`" } ?? ""
        return "Job `\(job.shortName)` (\(job.pipeline), \(job.state.rawValue)\(undone)), "
            + "started \(Timestamp.withoutFraction(job.startedAt))"
    }

    fileprivate var sections: [Section] {
        let counts = job.counts
        func row(_ name: String, _ count: Int) -> [String] { [name, HumanText.count(count)] }
        var all = [
            Section(
                columns: [job.isRefresh ? "books" : "records", ""],
                rows: [
                    row("created", counts.booksCreated), row("updated", counts.booksUpdated),
                    row("unchanged", counts.duplicatesSkipped), row("rejected", counts.rejected),
                    row("pending", job.pending), row("total", counts.totalProcessed),
                ])
        ]
        if let joined = job.runState.joined {
            all.append(Section(columns: ["duplicates", ""], rows: [row("joined", joined)]))
        }
        for (name, findings) in [
            ("rejected because", findings.rejects), ("repaired ISBNs", findings.repairs),
            ("warnings", findings.warnings),
        ] where !findings.isEmpty {
            all.append(Section(columns: [name, ""], rows: findings.map { row($0.name, $0.count) }))
        }
        if !changes.isEmpty {
            let effects = RowChange.Effect.allCases.filter { effect in
                changes.values.contains { $0[effect] != nil }
            }
            all.append(
                Section(
                    columns: ["rows"] + effects.map(\.rawValue),
                    rows: RowChange.Kind.allCases.compactMap { kind in
                        changes[kind].map { found in
                            [kind.rawValue] + effects.map { HumanText.count(found[$0] ?? 0) }
                        }
                    }))
        }
        // Without any provider there is nothing to judge.
        guard quality.notLookedUp.count < QualityTarget.allCases.count else { return all }
        let metrics = QualityTarget.allCases.compactMap { target -> [String]? in
            let (name, meaning) = ClosingReport.words(target)
            guard !quality.notLookedUp.contains(target) else { return [name, "–", "not looked up", meaning] }
            guard let metric = quality[target] else { return nil }
            let isShare = target != .meanQuality
            func shown(_ metric: Double) -> String {
                isShare ? HumanText.percent(metric) : String(Int(metric.rounded()))
            }
            return [name, shown(metric), "> \(shown(target.threshold))", meaning]
        }
        if !metrics.isEmpty {
            all.append(Section(columns: ["quality", "", "target", Section.meaning], rows: metrics))
        }
        return all
    }
}
