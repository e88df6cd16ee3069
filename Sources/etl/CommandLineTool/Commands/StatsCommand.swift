import Contract
import Pipeline
import Queries
import System

/// `etl stats`: figures of the library.
enum StatsCommand: Command {
    static let top = Option(
        .integer("top", default: 10, in: 1...1_000, "Longest list of books, authors, genres and the like"),
        "N")

    static let spec = CommandSpec(
        "stats", summary: "Show figures of the library",
        details: [
            "Books and pages by year, ratings against those of others, genres, languages, decades of first "
                + "publication, the authors' gender, region and nationality, gaps in series, books read again, and the "
                + "longest waits on the to-read shelf. What is not known is always shown.",
            "A book that was read several times counts in each of the years. Many exports have only the last date.",
        ],
        options: [
            ExportCommand.library.spec, top.spec, StoreOptions.db.spec, StoreOptions.json.spec,
        ],
        examples: [
            .init("etl stats", "Show the figures of library.sqlite"),
            .init("etl stats --library anna --top 5", "Show those of one library, in shorter lists"),
            .init("etl stats --json | jq '.years'", "Print the books of each year as JSON"),
        ])

    static func run(_ arguments: ParsedArguments, _ console: Console) async throws(CommandFailure)
        -> ExitStatus
    {
        let (library, top) = (arguments[ExportCommand.library], arguments[top])
        let statistics = try StoreOutput.write(DefaultPaths.store(arguments), console) {
            (connection, _) throws(ETLError) in
            var reader = StatisticsReader(connection, now: SystemClock().epochMilliseconds(), most: top)
            return try reader.read(library)
        }
        if arguments[StoreOptions.json] {
            try console.writeJSON { statistics.write(into: &$0) }
        } else if statistics.books == 0 {
            console.note("The library has no books yet.")
        } else {
            try StatisticsReport(statistics, console).write()
        }
        return .completed
    }
}
