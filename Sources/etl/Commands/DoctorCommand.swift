/// `etl doctor`: checks what a run depends on.
enum DoctorCommand {
    static let prune = Option.flag("prune", "drop expired answers, results and before-images")
    static let catalog = Option.repeated("catalog", "PATH", "offline catalog", defaultText: "$ETL_CATALOG")

    static let spec = CommandSpec(
        "doctor", summary: "check store, catalog, providers, disk space and configuration",
        details: ["Says what is wrong and what to do about it, and where each setting comes from."],
        options: [prune.spec, StoreOptions.db.spec, catalog.spec, StoreOptions.json.spec],
        examples: [
            .init("etl doctor", "is everything as it should be?"),
            .init(
                "etl doctor --db ours.sqlite --catalog catalog.sqlite", "check another store, and a catalog"),
            .init("etl doctor --prune", "make room"),
        ])
}
