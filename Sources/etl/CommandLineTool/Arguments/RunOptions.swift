import Books
import Jobs
import Pipeline
import Sources
import Store
import System

/// Format of a log's lines.
enum LogFormat: String, Sendable, CaseIterable {
    case text, json
}

/// The options shared by the commands that run a pipeline.
enum RunOptions {
    /// The names of the providers, in their default order.
    static let providerNames = [Provider.catalogName] + ServiceDefinition.all.filter(\.isOfBooks).map(\.name)

    static let db = StoreOptions.store(in: .run)
    static let catalog = Option.repeated(
        "catalog", "PATH", "Offline catalog to use", defaultText: "$ETL_CATALOG", in: .run)
    static let providers = Option.parsed(
        "providers", "LIST", mustBe: "one or more of \(providerNames.joined(separator: ", ")), or none",
        of: providerNames + ["none"],
        "Providers to ask, in order of preference", defaultText: "all configured", in: .run,
        parse: providerList)
    static let require = Option.parsed(
        "require", "PROVIDER", mustBe: "one of \(providerNames.joined(separator: ", "))", of: providerNames,
        "Fail if this provider is missing or leaves records unanswered", in: .run,
        parse: { providerNames.contains($0) ? $0 : nil })
    static let offline = Option.flag("offline", "Use no network, even if services are configured", in: .run)
    static let library = Option(
        .text("library", default: JobOptions.defaultLibrary, "Name of the library in the store"), "NAME",
        in: .run
    ).composed()
    static let job = Option.parsed(
        "job", "NAME", mustBe: JobName.words, "Name of the job", defaultText: "a new UUID", in: .run,
        parse: JobName.parse)
    static let restart = Option.flag(
        "restart", "Abandon an unfinished job on the same input and start a new one", in: .run)
    static let replace = Option.flag(
        "replace", "Overwrite stored values even if this export is older than the last imported one", in: .run
    )
    /// Of `etl import` only.
    static let join = Option.flag(
        "join", "At the end, join entries that are certainly of one book, as `etl duplicates` proposes")
    static let samePerson = Option.flag(
        "same-person", "Update entries even if the file looks like another person's", in: .run)
    static let dryRun = Option.flag(
        "dry-run", short: "n", "Work on a temporary copy of the store; keep only the answers of services",
        in: .run)
    static let limit = Option(
        Setting<Int?>.integer("limit", in: 1...Int.max, "Read only the first N records"), "N", in: .run)
    static let maxErrors = Option.parsed(
        "max-errors", "[CODE=]N|P%|P%/N,…",
        mustBe:
            "N, P% or P%/N, such as 100, 5% or 5%/1000, each optionally for one reason, such as no_title_or_isbn=10",
        "Stop if more than N records, P% of the run, or P% of the last N records are rejected; CODE= limits one reason; shares of the run are checked from record 500 on, and at the end",
        in: .run, explain: unknownReason, parse: { ErrorBudgets($0) })
    static let strict = Option.flag(
        "strict", "Exit with status 3 if any record was rejected or set aside", in: .run)
    static let accept = Option.flag(
        "accept", "Complete the job even if it does not meet the expectations of its pipeline", in: .run)
    static let metrics = Option(
        Setting<String?>.text("metrics", "Write a Prometheus text file at the end of the run"), "FILE",
        in: .run)
    static let log = Option(
        Setting<String?>.text("log", "Append all messages to a file, with time, level and job"), "FILE",
        in: .run)
    static let logFormat = Option(
        .choice("log-format", default: LogFormat.text, "Format of the log"), "FORMAT", in: .run)
    static let pingURL = Option(
        Setting<String?>.url(
            "ping-url", "Ping URL/start, then URL or URL/fail, as healthchecks.io expects it"), "URL",
        in: .run)
    static let events = Option(
        Setting<String?>.text("events", "Write progress messages as JSON lines; - is standard output"),
        "FILE|-",
        in: .run)
    static let json = Option.flag(
        "json", "Print the closing report as one JSON object", in: .run)

    static let all =
        [
            db.spec, catalog.spec, providers.spec, require.spec, offline.spec,
            library.spec, job.spec,
            restart.spec, replace.spec, samePerson.spec, dryRun.spec, limit.spec, maxErrors.spec, strict.spec,
            accept.spec,
            metrics.spec,
            pingURL.spec, log.spec, logFormat.spec, events.spec,
            json.spec,
        ] + ReadOptions.all

    /// The options that most imports need at most.
    static let usual = [
        db.spec, catalog.spec, offline.spec, library.spec, job.spec, dryRun.spec, strict.spec, json.spec,
        GlobalOptions.quiet.spec,
    ]

    /// The mistake of a reason code that does not exist.
    @Sendable private static func unknownReason(_ text: String) -> ValueMistake? {
        let codes = text.split(separator: ",").compactMap { budget in
            budget.firstIndex(of: "=").map { String(budget[..<$0]) }
        }
        guard let unknown = codes.first(where: { ReasonCode(rawValue: $0) == nil }) else { return nil }
        return ValueMistake(
            "there is no reason code `\(unknown)`",
            advice: Spelling.nearest(to: unknown, among: ReasonCode.allCases.map(\.rawValue)).map {
                "Did you mean `\($0)`?"
            } ?? "`etl errors --reasons` lists the codes.")
    }

    /// A library needs a name. Events and the summary cannot share standard output: the result would not be
    /// valid JSON.
    @Sendable static func objection(_ arguments: ParsedArguments) -> Objection? {
        if arguments[library].allSatisfy(\.isWhitespace) {
            return Objection(
                "`--library` needs a name.", advice: "Leave it out to use the library `default`.")
        }
        if arguments[events] == "-", arguments[json] {
            return Objection(
                "`--events -` and `--json` both write to standard output.", advice: "Leave out one of them.")
        }
        return ReadOptions.objection(arguments)
    }

    /// The providers in a text; `none` is the empty list. nil if a name is unknown or repeated.
    @Sendable static func providerList(_ text: String) -> [String]? {
        if text == "none" { return [] }
        let names = text.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
        return Set(names).count == names.count && names.allSatisfy(providerNames.contains) ? names : nil
    }
}
