import Application
import Books
import Pipeline

/// The options shared by the commands that run a pipeline.
enum RunOptions {
    /// Providers in the words of the command line, in their usual order.
    static let providerNames = ["catalog"] + ServiceDefinition.all.filter(\.isOfBooks).map(\.name)

    static let db = StoreOptions.store(in: .run)
    static let catalog = Option.repeated(
        "catalog", "PATH", "offline catalog", defaultText: "$ETL_CATALOG", in: .run)
    static let providers = Option.parsed(
        "providers", "LIST", mustBe: "some of \(providerNames.joined(separator: ", ")), or none",
        of: providerNames + ["none"],
        "who is asked, in order of preference, or none", defaultText: "all that are configured", in: .run,
        parse: providerList)
    static let require = Option.parsed(
        "require", "PROVIDER", mustBe: "one of \(providerNames.joined(separator: ", "))", of: providerNames,
        "fail rather than go without it", in: .run, parse: { providerNames.contains($0) ? $0 : nil })
    static let offline = Option.flag("offline", "no network, whatever the definition says", in: .run)
    static let library = Option(
        .text("library", default: "default", "whose library in the store"), "NAME", in: .run)
    static let job = Option.parsed(
        "job", "ID", mustBe: JobName.words, "name the job", defaultText: "a new UUID", in: .run,
        parse: JobName.parse)
    static let restart = Option.flag(
        "restart", "forget an unfinished job on the same input and begin anew", in: .run)
    static let replace = Option.flag(
        "replace", "overwrite with this export even if it is older than the last one imported", in: .run)
    static let dryRun = Option.flag(
        "dry-run", "look up and merge, but leave the library as it is; answers of services are kept", in: .run
    )
    static let limit = Option(
        Setting<Int?>.integer("limit", in: 1...Int.max, "first N records"), "N", in: .run)
    static let maxErrors = Option.parsed(
        "max-errors", "[CODE=]N|P%|P%/N,…",
        mustBe:
            "a number, a share of the run (`5%`) or a share of the last records (`5%/1000`), for a single reason with its code before it (`no_title_or_isbn=10`)",
        "error budgets: stop when more records are rejected, in all or for a reason; a share of the run is judged from record 500 on, and at the end",
        in: .run, parse: { ErrorBudgets($0) })
    static let strict = Option.flag("strict", "exit 3 when anything was rejected", in: .run)
    static let metrics = Option(
        Setting<String?>.text("metrics", "Prometheus text file, written at the end"), "FILE", in: .run)
    static let events = Option(
        Setting<String?>.text("events", "contract messages, one JSON a line; - is standard output"), "FILE|-",
        in: .run)
    static let json = Option.flag(
        "json", "the closing summary as one JSON object on standard output", in: .run)

    static let all =
        [
            db.spec, catalog.spec, providers.spec, require.spec, offline.spec,
            library.spec, job.spec,
            restart.spec, replace.spec, dryRun.spec, limit.spec, maxErrors.spec, strict.spec, metrics.spec,
            events.spec,
            json.spec,
        ] + ReadOptions.all

    /// A library needs a name, and two streams of JSON on one standard output would be neither.
    @Sendable static func objection(_ arguments: ParsedArguments) -> String? {
        if arguments[library].allSatisfy(\.isWhitespace) {
            return "`--library` needs a name; without the option it is `default`."
        }
        return arguments[events] == "-" && arguments[json]
            ? "`--events -` and `--json` both want standard output." : nil
    }

    /// `none` is the empty list; each provider stands once.
    @Sendable static func providerList(_ text: String) -> [String]? {
        if text == "none" { return [] }
        let names = text.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
        return Set(names).count == names.count && names.allSatisfy(providerNames.contains) ? names : nil
    }
}
