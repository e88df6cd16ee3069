import Application
import Pipeline

/// `etl catalog`: makes and describes offline catalogs.
enum CatalogCommand: Command {
    static let dumps = Argument.many(
        "DUMP", atLeast: 1, "dump files of Open Library or Wikidata, plain or gzip, in any order")
    static let output = Option(
        .text("out", default: "catalog.sqlite", "the catalog to write"), "PATH", short: "o")
    static let update = Option.flag(
        "update", "begin with the catalog that is there: newer revisions replace, the rest stays")
    static let catalog = Argument.optional("CATALOG", "the catalog; those of $ETL_CATALOG, if not given")

    static let build = CommandSpec(
        "catalog", "build", summary: "make a catalog from dumps",
        details: [
            "Takes Open Library's dumps (editions, works, authors, redirects, deletes, wikidata, or all in one) "
                + "and Wikidata's entities, of whom it keeps the people who write. Lines that cannot be read are "
                + "counted by reason and passed over; dumps that hold no books (ratings, reading-log) are left out. "
                + "A file of which nothing is taken is refused.",
            "A catalog that stands there is replaced when the new one is complete, and not before. A build that "
                + "was stopped or killed goes on when the same command is given again; of a gzip file it first "
                + "inflates again what it had read. Begun with other files, or with --update and now without, it is "
                + "thrown away, and you are told.",
            "--update keeps what Open Library deleted or merged since: next month's editions and works do not name "
                + "it. Give ol_dump_redirects and ol_dump_deletes along, which take it away, or build afresh.",
            "Sorting wants as much free space as the catalog, in the folder that SQLITE_TMPDIR or TMPDIR names, "
                + "else in /var/tmp, and records wait in as much again beside the catalog.",
        ],
        arguments: [dumps.spec], options: [output.spec, update.spec, StoreOptions.json.spec],
        examples: [
            .init("etl catalog build ol_dump_*.txt.gz", "make catalog.sqlite from Open Library's dumps"),
            .init(
                "etl catalog build --update ol_dump_*_2026-06-30.txt.gz", "bring catalog.sqlite up to date"),
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
        var order = CatalogBuildRequest(
            files: arguments[dumps], output: arguments[output],
            builtAt: Timestamp.withoutFraction(SystemClock().epochMilliseconds()),
            definition: try Definitions.catalogBuild())
        order.updates = arguments[update]
        return try await CatalogSession(arguments: arguments, console: console).run(order)
    }

    private static func describe(_ arguments: ParsedArguments, _ console: Console)
        async throws(CommandFailure)
        -> ExitStatus
    {
        let paths = arguments[catalog].map { [$0] } ?? DefaultPaths.catalogs([])
        guard !paths.isEmpty else {
            throw CommandFailure(
                .usage, "There is no catalog to describe.", advice: "Name one, or set ETL_CATALOG.")
        }
        for path in paths { try await CatalogTable(arguments: arguments, console: console).write(path) }
        return .completed
    }
}
