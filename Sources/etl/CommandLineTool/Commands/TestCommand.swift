import Jobs
import Pipeline
import System

/// `etl test`: runs a pipeline definition on the fixtures beside it.
enum TestCommand: Command {
    static let pipeline = Argument.one("PIPELINE.yaml", "Pipeline definition")
    static let update = Option.flag("update", "Write the actual output as the expected output")
    static let set = RunCommand.set

    static let spec = CommandSpec(
        "test", summary: "Test a pipeline definition on the fixtures beside it",
        details: [
            "The fixtures of mine.yaml are the files in the folder mine.tests. Each is imported into a new, temporary "
                + "store, without catalogs and services. The result is compared with the file of the same name and "
                + "the ending .expected, which has the output of `etl export --what all`.",
            "If a result differs, the differing lines are printed, and the exit status is 78. A fixture without an "
                + "expected output also fails; --update writes it.",
        ],
        arguments: [pipeline.spec], options: [update.spec, set.spec, StoreOptions.json.spec],
        examples: [
            .init("etl test mine.yaml", "Compare the results of all fixtures in mine.tests"),
            .init("etl test --update mine.yaml", "Accept the current results as the expected ones"),
            .init(
                "etl test --set run.window=1 mine.yaml", "Test the definition with a changed value"),
        ])

    /// The maximum number of differing lines that are printed for one fixture.
    private static let maximumLines = 20

    static func run(_ arguments: ParsedArguments, _ console: Console) async throws(CommandFailure)
        -> ExitStatus
    {
        let path = arguments[pipeline]
        let definition = try Definitions.file(path, overrides: arguments[set])
        guard definition.sink.stage != CatalogBuild.sink else {
            throw CommandFailure(
                .usage, "`\(path)` builds a catalog, and only pipelines that end in a store can be tested.",
                advice: "Build the catalog, then look into it with `etl catalog info`.")
        }
        let stop = StopSignal()
        Signals.process.raise(stop) {}
        let test = PipelineTest(definition)
        var (failed, summary) = (0, PipelineTestReport())
        do throws(ETLError) {
            for fixture in try PipelineTest.fixtures(in: PipelineTest.folder(of: path)) {
                let output = try await test.output(for: fixture, stop: stop)
                let verdict = PipelineTest.verdict(on: output, of: fixture)
                switch verdict {
                case .same: summary.add(fixture.name, .passed)
                case _ where arguments[update]: summary.add(fixture.name, .written)
                case .different(let lines): summary.add(fixture.name, .differs, lines: lines)
                case .unknown: summary.add(fixture.name, .unknown)
                }
                guard !arguments[update] else {
                    if verdict != .same { try PipelineTest.accept(output, of: fixture) }
                    console.note("\(fixture.name): \(verdict == .same ? "unchanged" : "written")")
                    continue
                }
                if verdict != .same { failed += 1 }
                report(verdict, of: fixture, console)
                if !arguments[StoreOptions.json], case .different(let lines) = verdict {
                    try write(lines, console)
                }
            }
        } catch {
            throw CommandFailure(error)
        }
        if arguments[StoreOptions.json] { try console.writeJSON { summary.write(into: &$0) } }
        guard failed > 0 else { return .completed }
        throw CommandFailure(
            .configuration, "\(HumanText.count(failed, "fixture")) of `\(path)` failed.",
            advice: "If the new results are right, accept them with --update.")
    }

    private static func report(
        _ verdict: PipelineTest.Verdict, of fixture: PipelineTest.Fixture, _ console: Console
    ) {
        switch verdict {
        case .same: console.note("\(fixture.name): passed")
        case .different: console.note("\(fixture.name): differs")
        case .unknown: console.note("\(fixture.name): there is no `\(fixture.expected)`")
        }
    }

    private static func write(_ lines: [String], _ console: Console) throws(ETLError) {
        var text = lines.prefix(maximumLines).joined(separator: "\n") + "\n"
        if lines.count > maximumLines { text += "… and \(lines.count - maximumLines) more\n" }
        do throws(CommandFailure) { try console.write(text) } catch {
            throw ETLError(.inputOutput, error.message)
        }
    }
}
