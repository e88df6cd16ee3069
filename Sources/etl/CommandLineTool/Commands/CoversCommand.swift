import Books
import Contract
import Jobs
import System

/// `etl covers`: fetches the covers of a library into a folder.
enum CoversCommand: Command {
    static let folder = Argument.one("DIR", "Folder for the images; made if it does not exist")

    static let spec = CommandSpec(
        "covers", summary: "Fetch the covers of a library into a folder",
        details: [
            "Fetches one image for each edition, in the largest size that its service has: the edition's own cover, or "
                + "else that of its work. Files are named after the ISBN, or after the edition's key if it has none. "
                + "DIR/covers.csv lists all editions with the file, its size and its address, or why there is none.",
            "Asks the services that have the images, three a second each. An image that three or more works share is a "
                + "placeholder, such as \"image not available\", and is left out. Editions with the same image share "
                + "it on disk by hard links.",
            "A stopped or killed run continues with the same command. Images are valid for a year; later runs only fetch "
                + "what is new. Services that did not answer end the command with status 75; an image that could be better "
                + "if they had is provisional, and the next run asks again.",
        ],
        arguments: [folder.spec],
        options: [ExportCommand.library.spec, StoreOptions.db.spec, StoreOptions.json.spec],
        examples: [
            .init("etl covers covers", "Fetch the covers of all books into the folder covers"),
            .init("etl covers --library anna ~/Pictures/books", "Fetch those of one library"),
            .init("etl covers --json covers | jq .saved", "Print how many covers there are"),
        ])

    static func run(_ arguments: ParsedArguments, _ console: Console) async throws(CommandFailure)
        -> ExitStatus
    {
        let stop = StopSignal()
        Signals.process.outliveTerminal()
        Signals.process.raise(stop) { [console] in
            console.note("Stopping after the requests in progress. Press Ctrl-C again to stop at once.")
        }
        let path = arguments[folder]
        let services = try ServiceSetup().settings(named: [], isOffline: false, required: nil)
        let download = CoverDownload(of: DefaultPaths.store(arguments), into: path, services, stop: stop)
        let summary: CoverCounts
        do throws(ETLError) {
            summary = try await download.run(
                library: arguments[ExportCommand.library], waiting: console.lockWaitPolicy
            ) { done, total in
                console.progress(ProgressState(done: done, total: total))
            }
        } catch {
            throw CommandFailure(error)
        }
        if arguments[StoreOptions.json] {
            try console.writeJSON { summary.write(into: &$0) }
        } else if summary.editions == 0 {
            console.note("The store has no books: nothing to do.")
        } else {
            try console.write(table(summary))
            if summary.withoutAddress > 0, services.asked.isEmpty { adviseServices(console) }
        }
        if stop.isRaised {
            console.note("Stopped. To continue, run the same command again.")
            return .stopped(by: Signals.process.received)
        }
        let open = summary.unanswered + summary.provisional
        guard open > 0 else { return .completed }
        throw CommandFailure(
            .temporary,
            summary.provisional == 0
                ? "\(HumanText.count(open, "cover")) could not be fetched."
                : "\(HumanText.count(open, "cover")) could not be fetched, or may not be the best one.",
            advice: "`covers.csv` says why. To ask for these again, run the same command later.")
    }

    /// Says how books get covers if no service can be asked for them.
    private static func adviseServices(_ console: Console) {
        let catalogs = DefaultPaths.catalogs([])
        console.note(
            catalogs.isEmpty
                ? """
                No service is configured, so no cover can be looked up. Set ETL_CONTACT to your mail address or web page to ask \
                Open Library, then run `etl enrich --missing cover`. \(UserCommand.doctor) shows the services.
                """
                : """
                No service is configured. `etl enrich --missing cover` takes the covers of your catalogs; with ETL_CONTACT set to \
                your mail address or web page, it also asks Open Library.
                """)
    }

    private static func table(_ summary: CoverCounts) -> Table {
        var table = Table([.init("editions"), .init("", .right), .init("")])
        for (name, count, detail) in [
            (
                "saved", summary.saved,
                "\(HumanText.count(summary.images, "image")), \(HumanText.bytes(summary.bytes))"
            ),
            ("of these provisional", summary.provisional, "a better image was not answered"),
            ("no cover known", summary.withoutAddress, "`etl enrich --missing cover` looks for some"),
            ("no image", summary.withoutImage, "the service has none at its address"),
            ("placeholder", summary.placeholders, "three or more works have the same image"),
            ("not answered", summary.unanswered, ""),
            ("total", summary.editions, ""),
        ] where count > 0 || name == "total" {
            table.add([name, HumanText.count(count), detail])
        }
        return table
    }
}
