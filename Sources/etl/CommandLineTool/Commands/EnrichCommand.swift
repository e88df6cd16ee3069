import Formats
import Jobs
import Pipeline
import Queries
import Store
import System

/// `etl enrich`: refreshes the stored books.
enum EnrichCommand: Command {
    static let stale = age(
        "stale", "Refresh books whose answers are at least this old, the oldest first")
    static let all = Option.flag("all", "Refresh all books, regardless of the age of their answers")
    static let missing = Option.parsed(
        "missing", "[FIELDS]",
        mustBe: "fields separated by commas, of \(StoredBookField.offered.joined(separator: ", "))",
        of: StoredBookField.offered,
        "Refresh books that lack one of these fields; without fields, as `etl retry`", parse: fieldList)
    static let condition = Option.condition(
        "Refresh books that fulfill a condition, such as \"language = fr and cover is missing\"")
    static let fields = Option.parsed(
        "fields", "FIELDS",
        mustBe: "fields separated by commas, of \(StoredBookField.offered.joined(separator: ", "))",
        of: StoredBookField.offered, "Change only these fields", defaultText: "all",
        parse: { fieldList($0).flatMap { $0.isEmpty ? nil : $0 } })
    static let mode = Option(
        .choice(
            "mode", default: RefreshOptions.Mode.replace,
            "Values to write: missing ones (fill), also newer ones (replace), or only better ones"), "MODE")
    static let only = Option.parsed(
        "only", "PART", mustBe: "genres or matching", of: RefreshOptions.Part.allCases.map(\.rawValue),
        "Derive genres, or match books, again from what is stored, without asking services",
        parse: { RefreshOptions.Part(rawValue: $0) })
    static let limit = Option(
        Setting<Int?>.integer("limit", in: 1...Int.max, "Refresh at most N books"), "N")
    static let maxCalls = Option(
        Setting<Int?>.integer("max-calls", in: 1...Int.max, "Send at most N requests to services"), "N")
    static let maxTime = age("max-time", "Begin nothing new after this time")
    static let format = ErrorsCommand.format

    static let spec = CommandSpec(
        "enrich", summary: "Refresh the books of a store from catalogs and services",
        details: [
            "Asks catalogs and services about stored books again and writes what has changed. Ratings, shelves, dates, "
                + "notes and reviews never change, and a value never disappears because a service does not have it.",
            "Without --stale, --all, --missing or --where, refreshes books whose answers are at least 7 days old, and "
                + "all books if only catalogs are asked or --catalog is given. Cached answers younger than --stale (7 "
                + "days) are used again.",
            "When --max-calls or --max-time is spent, or services do not answer, exits with status 75. The same command "
                + "then continues with the books that are left. If no book is due, nothing is asked.",
            "--only genres derives genres again from stored subjects and shelves, after your rules for them have changed. "
                + "--only matching looks books up again in cached answers and catalogs, after decisions in reviews. "
                + "Neither asks a service.",
            "--dry-run shows the changes, as a table or with --to csv or ndjson, and keeps only the answers.",
            "--missing without fields completes earlier imports. It does the same as `etl retry`.",
            "Conditions use the fields of the store: title, authors, language, cover, pageCount, quality, shelf, "
                + "dateRead … See docs/expressions.md.",
        ],
        options: [
            stale.spec, all.spec, missing.spec, condition.spec, fields.spec, mode.spec, only.spec, limit.spec,
            maxCalls.spec,
            maxTime.spec, format.spec, ExportCommand.safe.spec, RunOptions.db.spec, RunOptions.catalog.spec,
            RunOptions.providers.spec, RunOptions.require.spec, RunOptions.offline.spec,
            RunOptions.library.spec,
            RunOptions.job.spec, RunOptions.restart.spec, RunOptions.dryRun.spec, RunOptions.accept.spec,
            RunOptions.metrics.spec, RunOptions.pingURL.spec, RunOptions.log.spec, RunOptions.logFormat.spec,
            RunOptions.events.spec, RunOptions.json.spec,
        ],
        showing: [
            stale.spec, all.spec, missing.spec, condition.spec, limit.spec, maxCalls.spec, maxTime.spec,
            format.spec,
        ] + RunOptions.usual,
        examples: [
            .init("etl enrich --stale 30d --max-calls 500", "Refresh a part of the library every night"),
            .init("etl enrich --catalog newer.sqlite", "Refresh all books from a newer catalog, offline"),
            .init(
                "etl enrich --where 'language = fr and cover is missing' --dry-run",
                "Show what would change, for some of the books"),
        ]
    ) { arguments in
        if let missing = arguments[missing], missing.isEmpty {
            let others = [
                arguments[all], arguments[stale] != nil, arguments[condition] != nil,
                arguments[fields] != nil,
                arguments.isExplicit(mode), arguments[limit] != nil, arguments[maxCalls] != nil,
                arguments[maxTime] != nil, arguments[only] != nil,
            ]
            return others.contains(true)
                ? Objection(
                    "`--missing` without fields completes earlier imports and takes no other choice of books.",
                    advice: "Name fields: `--missing cover,description`.")
                : RetryCommand.objection(arguments)
        }
        if arguments[all], arguments[stale] != nil {
            return Objection("`--all` and `--stale` cannot be combined.", advice: "Leave out one of them.")
        }
        if arguments[only] == .genres, arguments[fields] != nil || arguments.isExplicit(mode) {
            return Objection(
                "`--only genres` replaces genres and cannot be combined with `--fields` or `--mode`.",
                advice: "Leave out the others.")
        }
        return formatObjection(arguments) ?? RunOptions.objection(arguments)
    }

    /// The problem with the format of the changes.
    static func formatObjection(_ arguments: ParsedArguments) -> Objection? {
        if arguments.isExplicit(format), !arguments[RunOptions.dryRun] {
            return Objection(
                "`--to` is the format of the changes that `--dry-run` shows.",
                advice: "Afterwards, use `etl diff`.")
        }
        if arguments[RunOptions.json], arguments.isExplicit(format) {
            return Objection("`--json` and `--to` cannot be combined.", advice: "Leave out one of them.")
        }
        return ExportCommand.safeObjection(arguments, isCSV: arguments[format] == .csv)
    }

    static func run(_ arguments: ParsedArguments, _ console: Console) async throws(CommandFailure)
        -> ExitStatus
    {
        if arguments[missing]?.isEmpty == true {
            return try await RetryCommand.continueJobs(named: arguments[RunOptions.job], arguments, console)
        }
        return try await refresh(arguments, console)
    }

    /// Refreshes books.
    ///
    /// - Parameter rows: The rows whose books are refreshed; nil for those that the options choose. If no service can
    ///   be asked, they are matched again with what is stored.
    static func refresh(
        _ arguments: ParsedArguments, _ console: Console, of rows: RefreshOptions.Rows? = nil
    ) async throws(CommandFailure) -> ExitStatus {
        let request = try request(arguments, rows)
        guard let refresh = request.refresh else { return .completed }
        let due: Int
        var isUnfinished = false
        do throws(ETLError) {
            due = try ImportJob.booksToRefresh(request, refresh.options)
            isUnfinished = try ImportJob.refreshToContinue(request) != nil
        } catch {
            throw CommandFailure(error)
        }
        if request.catalogPaths.isEmpty, refresh.options.only == nil, try !asksServices(request) {
            throw CommandFailure(
                .configuration, "No catalog or service is configured.",
                advice: "Specify a catalog with --catalog, or see `etl doctor` for the services.")
        }
        guard due > 0 || isUnfinished else {
            console.note("No book of `\(request.storePath)` is due: nothing to do.")
            if arguments[RunOptions.json] { try console.write("{}\n") }
            return .completed
        }
        var session = ImportSession(arguments: arguments, console: console)
        if request.isDryRun, !arguments[RunOptions.json], arguments[RunOptions.events] != "-" {
            session.showChanges = { (job, store) throws(CommandFailure) in
                try write(changesOf: job, in: store, arguments, console)
            }
        }
        return try await session.run(request)
    }

    private static func request(
        _ arguments: ParsedArguments, _ rows: RefreshOptions.Rows?
    ) throws(CommandFailure) -> ImportRequest {
        var request = try ImportRequestBuilder.request(
            files: [], try Definitions.batchEnrichment(), arguments)
        request.reading = ReadSettings(files: [])
        request.library = JobOptions.defaultLibrary
        var options = RefreshOptions(mode: arguments[mode])
        options.missing = arguments[missing]
        options.condition = arguments[condition]?.text
        options.fields = arguments[fields]
        options.limit = arguments[limit]
        options.rows = rows
        options.only = arguments[only]
        if rows != nil, options.only == nil, request.catalogPaths.isEmpty, try !asksServices(request) {
            options.only = .matching
        }
        if options.only != nil { request.isOffline = true }
        options.library = arguments.isExplicit(RunOptions.library) ? arguments[RunOptions.library] : nil
        options.staleAfter = arguments[stale].map { Int64($0.milliseconds) }
        let choosesBooks =
            options.missing != nil || options.condition != nil || options.staleAfter != nil
            || rows != nil
        if !choosesBooks, !arguments[all], !arguments.isExplicit(RunOptions.catalog),
            try asksServices(request)
        {
            options.staleAfter = RefreshOptions.defaultAge
        }
        var refresh = RefreshRequest(options)
        refresh.calls = arguments[maxCalls]
        refresh.time = arguments[maxTime].map { UInt64(max(0, $0.milliseconds)) * 1_000_000 }
        refresh.restarts = arguments[RunOptions.restart]
        request.mode = .refresh(refresh)
        return request
    }

    static func asksServices(_ request: ImportRequest) throws(CommandFailure) -> Bool {
        let defined = try Definitions.definedSettings(request.definition)
        do throws(ETLError) {
            return try !request.services(request.providers, request.isOffline, defined).isEmpty
        } catch {
            throw CommandFailure(error)
        }
    }

    /// Writes the changes of a dry run in its copy of the store.
    private static func write(
        changesOf job: Job, in store: String, _ arguments: ParsedArguments, _ console: Console
    ) throws(CommandFailure) {
        let isSafe = arguments[ExportCommand.safe]
        let format = LibraryDifference.Format(rawValue: arguments[format].rawValue)
        var report = DifferenceReport()
        try StoreOutput.write(store, console) { (connection, sink) throws(ETLError) in
            let difference = try LibraryDifference(connection, of: job.name, with: nil)
            if let format {
                try difference.write(as: format, guardsFormulas: isSafe, to: sink)
            } else {
                try difference.visit { report.add($0) }
            }
        }
        if format == nil { try report.write(of: [job], isWhole: true, to: console) }
    }

    /// An option for a duration.
    private static func age(_ name: String, _ doc: String) -> Option<Duration?> {
        Option.parsed(
            name, "TIME", mustBe: "a duration, such as 30d, 12h or 45m", doc,
            parse: { text in DurationText.parse(text).flatMap { $0 > .zero || text == "0" ? $0 : nil } })
    }

    /// The fields in a list; nil if one is unknown or no provider gives it.
    @Sendable private static func fieldList(_ text: String) -> [String]? {
        guard !text.isEmpty else { return [] }
        let names = text.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
        return StoredBookField.fields(named: names) == nil ? nil : names
    }
}
