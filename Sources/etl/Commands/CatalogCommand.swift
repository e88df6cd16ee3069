import Pipeline

/// `etl catalog`: makes and describes offline catalogs.
enum CatalogCommand {
    static let dumps = Argument.many(
        "DUMP", atLeast: 1, "dump files of Open Library or Wikidata, plain or gzip, in any order")
    static let output = Option(
        .text("output", default: "catalog.sqlite", "the catalog to write"), "PATH", short: "o")
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
}
