import Contract
import Jobs
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

    static let page = Option(
        Setting<String?>.text(
            "html", "Write the library as an HTML page to this file instead; - is standard output"), "FILE")

    static let covers = Option(
        .choice("covers", default: Covers.none, "Covers on the page, and their source"),
        "WHERE")

    /// Source of the page's covers.
    enum Covers: String, Sendable, CaseIterable {
        case none, link, embed
    }

    /// Length of the page's lists.
    private static let top = 25

    static let spec = CommandSpec(
        "report", summary: "Report what a job did: records, reasons, changes, data quality",
        details: [
            "Prints counts of records, reasons of rejects and warnings, changed rows by kind, and the data-quality figures "
                + "with their targets. The figures are of the library as it is now. What services did is in the report "
                + "at the end of a run (`--json`), and on the page (`--html`).",
            "With --html, writes one page about the whole library: the figures of `etl stats` as charts with the tables "
                + "behind them, what imports did, the records that miss the data-quality targets, and problems with advice. "
                + "It contains no script, and without `--covers link` it loads nothing, so it can be opened, printed and shared as it is.",
            "With `--covers embed`, the page contains the covers of about twenty books. They are fetched from the services "
                + "that have them and kept in $XDG_CACHE_HOME/etl/covers, else ~/.cache/etl/covers. With `--covers link`, a "
                + "browser loads them, and the services see who opens the page.",
        ],
        arguments: [job.spec],
        options: [
            format.spec, page.spec, covers.spec, ExportCommand.library.spec, StoreOptions.db.spec,
            StoreOptions.json.spec,
        ],
        examples: [
            .init("etl report", "Report the newest job"),
            .init("etl report --to markdown spring-import > report.md", "Write a report to send around"),
            .init("etl report --html library.html", "Write the library as a page"),
        ],
        objection: { arguments in
            if arguments[page] != nil {
                if arguments[job] != nil || arguments[StoreOptions.json] || arguments.isExplicit(format) {
                    return Objection(
                        "`--html` writes a page about the library, not the report of a job.",
                        advice: "Leave out the job and its format.")
                }
                return nil
            }
            if arguments[ExportCommand.library] != nil || arguments.isExplicit(covers) {
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
        if let path = arguments[page] {
            return try await write(store, to: path, arguments, console)
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

    private static func write(
        _ store: String, to path: String, _ arguments: ParsedArguments, _ console: Console
    ) async throws(CommandFailure) -> ExitStatus {
        let file = OutputFile(path: path, option: "--html")
        try file.check(againstStore: store, input: nil)
        let library = arguments[ExportCommand.library]
        let report = try StoreOutput.write(store, console) { (connection, _) throws(ETLError) in
            var reader = LibraryReportReader(
                connection, now: SystemClock().epochMilliseconds(), most: top)
            return try reader.read(library)
        }
        let images = try await images(report.covers, arguments[covers])
        let page = LibraryReportPage(report, covers: images, spelling: console.words.spelled)
        try file.replace(with: String(decoding: page.document(), as: UTF8.self))
        if !file.isStandardOutput { console.note("Wrote `\(path)`.") }
        return .completed
    }

    private static func images(
        _ addresses: [String], _ covers: Covers
    ) async throws(CommandFailure) -> LibraryReportPage.Covers {
        switch covers {
        case .none: return .none
        case .link: return .linked
        case .embed:
            let services = try ServiceSetup()
            let settings = try services.settings(named: [], isOffline: false, required: nil)
            let fetcher = CoverFetcher(
                settings, keptIn: services.cacheFolder.map { $0 + "/covers" }, stop: StopSignal())
            do throws(ETLError) {
                return .embedded(try await fetcher.images(at: addresses))
            } catch {
                throw CommandFailure(error)
            }
        }
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
        return "Job `\(job.name)` (\(job.pipeline), \(job.state.rawValue)\(undone)), "
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
