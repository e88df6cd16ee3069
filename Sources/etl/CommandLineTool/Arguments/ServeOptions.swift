import Pipeline
package import System

/// Where the searches of a server look.
package enum SearchScope: String, Sendable, CaseIterable {
    /// In store and catalogs, and for what these do not have at the configured services.
    case services
    /// In store and catalogs.
    case local
}

/// The options of `etl serve`.
package enum ServeOptions {
    package static let port = Option(
        .integer("port", default: 8_787, in: 0...65_535, "Port; 0 chooses a free one"), "N")
    package static let bind = Option(
        Setting<String>.text("bind", default: "127.0.0.1", "Address to listen on"), "ADDRESS")
    package static let base = Option(
        Setting<String>.text(
            "base", default: "/", "Path under which the server answers, such as /books"), "PATH")
    package static let certificate = Option(
        Setting<String?>.text("tls-cert", "Certificates as a PEM file, to serve HTTPS"), "FILE")
    package static let key = Option(
        Setting<String?>.text("tls-key", "Their private key as a PEM file"), "FILE")
    package static let tokens = Option(
        Setting<String?>.text("tokens", "File with the tokens that clients need"), "FILE")
    package static let insecure = Option.flag(
        "insecure", "Listen on a public address without requiring tokens")
    package static let privateResults = Option.flag(
        "private-results", "Show status and results of a job only to those who have its token")
    package static let host = Option.repeated(
        "host", "NAME", "Name that clients use for this server, besides localhost")
    package static let origin = Option.repeated("origin", "URL", "Website whose pages may use the server")
    package static let proxy = Option.repeated(
        "proxy", "RANGE",
        "Addresses of proxies whose X-Forwarded-For, -Host, -Port, -Proto and -Prefix are believed")
    package static let upload = Option(
        .integer("max-upload", default: 50, in: 1...100_000, "Megabytes of one upload"), "MB")
    package static let expanded = Option(
        .integer(
            "max-expanded", default: 1_024, in: 1...1_000_000,
            "Maximum size of one upload after decompression, in megabytes"),
        "MB")
    package static let records = Option(
        .integer("max-records", default: 2_000_000, in: 1...1_000_000_000, "Records of one upload"), "N")
    package static let jobTime = Option(
        .integer(
            "max-job-time", default: 0, in: 0...1_000_000,
            "Minutes that one job may work, without its waits for other jobs and for services; 0 for any"),
        "N")
    package static let books = Option(
        .integer(
            "max-books", default: 0, in: 0...1_000_000_000,
            "Books in a library; an import that adds more is undone; 0 for any"),
        "N")
    package static let quota = Option(
        .integer("upload-quota", default: 2_048, in: 1...1_000_000, "Megabytes of all uploads together"), "MB"
    )
    package static let imports = Option(
        .integer(
            "max-imports", default: 0, in: 0...1_000_000,
            "Imports and look-ups of a user in 24 hours; 0 for any"),
        "N")
    package static let daily = Option(
        .integer(
            "max-daily", default: 0, in: 0...1_000_000,
            "Megabytes of all uploads of a user in 24 hours; 0 for any"), "MB")
    package static let connections = Option(
        .integer(
            "connections-per-address", default: 500, in: 0...5_000,
            "Maximum number; 0 for any. Not counted on this machine and behind --proxy"),
        "N")
    package static let limit = Option.repeated(
        "limit", "NAME=N", "Limit of a client's requests, such as enrich=20; 0 for any number")
    package static let noLimits = Option.flag("no-limits", "Do not limit how often a client may ask")
    package static let nightly = Option.parsed(
        "nightly", "HH:MM", mustBe: "a time of day in UTC, such as 03:30",
        "Refresh the stored books at this time in UTC, as `etl enrich` does", parse: { TimeOfDay($0) })
    package static let backup = Option(
        Setting<String?>.text("backup", "Folder for a backup after each nightly refresh"), "FOLDER")
    package static let keep = Option(
        .integer("keep", default: 7, in: 1...10_000, "Backups that are kept; older ones are deleted"), "N")
    package static let covers = Option(
        Setting<String?>.text("covers", "Folder with covers for the pages, as `etl covers` writes it"),
        "FOLDER")
    package static let fetchesCovers = Option.flag(
        "fetch-covers", "Fetch missing covers into the folder of --covers while no job runs")
    package static let webhook = Option(
        Setting<String?>.url(
            "webhook", "Post a message to this URL when a job ends, signed with $ETL_WEBHOOK_SECRET"), "URL")
    package static let log = Option(
        Setting<String?>.text("log", "File for a line of JSON about each request; - for standard output"),
        "FILE")
    package static let search = Option(
        .choice(
            "search", default: SearchScope.services, "Where searches look; local: store and catalogs only"),
        "SCOPE")
    package static let offline = Option.flag("offline", "Ask no online services")
    package static let catalog = Option.repeated(
        "catalog", "PATH", "Offline catalog for searches and imports", defaultText: "$ETL_CATALOG")

    /// What is wrong with the combination of options.
    @Sendable static func objection(_ arguments: ParsedArguments) -> Objection? {
        if arguments[backup] != nil, arguments[nightly] == nil {
            return Objection(
                "`--backup` needs `--nightly`, which says when.",
                advice: "Add `--nightly HH:MM`, or use `etl backup FILE`.")
        }
        if arguments.isExplicit(keep), arguments[backup] == nil {
            return Objection("`--keep` needs `--backup`.", advice: "Add `--backup FOLDER`.")
        }
        if arguments[fetchesCovers], arguments[covers] == nil {
            return Objection("`--fetch-covers` needs `--covers`.", advice: "Add `--covers FOLDER`.")
        }
        if arguments[fetchesCovers], arguments[offline] {
            return Objection(
                "`--fetch-covers` and `--offline` cannot be combined.", advice: "Leave out one of them.")
        }
        return nil
    }

    /// The options that `etl serve --help` shows.
    static let usual = [
        port.spec, bind.spec, base.spec, certificate.spec, key.spec, tokens.spec, nightly.spec, backup.spec,
        covers.spec, fetchesCovers.spec, catalog.spec, offline.spec, StoreOptions.db.spec,
        GlobalOptions.quiet.spec,
    ]

    static let all = [
        port.spec, bind.spec, base.spec, certificate.spec, key.spec, tokens.spec, insecure.spec,
        privateResults.spec,
        host.spec, origin.spec, proxy.spec, upload.spec, expanded.spec, records.spec, jobTime.spec,
        quota.spec, imports.spec, daily.spec, books.spec, connections.spec,
        limit.spec, noLimits.spec, nightly.spec, backup.spec, keep.spec, covers.spec,
        fetchesCovers.spec, webhook.spec, log.spec,
        catalog.spec, search.spec,
        offline.spec, StoreOptions.db.spec,
    ]
}
