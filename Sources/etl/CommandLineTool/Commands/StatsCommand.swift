import Contract
import Pipeline
import Queries
import System

/// `etl stats`: figures of the library, or of a year, as text, JSON or a page.
enum StatsCommand: Command {
    static let top = Option(
        .integer("top", default: 10, in: 1...1_000, "Longest list of books, authors, genres and the like"),
        "N")
    static let year = Option(
        Setting<Int?>.integer("year", in: 1...9_999, "Show what was read in this year"), "YEAR")
    static let technical = Option.flag(
        "technical", "Also put jobs, services, stages and data-quality targets on the page")

    static let spec = CommandSpec(
        "stats", summary: "Show figures of the library, or of a year",
        details: [
            "Books and pages by year, ratings against those of others, genres, languages, decades of first "
                + "publication, the authors' gender, region and nationality, gaps in series, books read again, and the "
                + "longest waits on the to-read shelf. What is not known is always shown.",
            "A book counts once, also if it comes from two programs or has several copies. One that was read several times "
                + "counts in each of the years. Many exports have only the last date.",
            "With --html or --open, writes one page: the same figures as charts with the tables behind them, values that are missing, "
                + "and problems with advice. With --year, it is a page about that year, to share: months, pages, the longest and "
                + "the best books, new authors, countries and languages. A page contains no script, and without "
                + "`--covers link` it loads nothing, so it can be opened, printed and sent as it is.",
            "With `--covers embed`, the page contains covers. They are fetched from the services "
                + "that have them and kept in $XDG_CACHE_HOME/etl/covers, else ~/.cache/etl/covers. With `--covers link`, a "
                + "browser loads them, and the services see who opens the page.",
        ],
        options: [
            year.spec, LibraryPageOutput.page.spec, LibraryPageOutput.open.spec,
            LibraryPageOutput.covers.spec, technical.spec,
            ExportCommand.library.spec, top.spec, StoreOptions.db.spec, StoreOptions.json.spec,
        ],
        examples: [
            .init("etl stats", "Show the figures of library.sqlite"),
            .init("etl stats --open", "Show the library as a page in a browser"),
            .init("etl stats --year 2026 --html 2026.html", "Write a page about a year, to share"),
        ], isPaged: true
    ) { arguments in
        let hasPage = LibraryPageOutput.isWanted(arguments)
        if arguments[LibraryPageOutput.page] == "-", arguments[LibraryPageOutput.open] {
            return Objection("`--open` needs a file.", advice: "Leave out `--html -`.")
        }
        if hasPage, arguments[StoreOptions.json] {
            return Objection("`--html` and `--json` cannot be combined.", advice: "Leave out one of them.")
        }
        if !hasPage, arguments[technical] || arguments.isExplicit(LibraryPageOutput.covers) {
            return Objection(
                "`--technical` and `--covers` belong to `--html`.", advice: "Leave them out, or add --html.")
        }
        guard arguments[year] != nil else { return nil }
        if arguments[technical] {
            return Objection(
                "`--technical` and `--year` cannot be combined.",
                advice: "The page of a year has no technical part. Leave out one of them.")
        }
        return arguments.isExplicit(top)
            ? Objection("`--top` and `--year` cannot be combined.", advice: "Leave out one of them.") : nil
    }

    static func run(_ arguments: ParsedArguments, _ console: Console) async throws(CommandFailure)
        -> ExitStatus
    {
        let store = DefaultPaths.store(arguments)
        let page = LibraryPageOutput.isWanted(arguments) ? LibraryPageOutput(arguments, console) : nil
        if let year = arguments[year] {
            let review = try review(year, store, arguments, console)
            if let page {
                try await page.write(review, of: store)
            } else if arguments[StoreOptions.json] {
                try console.writeJSON { review.write(into: &$0) }
            } else {
                try YearReport(review).write(to: console)
            }
        } else if let page {
            try await page.write(
                arguments[ExportCommand.library], of: store,
                most: arguments.isExplicit(top) ? arguments[top] : 25, isTechnical: arguments[technical])
        } else {
            try writeLibrary(store, arguments, console)
        }
        return .completed
    }

    private static func review(
        _ year: Int, _ store: String, _ arguments: ParsedArguments, _ console: Console
    ) throws(CommandFailure) -> YearReview {
        let library = arguments[ExportCommand.library]
        return try StoreOutput.write(store, console) { (connection, _) throws(ETLError) in
            try YearReviewReader(connection, library: library).read(year, of: library)
        }
    }

    private static func writeLibrary(
        _ store: String, _ arguments: ParsedArguments, _ console: Console
    ) throws(CommandFailure) {
        let (library, top) = (arguments[ExportCommand.library], arguments[top])
        let statistics = try StoreOutput.write(store, console) { (connection, _) throws(ETLError) in
            var reader = StatisticsReader(connection, now: SystemClock().epochMilliseconds(), most: top)
            return try reader.read(library)
        }
        if arguments[StoreOptions.json] {
            try console.writeJSON { statistics.write(into: &$0) }
        } else if statistics.books == 0 {
            console.note("The library has no books yet.")
        } else {
            try StatisticsReport(statistics, of: store, console).write()
        }
    }
}
