import Store
import System

/// `etl redo`: processes rows of an import again.
enum RedoCommand: Command {
    static let job = Argument.optional(
        "JOB", "Name of the import, or the beginning of its name (default: the newest import)")
    static let rows = Option.parsed(
        "rows", "ROWS",
        mustBe: "a row, such as 7, or a range of at most \(RefreshOptions.Rows.limit) rows, such as 10-20",
        "The rows, numbered as in a spreadsheet: the header is row 1", parse: range)

    static let spec = CommandSpec(
        "redo", summary: "Process rows of an import again, with today's catalogs and services",
        details: [
            "Looks up, matches and merges the books of some rows again, with your decisions in reviews, and derives their "
                + "genres again. Cached answers of the last 7 days are used again; what is missing is asked for. If there is "
                + "no catalog and no service, only what is stored is used.",
            "The changes are a separate job: see `etl diff`, and undo it with `etl undo`. Ratings, shelves, dates, notes "
                + "and reviews never change, nor do fields that you have set or locked.",
            "Rejected rows are not in the library. Correct them with `etl errors` and `etl import --rejects`.",
        ],
        arguments: [job.spec],
        options: [
            rows.spec, EnrichCommand.format.spec, ExportCommand.safe.spec, RunOptions.db.spec,
            RunOptions.catalog.spec, RunOptions.providers.spec, RunOptions.require.spec,
            RunOptions.offline.spec, RunOptions.dryRun.spec, RunOptions.accept.spec, RunOptions.metrics.spec,
            RunOptions.log.spec, RunOptions.logFormat.spec, RunOptions.events.spec, RunOptions.json.spec,
        ],
        showing: [rows.spec, EnrichCommand.format.spec] + RunOptions.usual,
        examples: [
            .init("etl redo --rows 10-20 --dry-run", "Show what would change in the books of eleven rows"),
            .init("etl redo --rows 7 spring-import", "Process one row of an import again"),
            .init(
                "etl redo --rows 2-500 --catalog newer.sqlite", "Look up the first rows in a newer catalog"),
        ]
    ) { arguments in
        if arguments[rows] == nil { return .needs("etl redo", "`--rows`") }
        return EnrichCommand.formatObjection(arguments) ?? RunOptions.objection(arguments)
    }

    static func run(_ arguments: ParsedArguments, _ console: Console) async throws(CommandFailure)
        -> ExitStatus
    {
        guard let range = arguments[rows] else { return .completed }
        let store = DefaultPaths.store(arguments, RunOptions.db)
        let choice: RefreshOptions.Rows
        do throws(ETLError) {
            let connection = try StoreFile.openForReading(store)
            choice = RefreshOptions.Rows(ofJob: try JobTable(connection).existing(arguments[job]).id, range)
        } catch {
            throw CommandFailure(error)
        }
        return try await EnrichCommand.refresh(arguments, console, of: choice)
    }

    /// The rows in `7` or `10-20`; nil for anything else.
    @Sendable private static func range(_ text: String) -> ClosedRange<Int>? {
        let ends = text.split(separator: "-", omittingEmptySubsequences: false).map { Int($0) }
        guard let first = ends.first ?? nil, let last = ends.last ?? nil, ends.count <= 2, first > 0,
            first <= last, last - first < RefreshOptions.Rows.limit
        else { return nil }
        return first...last
    }
}
