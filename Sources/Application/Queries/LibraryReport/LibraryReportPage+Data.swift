import Contract
import Store
import System

/// The part of the page about the data: what imports did, quality, problems, providers, and the last run.
extension LibraryReportPage {
    /// Whether there is something to say about the data. Jobs, targets, services and stages are for those who ask for them.
    var hasData: Bool {
        isTechnical || statistics.books > 0 && (!report.gaps.isEmpty || !report.problems.isEmpty)
    }

    func writeData(_ html: inout HTML) {
        writePart("data", "About the data", &html) { html in
            html.tag("div", ["class": "panels"]) { html in
                if isTechnical { writeImports(&html) }
                if statistics.books > 0 {
                    if isTechnical { for target in report.targets { write(target, &html) } }
                    writeGaps(&html)
                }
                if isTechnical { writeProviders(&html) }
                writeProblems(&html)
                if isTechnical { writeRun(&html) }
            }
        }
    }

    private func writeImports(_ html: inout HTML) {
        guard !report.imports.isEmpty else {
            return writePanel("Imports", isWide: true, &html) {
                $0.tag("p", "Nothing has been imported yet.")
            }
        }
        let hasPending = report.imports.contains { $0.pending > 0 }
        writePanel("Imports", isWide: true, &html) { html in
            Self.writeTable(
                "Records of each import",
                ["job", "started", "new", "updated", "unchanged", "rejected"]
                    + (hasPending ? ["pending"] : []),
                report.imports.map { job in
                    [
                        job.name, String(Timestamp.withoutFraction(job.startedAt).description.prefix(10)),
                        String(job.created), String(job.updated), String(job.unchanged), String(job.rejected),
                    ] + (hasPending ? [String(job.pending)] : [])
                }, &html)
        }
    }

    // MARK: Quality

    private static func words(
        _ target: QualityTarget
    ) -> (name: String, records: String, columns: [String]) {
        switch target {
        case .isbnMatchRate:
            ("ISBNs matched", "books with an ISBN that no provider knows", ["title", "author and ISBN"])
        case .coverAvailability: ("Works with a cover", "works without a cover", ["title", "author"])
        case .authorEnrichment:
            ("Authors enriched", "authors of whom neither gender nor region is known", ["author", "works"])
        case .meanQuality:
            ("Mean quality, 0 to 100", "works with a score below the target", ["title", "author", "score"])
        }
    }

    private func write(_ target: LibraryReport.Target, _ html: inout HTML) {
        let words = Self.words(target.target)
        writePanel(words.name, &html) { html in
            guard target.isLookedUp else {
                return html.tag(
                    "p", ["class": "hint"],
                    "Not looked up: no import has asked a catalog or a service for it.")
            }
            guard let metric = target.metric else {
                return html.tag("p", ["class": "hint"], "Nothing to count.")
            }
            let isMet = target.target.isMet(by: metric)
            let shown = Self.shown(metric, of: target.target)
            html.tag("p", ["class": isMet ? "verdict met" : "verdict missed"]) { html in
                html.tag("strong", shown)
                html.text(" \(isMet ? "✓ met" : "✗ missed"), target: more than ")
                html.text(Self.shown(target.target.threshold, of: target.target))
            }
            guard target.misses > 0 else { return }
            html.tag("p", ["class": "hint"], "\(CountText.grouped(target.misses)) \(words.records)")
            writeExamples(target.examples, of: target.misses, words.columns, words.name, &html)
        }
    }

    private static func shown(_ metric: Double, of target: QualityTarget) -> String {
        target == .meanQuality
            ? String(Int(metric.rounded())) : "\(stars((metric * 1_000).rounded(.down) / 10)) %"
    }

    private func writeExamples(
        _ examples: [LibraryReport.Example], of all: Int, _ columns: [String], _ title: String,
        _ html: inout HTML
    ) {
        guard !examples.isEmpty else { return }
        html.tag("details") { html in
            html.tag("summary", examples.count < all ? "The first \(examples.count)" : "Which ones")
            Self.writeTable(
                "\(title): records that count against the target", columns,
                examples.map { [$0.name, $0.detail] + ($0.score.map { [String($0)] } ?? []) }, &html)
        }
    }

    private func writeGaps(_ html: inout HTML) {
        guard !report.gaps.isEmpty else { return }
        writePanel("Missing values", &html) { html in
            BarChart(
                label: "Books without a value: a bar chart. The tables below name the books.",
                values: report.gaps.map { ChartValue(label: $0.name, value: $0.books) }
            ).write(into: &html)
            for gap in report.gaps {
                html.tag("details") { html in
                    html.tag("summary", "\(gap.name): which books")
                    Self.writeTable(
                        "\(gap.name) missing: \(CountText.grouped(gap.books)) of \(CountText.grouped(statistics.books)) books",
                        ["title", "author"], gap.examples.map { [$0.name, $0.detail] }, &html)
                }
            }
        }
    }

    // MARK: Problems and providers

    private func writeProblems(_ html: inout HTML) {
        guard !report.problems.isEmpty else {
            guard !report.imports.isEmpty else { return }
            return writePanel("Problems", &html) { $0.tag("p", "✓ No import has reported a problem.") }
        }
        writePanel("Problems and how to fix them", isWide: true, &html) { html in
            html.tag("ul", ["class": "problems"]) { html in
                for problem in report.problems {
                    html.tag("li") { html in
                        html.tag("p") { html in
                            let plural = problem.kind == .warning && problem.records != 1 ? "s" : ""
                            html.tag(
                                "strong",
                                "\(CountText.grouped(problem.records)) \(problem.kind.rawValue)\(plural)"
                            )
                            html.text(": \(problem.meaning) ")
                            if isTechnical { html.tag("code", problem.code) }
                        }
                        html.tag("p", ["class": "hint"]) { html in
                            Self.write(spell(problem.advice), &html)
                            html.tag("span", ["dir": "auto"], " First: \(problem.example).")
                        }
                    }
                }
            }
        }
    }

    private func writeProviders(_ html: inout HTML) {
        let services = report.run?.metrics.services ?? []
        guard statistics.books > 0, !report.sources.isEmpty else { return }
        writePanel("Providers", &html) { html in
            BarChart(
                label:
                    "Works by the provider that described them: a bar chart. The table below has the numbers.",
                values: report.sources.map { source in
                    ChartValue(
                        label: source.name.isEmpty ? "only the file" : source.name, value: source.works)
                }
            ).write(into: &html)
            Self.writeFoldedTable(
                "Works by provider", ["provider", "works"],
                report.sources.map { [$0.name.isEmpty ? "only the file" : $0.name, String($0.works)] }, &html)
            guard !services.isEmpty else { return }
            Self.writeTable(
                "Services asked by the last run",
                ["service", "requests", "failed", "cached", "found", "not found", "median ms"],
                services.map { service in
                    [service.name]
                        + [service.requests, service.failed, service.cached, service.found, service.notFound]
                        .map(String.init) + [service.median.map { String(Int($0.rounded(.up))) } ?? "–"]
                }, &html)
        }
    }

    // MARK: The last run

    private func writeRun(_ html: inout HTML) {
        guard let run = report.run, !run.metrics.stages.isEmpty else { return }
        let (stages, slowest) = (run.metrics.stages, run.metrics.bottleneck)
        writePanel("Stages of the last run", isWide: true, &html) { html in
            html.tag("p") { html in
                html.text("Job ")
                html.tag("span", ["dir": "auto"], run.job)
                html.text(" took \(CountText.grouped(Int(run.metrics.duration))) ms.")
                if let slowest { html.text(" \(slowest) was the slowest stage and set the speed of all.") }
            }
            html.tag("ul", ["class": "legend"]) { html in
                for (style, name) in zip(
                    DividedBars.styles, ["working", "waiting for input", "waiting for the next stage"])
                {
                    html.tag("li", ["class": style], name)
                }
            }
            DividedBars(
                label: "Use of time by each stage: divided bars. The table below has the numbers.",
                bars: stages.map { stage in
                    let parts = [stage.busy, stage.waitingForInput, stage.waitingForOutput].map { Int($0) }
                    let share = parts.reduce(0, +) > 0 ? parts[0] * 100 / parts.reduce(0, +) : 0
                    return (
                        stage.name + (stage.name == slowest ? " (slowest)" : ""), "\(share) % working", parts
                    )
                }
            ).write(into: &html)
            Self.writeFoldedTable(
                "Records, and milliseconds summed over the workers of a stage",
                ["stage", "in", "out", "rejected", "working", "waiting for input", "for the next stage"],
                stages.map { stage in
                    [stage.name] + [stage.recordsIn, stage.recordsOut, stage.rejected].map(String.init)
                        + [stage.busy, stage.waitingForInput, stage.waitingForOutput].map(String.init)
                }, &html)
        }
    }

    // MARK: Text

    /// A table whose first column names its rows. Texts can be in any direction. It is scrolled where it is too
    /// wide, also with the keyboard.
    ///
    /// - Parameter isTitled: Whether the caption is also the heading above it; then it is not shown again.
    static func writeTable(
        _ caption: String, isTitled: Bool = false, _ columns: [String], _ rows: [[String]],
        _ html: inout HTML
    ) {
        let areNumbers = columns.indices.map { index in
            let cells = rows.compactMap { $0.indices.contains(index) && !$0[index].isEmpty ? $0[index] : nil }
            return index > 0 && !cells.isEmpty && cells.allSatisfy { Double($0) != nil }
        }
        html.tag("div", ["class": "scroll", "tabindex": "0", "role": "region", "aria-label": caption]) {
            html in
            html.tag("table") { html in
                html.tag("caption", ["class": isTitled ? "hidden" : "shown"], caption)
                html.tag("thead") { html in
                    html.tag("tr") { html in
                        for (index, column) in columns.enumerated() {
                            html.tag(
                                "th", ["scope": "col", "class": areNumbers[index] ? "number" : "text"], column
                            )
                        }
                    }
                }
                html.tag("tbody") { html in
                    for row in rows {
                        html.tag("tr") { html in
                            for index in columns.indices {
                                let cell = index < row.count ? row[index] : ""
                                if index == 0 {
                                    html.tag("th", ["scope": "row", "dir": "auto"], cell)
                                } else if areNumbers[index] {
                                    html.tag("td", ["class": "number"], cell)
                                } else if isDate(cell) {
                                    html.tag("td", ["class": "fixed"], cell)
                                } else {
                                    html.tag("td", ["dir": "auto"], cell)
                                }
                            }
                        }
                    }
                }
            }
        }
    }

    /// The table with the numbers of a chart, which the user opens.
    static func writeFoldedTable(
        _ caption: String, _ columns: [String], _ rows: [[String]], _ html: inout HTML
    ) {
        html.tag("details") { html in
            html.tag("summary", "Table")
            writeTable(caption, columns, rows, &html)
        }
    }

    private static func isDate(_ cell: String) -> Bool {
        !cell.isEmpty && cell.utf8.allSatisfy { (0x30...0x39).contains($0) || $0 == UInt8(ascii: "-") }
    }

    /// Text with code in backquotes.
    package static func write(_ text: String, _ html: inout HTML) {
        for (index, part) in text.split(separator: "`", omittingEmptySubsequences: false).enumerated() {
            if index.isMultiple(of: 2) { html.text(String(part)) } else { html.tag("code", String(part)) }
        }
    }

    /// `12 days`, `8 months`, `18 years`
    package static func span(_ days: Int) -> String {
        switch days {
        case ..<60: CountText.count(days, "day")
        case ..<731: CountText.count((days * 12 + 182) / 365, "month")
        default: CountText.count(days * 4 / 1_461, "year")
        }
    }

    /// `4`, `3.75`, `3.8`
    package static func stars(_ stars: Double) -> String {
        let hundredths = Int((stars * 100).rounded())
        let (whole, rest) = (hundredths / 100, hundredths % 100)
        if rest == 0 { return String(whole) }
        return rest % 10 == 0 ? "\(whole).\(rest / 10)" : "\(whole).\(rest < 10 ? "0" : "")\(rest)"
    }
}
