import Pipeline

/// `etl export`: data out.
enum ExportCommand {
    enum What: String, Sendable, CaseIterable {
        case books, works, editions, authors, all
    }
    enum Format: String, Sendable, CaseIterable {
        case ndjson, json, csv
    }

    static let what = Option(.choice("what", default: What.books, "what is written"), "WHAT")
    static let format = Option(.choice("format", default: Format.ndjson, "how it is written"), "FORMAT")
    static let library = Option(Setting<String?>.text("library", "only books of this library"), "NAME")

    static let spec = CommandSpec(
        "export", summary: "write what the store holds to standard output",
        details: [
            "The order is always the same. `--what all` is the canonical dump: everything stored, "
                + "sorted by public key, without clock times, so that two stores can be compared byte by "
                + "byte."
        ],
        options: [what.spec, format.spec, library.spec, StoreOptions.db.spec],
        examples: [
            .init("etl export --format csv > books.csv", "all books as a spreadsheet"),
            .init("etl export --what authors | jq -r .name", "the names of all authors"),
            .init("etl export --what all | sha256sum", "a fingerprint of the whole store"),
        ]
    ) { arguments in
        arguments[what] == .all && arguments[format] == .csv
            ? "`--what all` holds records of several shapes and cannot be `--format csv`." : nil
    }
}
