import Contract
import Jobs
import Pipeline
import Queries
import Store
import System

/// `etl scan`: imports the books in photos of shelves.
enum ScanCommand: Command {
    static let photos = Argument.many("PHOTO", "Photos of shelves: JPEG, PNG, WebP or HEIC, up to 10 MB each")
    static let confidence = Option(
        Setting<Double>.number(
            "confidence", default: ScanNote.usualConfidence, in: 0...1,
            "Books of which the model is less sure are listed for review, even if they were found"), "N")

    static let spec = CommandSpec(
        "scan", summary: "Import the books in photos of shelves",
        details: [
            "Sends up to \(ShelfPhoto.mostPhotos) photos to a model that reads the spines, and imports what it has read like any "
                + "file. Before a photo is sent, the place and everything else that the camera noted in it is removed.",
            "Nothing is sent unless you have set ETL_GEMINI_KEY for Google's Gemini, or ETL_VISION_URL and ETL_VISION_MODEL for a "
                + "service with OpenAI's interface, such as Ollama on your own machine (docs/photos.md). A photo that was read "
                + "before is not sent again.",
            "Books that were not found, or of which the model is not sure, are imported too, and marked `review`. `etl undo` takes "
                + "a scan back.",
        ],
        arguments: [photos.spec],
        options: [
            confidence.spec, RunOptions.db.spec, RunOptions.catalog.spec, RunOptions.providers.spec,
            RunOptions.offline.spec, RunOptions.library.spec, RunOptions.job.spec, RunOptions.dryRun.spec,
            RunOptions.strict.spec, RunOptions.json.spec,
        ],
        examples: [
            .init("etl scan shelf.jpg", "Import the books in a photo into library.sqlite"),
            .init("etl scan --dry-run IMG_1.heic IMG_2.heic", "Show what would be imported"),
            .init("etl scan --json shelf.jpg | jq .approved", "Print how many books need no review"),
        ]
    ) { arguments in
        let count = arguments[photos].count
        guard count > 0 else { return .needs("etl scan", "a PHOTO") }
        return tooMany(count) ?? RunOptions.objection(arguments)
    }

    /// Nil if a scan can have so many photos.
    static func tooMany(_ count: Int) -> Objection? {
        guard count > ShelfPhoto.mostPhotos else { return nil }
        return Objection(
            "A scan has at most \(ShelfPhoto.mostPhotos) photos, not \(count).",
            advice: "Scan the others afterwards.")
    }

    static func run(_ arguments: ParsedArguments, _ console: Console) async throws(CommandFailure)
        -> ExitStatus
    {
        let sources = try sources(arguments[photos])
        let setup = try ServiceSetup()
        let model = try model(setup)
        let template = try ImportRequestBuilder.request(
            files: [], try Definitions.csvImport(overrides: ["contract=ai_scan"]), arguments)
        let (request, read) = try await read(sources, model, setup, template, arguments, console)
        var session = ImportSession(arguments: arguments, console: console)
        session.showChanges = { (job, store) throws(CommandFailure) in
            try ScanTable.write(of: job, in: store, arguments, console)
        }
        let status = try await session.run(request, inputs: read.map(\.name))
        let isIncomplete = read.contains { $0.problem != nil }
        return isIncomplete && status == .completed && arguments[RunOptions.strict] ? .rejected : status
    }

    /// The model that reads photos.
    ///
    /// - Throws: If none is configured.
    static func model(_ setup: ServiceSetup) throws(CommandFailure) -> VisionEndpoint {
        guard let model = try setup.photoModel else {
            throw CommandFailure(
                .configuration, "No model is configured that reads photos.",
                advice:
                    "Set ETL_GEMINI_KEY, or ETL_VISION_URL and ETL_VISION_MODEL. docs/photos.md says how to get either."
            )
        }
        return model
    }

    /// The photos, each read and checked. Nothing is sent if a file is missing.
    static func sources(
        _ files: [String]
    ) throws(CommandFailure) -> [(name: String, source: ShelfScan.Source)] {
        var sources: [(name: String, source: ShelfScan.Source)] = []
        for file in files {
            let name = FolderPath.lastName(file)
            let bytes: [UInt8]
            do throws(ReadableFile.Refusal) {
                bytes = try ReadableFile.contents(of: file)
            } catch {
                throw CommandFailure(error.failure(of: file))
            }
            do throws(PhotoProblem) {
                sources.append((name, .success(try ShelfPhoto(name, bytes))))
            } catch {
                sources.append((name, .failure(error)))
            }
        }
        return sources
    }

    /// Warns about photos that were not read.
    ///
    /// - Throws: If none was read.
    private static func check(_ photos: [ShelfScan.Photo], _ console: Console) throws(ETLError) {
        for photo in photos {
            if let problem = photo.problem { console.warn(UserText("\(photo.name): \(problem.sentence)")) }
        }
        guard let problem = photos.first?.problem, photos.allSatisfy({ $0.problem != nil }) else { return }
        throw ETLError(
            problem.mayEndByItself ? .temporary : .unusableInput,
            photos.count == 1 ? "The photo was not read." : "None of the photos was read.",
            advice: "Nothing was imported.")
    }

    /// Reads the photos.
    ///
    /// - Returns: The request for importing what was read, and the photos.
    private static func read(
        _ sources: [(name: String, source: ShelfScan.Source)], _ model: VisionEndpoint,
        _ setup: ServiceSetup, _ template: ImportRequest, _ arguments: ParsedArguments,
        _ console: Console
    ) async throws(CommandFailure) -> (request: ImportRequest, photos: [ShelfScan.Photo]) {
        let stop = StopSignal()
        Signals.process.raise(stop) { [console] in
            console.note("Stopping. Press Ctrl-C again to stop at once.")
        }
        let settings = try setup.settings(named: [], isOffline: false, required: nil)
        let clock = SystemClock()
        let began = clock.nanoseconds()
        do throws(ETLError) {
            if let failure = StoreFile.noFolder(for: template.storePath) { throw failure }
            var scan = ShelfScan(
                model, settings, keptIn: PhotoFolder(of: template.storePath), clock: clock, stop: stop)
            scan.asksModel = !arguments[RunOptions.offline]
            let names = sources.map(\.name)
            let read = try await scan.read(
                sources,
                beginning: { [console] index in
                    console.progress(ProgressState(done: index, total: names.count))
                },
                finishing: { [console] index, photo in
                    console.progress(ProgressState(done: index + 1, total: names.count))
                    if photo.problem == nil {
                        console.note("\(names[index]): \(HumanText.count(photo.booksFound, "book")).")
                    }
                })
            if stop.isRaised {
                throw ETLError(
                    .temporary, "The scan was stopped.",
                    advice: "The same command goes on; photos that were read are not sent again.")
            }
            try check(read, console)
            let request = try scan.request(
                template, importing: read, leastConfidence: arguments[confidence],
                duration: Int64((clock.nanoseconds() - began) / 1_000_000))
            return (request, read)
        } catch {
            throw CommandFailure(error)
        }
    }
}
