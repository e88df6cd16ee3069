import Contract
import Jobs
import Pipeline
import System

/// `etl catalog`: builds and describes offline catalogs.
enum CatalogCommand: Command {
    static let dumps = Argument.many(
        "DUMP", atLeast: 1, "Dumps of Open Library or Wikidata, plain or gzip, in any order")
    static let output = Option(
        .text("output", default: "catalog.sqlite", "Catalog to write"), "PATH", short: "o"
    ).formerly("out")
    static let update = Option.flag(
        "update", "Add the dumps to the existing catalog; newer revisions replace older ones")
    static let catalog = Argument.optional("CATALOG", "Catalog to describe (default: those in $ETL_CATALOG)")

    static let build = CommandSpec(
        "catalog", "build", summary: "Build a catalog from dumps",
        details: [
            "Reads Open Library dumps (editions, works, authors, redirects, deletes, wikidata, or all in one file) "
                + "and the authors in Wikidata's JSON dump. Lines that cannot be parsed are skipped and counted by "
                + "reason. Dumps without books (ratings, reading-log) are skipped. Empty files and files that are "
                + "not dumps are errors.",
            "An existing catalog is replaced only when the new one is complete. If a build was stopped, the same "
                + "command continues it. A gzip file is decompressed again from its start. If you specify other "
                + "files, or add or leave out --update, etl reports it and starts a new build.",
            "--update keeps records that Open Library has since deleted or merged. To remove them, add "
                + "ol_dump_redirects and ol_dump_deletes, or build a new catalog.",
            "Building needs free disk space of three times the catalog's size: twice next to the catalog, and once "
                + "for sorting in $SQLITE_TMPDIR, or $TMPDIR, or /var/tmp.",
        ],
        arguments: [dumps.spec], options: [output.spec, update.spec, StoreOptions.json.spec],
        examples: [
            .init("etl catalog build ol_dump_*.txt.gz", "Build catalog.sqlite from Open Library's dumps"),
            .init("etl catalog build --update ol_dump_*_2026-06-30.txt.gz", "Update catalog.sqlite"),
            .init("etl catalog build --quiet ol_dump_*.txt.gz", "Build without progress messages"),
        ])
    static let describe = CommandSpec(
        "catalog", "info", summary: "Describe a catalog: contents, dumps and age",
        arguments: [catalog.spec], options: [StoreOptions.json.spec],
        examples: [
            .init("etl catalog info catalog.sqlite", "Describe a catalog"),
            .init("etl catalog info", "Describe the catalogs in $ETL_CATALOG"),
            .init("etl catalog info --json catalog.sqlite", "Print JSON"),
        ])

    static let spec = CommandSpec(
        "catalog", summary: "Build, update and describe offline catalogs",
        examples: [
            .init("etl catalog build ol_dump_*.txt.gz", "Build catalog.sqlite from Open Library's dumps"),
            .init("etl catalog info catalog.sqlite", "Show what the catalog contains"),
            .init("etl import --catalog catalog.sqlite export.csv", "Import with this catalog"),
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
        var request = CatalogBuildRequest(
            files: arguments[dumps], output: arguments[output],
            builtAt: Timestamp.withoutFraction(SystemClock().epochMilliseconds()),
            definition: try Definitions.catalogBuild())
        request.updates = arguments[update]
        return try await CatalogSession(arguments: arguments, console: console).run(request)
    }

    private static func describe(_ arguments: ParsedArguments, _ console: Console)
        async throws(CommandFailure)
        -> ExitStatus
    {
        let paths = arguments[catalog].map { [$0] } ?? DefaultPaths.catalogs([])
        guard !paths.isEmpty else {
            throw CommandFailure(
                .usage, "`etl catalog info` needs a CATALOG.",
                advice: "Specify a catalog, or set ETL_CATALOG.")
        }
        for path in paths { try await CatalogTable(arguments: arguments, console: console).write(path) }
        return .completed
    }
}
