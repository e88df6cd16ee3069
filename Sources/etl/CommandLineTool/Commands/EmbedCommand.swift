import Contract
import Jobs
import Pipeline
import Queries
import System

/// `etl embed`: computes the vectors by which books are compared.
enum EmbedCommand: Command {
    static let model = Option(
        Setting<String?>.text(
            "model", "Static model, a safetensors file with a tokenizer.json beside it; or the word `service`"
        ),
        "FILE", defaultText: "that of the store's vectors, or the service in $ETL_EMBEDDINGS_URL")
    static let stale = Option.flag("stale", "Only works whose text has changed, none that are new")
    static let dryRun = Option.flag(
        "dry-run", short: "n", "Only count the works; compute nothing and ask no service")

    static let spec = CommandSpec(
        "embed", summary: "Compute vectors for similar books and semantic search",
        details: [
            "Computes a vector for each work, from its title, authors, genres and description, up to 1,000 characters. "
                + "Works whose text has not changed keep theirs. The vectors are in a file next to the store "
                + "(library.sqlite.vectors), which can be deleted and made again.",
            "Vectors come from a static model in a file, which needs no other program and sends nothing anywhere, or from "
                + "a service with OpenAI's interface (Ollama, llama.cpp and others), which is sent these texts: set "
                + "ETL_EMBEDDINGS_URL, and ETL_EMBEDDINGS_MODEL and ETL_EMBEDDINGS_KEY if needed. docs/similar.md says where "
                + "to get a model.",
            "A stopped or killed run continues with the same command. With another model all vectors are computed again; "
                + "until that is done, the old ones are used.",
        ],
        options: [model.spec, stale.spec, dryRun.spec, StoreOptions.db.spec, StoreOptions.json.spec],
        examples: [
            .init("etl embed --model potion/model.safetensors", "Compute vectors with a static model"),
            .init("etl embed", "Compute those that are missing or no longer current"),
            .init("etl embed --dry-run --json | jq .new", "Print how many are missing"),
        ])

    static func run(_ arguments: ParsedArguments, _ console: Console) async throws(CommandFailure)
        -> ExitStatus
    {
        let stop = StopSignal()
        Signals.process.outliveTerminal()
        Signals.process.raise(stop) { [console] in
            console.note("Stopping after the batches in progress. Press Ctrl-C again to stop at once.")
        }
        let store = DefaultPaths.store(arguments)
        let isDryRun = arguments[dryRun]
        let clock = SystemClock()
        let began = clock.nanoseconds()
        let progress: EmbeddingProgress
        do throws(ETLError) {
            let setup = try EmbeddingSetup(store, model: arguments[model])
            progress = try await StoreEmbedding(of: store, from: setup.source, setup.settings, stop: stop)
                .run(
                    onlyStale: arguments[stale], isDryRun: isDryRun
                ) { done, total in
                    console.progress(ProgressState(done: done, total: total))
                }
        } catch {
            throw CommandFailure(error)
        }
        if arguments[StoreOptions.json] {
            try console.writeJSON { progress.write(into: &$0) }
        } else {
            try console.write(table(progress, isDryRun: isDryRun))
        }
        if stop.isRaised {
            console.note("Stopped. To continue, run the same command again.")
            return .stopped(by: Signals.process.received)
        }
        let seconds = Double(clock.nanoseconds() - began) / 1e9
        if !isDryRun, progress.computed > 0 {
            console.note(
                "Computed \(HumanText.count(progress.computed, "vector")) in \(HumanText.duration(seconds: seconds)), "
                    + "\(HumanText.rate(Double(progress.computed) / max(seconds, 0.001))).")
        }
        return .completed
    }

    private static func table(_ progress: EmbeddingProgress, isDryRun: Bool) -> Table {
        var table = Table([.init("works"), .init("", .right), .init("")])
        let numbers = progress.dimension > 0 ? ", \(HumanText.count(progress.dimension)) dimensions" : ""
        // It is not known which ones a stopped run has left.
        let isWhole = progress.unwritten == 0
        for (name, count, detail) in [
            ("current", progress.current, "the text has not changed"),
            ("computed", isWhole ? 0 : progress.computed, "the work had no vector, or its text has changed"),
            (isDryRun ? "missing" : "computed", isWhole ? progress.new : 0, "the work had no vector"),
            (
                isDryRun ? "to compute again" : "computed again", isWhole ? progress.changed : 0,
                "the text has changed"
            ),
            ("refused", progress.refused, "the model cannot take the text"),
            ("without text", progress.withoutText, "nothing is known to compare"),
            ("left out", progress.leftOut, "no vector yet; leave out --stale"),
            ("not computed", progress.unwritten, "the run was stopped"),
            (isDryRun ? "to remove" : "removed", progress.removed, "the work is gone"),
            ("total", progress.works, "model \(progress.model)\(numbers)"),
        ] where count > 0 || name == "total" {
            table.add([name, HumanText.count(count), detail])
        }
        return table
    }
}
