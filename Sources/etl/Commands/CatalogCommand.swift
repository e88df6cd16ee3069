import Pipeline
import Stages

/// `etl catalog`: makes and describes offline catalogs.
enum CatalogCommand: Command {
    static let dumps = Argument.many(
        "DUMP", atLeast: 1, "dump files of Open Library or Wikidata, plain or gzip, in any order")
    static let output = Option(
        .text("out", default: "catalog.sqlite", "the catalog to write"), "PATH", short: "o")
    static let catalog = Argument.optional("CATALOG", "the catalog; those of $ETL_CATALOG, if not given")

    static let build = CommandSpec(
        "catalog", "build", summary: "make a catalog from dumps",
        details: ["A catalog that stands there is replaced when the new one is complete, and not before."],
        arguments: [dumps.spec], options: [output.spec, StoreOptions.json.spec],
        examples: [
            .init("etl catalog build ol_dump_*.txt.gz", "make catalog.sqlite from Open Library's dumps"),
            .init("etl catalog build -o small.sqlite editions.txt", "make one from a plain extract"),
            .init("etl catalog build --quiet ol_dump_*.txt.gz", "the same without progress"),
        ])
    static let describe = CommandSpec(
        "catalog", "info", summary: "describe a catalog: what it was made from, how much it holds",
        arguments: [catalog.spec], options: [StoreOptions.json.spec],
        examples: [
            .init("etl catalog info catalog.sqlite", "one catalog"),
            .init("etl catalog info", "those of $ETL_CATALOG"),
            .init("etl catalog info --json catalog.sqlite", "the same as JSON"),
        ])

    static let spec = CommandSpec(
        "catalog", summary: "make or describe an offline catalog",
        examples: [
            .init("etl catalog build ol_dump_*.txt.gz", "make catalog.sqlite from Open Library's dumps"),
            .init("etl catalog info catalog.sqlite", "what is in it"),
            .init("etl import --catalog catalog.sqlite export.csv", "import with it"),
        ],
        subcommands: [build, describe])

    static func run(_ arguments: ParsedArguments, _ console: Console) async throws(CommandFailure)
        -> ExitStatus
    {
        arguments.command.last == "build"
            ? try await build(arguments, console) : try await describe(arguments, console)
    }

    private static func build(_ arguments: ParsedArguments, _ console: Console) async throws(CommandFailure)
        -> ExitStatus
    {
        let now = Timestamp.withoutFraction(SystemClock().epochMilliseconds())
        let output = arguments[output]
        let builder = CatalogBuilder(output: output, builtAt: now) { progress in
            // A line is about 700 bytes: what is left is told in lines, as the rate is.
            let share = progress.totalBytes > 0 ? Double(progress.bytesRead) / Double(progress.totalBytes) : 0
            let total = share > 0 ? Int(Double(progress.lines) / share) : nil
            console.progress(ProgressState(done: progress.lines, total: total))
        }
        let report: CatalogBuildReport
        do { report = try await builder.build(from: arguments[dumps]) } catch { throw CommandFailure(error) }
        for line in report.samples.prefix(5) {
            console.warn("A line was passed over: \(line.reason).", place: "\(line.file):\(line.line)")
        }
        let passedOver = report.malformed.values.reduce(0, +)
        if passedOver > 5 { console.warn("\(HumanText.count(passedOver, "line")) passed over in all.") }
        return try await write(output, arguments, console)
    }

    private static func describe(_ arguments: ParsedArguments, _ console: Console)
        async throws(CommandFailure)
        -> ExitStatus
    {
        let paths = arguments[catalog].map { [$0] } ?? Places.catalogs([])
        guard !paths.isEmpty else {
            throw CommandFailure(
                .usage, "There is no catalog to describe.", advice: "Name one, or set ETL_CATALOG.")
        }
        for path in paths { _ = try await write(path, arguments, console) }
        return .completed
    }

    private static func write(
        _ path: String, _ arguments: ParsedArguments, _ console: Console
    ) async throws(CommandFailure) -> ExitStatus {
        let description: CatalogDescription
        do { description = try await Catalog(path).describe() } catch { throw CommandFailure(error) }
        if arguments[StoreOptions.json] {
            var json = JSONWriter()
            description.write(into: &json)
            try console.write(json.bytes + [UInt8(ascii: "\n")])
            return .completed
        }
        var table = Table(.init("catalog"), .init(path))
        table.add("size", HumanText.bytes(Int(description.bytes)))
        table.add("built", description.builtAt)
        table.add("answers as", description.provider)
        table.add("ISBNs", HumanText.count(description.isbns))
        table.add("works", HumanText.count(description.works))
        table.add("authors", HumanText.count(description.authors))
        table.add("people of Wikidata", HumanText.count(description.people))
        for source in description.sources {
            let malformed = source.malformed > 0 ? ", \(HumanText.count(source.malformed)) malformed" : ""
            table.add("from \(source.name)", "\(HumanText.count(source.records, "record"))\(malformed)")
        }
        try console.write(table)
        return .completed
    }
}
