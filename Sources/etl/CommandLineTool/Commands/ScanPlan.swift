import Contract
import Glibc
import Jobs
import Syntax
import System

/// `etl plan` of photos: what a scan would send.
struct ScanPlan {
    let forecast: ScanForecast
    /// The photos' paths, as typed.
    let names: [String]

    /// Nil if the files are no photos.
    ///
    /// - Throws: If some are photos and some are not, if there are too many, or no model is configured.
    static func forecast(
        of names: [String], _ arguments: ParsedArguments
    ) async throws(CommandFailure) -> ScanPlan? {
        let photos = names.filter { isPhoto($0) }
        guard let photo = photos.first else { return nil }
        guard photos.count == names.count else {
            throw CommandFailure(
                .usage, "`\(TextWidth.printable(photo))` is a photo, and other files are not.",
                advice: "Plan photos and files separately.")
        }
        if let objection = ScanCommand.tooMany(photos.count) {
            throw CommandFailure(.usage, objection.message, advice: objection.advice)
        }
        let setup = try ServiceSetup()
        let model = try ScanCommand.model(setup)
        let sources = try ScanCommand.sources(names)
        let settings = try setup.settings(named: [], isOffline: true, required: nil)
        let folder = PhotoFolder(of: DefaultPaths.store(arguments, RunOptions.db))
        do throws(ETLError) {
            return ScanPlan(
                forecast: try await ShelfScan(model, settings, keptIn: folder).forecast(sources), names: names
            )
        } catch {
            throw CommandFailure(error)
        }
    }

    /// Whether a file begins as a photo does. Pipes are not looked at: what is read from a pipe is gone. The plan of files reports
    /// a file that cannot be read.
    private static func isPhoto(_ path: String) -> Bool {
        var status = stat()
        guard FileSystem.stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG,
            let type = (try? FileBytes.head(of: path, count: 4_096)).flatMap({ ImageType($0) })
        else { return false }
        return type != .gif
    }

    func write(to console: Console, _ arguments: ParsedArguments) throws(CommandFailure) {
        if arguments[StoreOptions.json] {
            return try console.writeJSON { forecast.write(into: &$0) }
        }
        for refusal in forecast.refusals {
            console.warn(UserText("\(refusal.name): \(refusal.problem)"))
        }
        let service = forecast.service
        var table = Table(.init("photos", isNeverCut: true), .init("", .right), .init("meaning", wraps: true))
        table.add("read before", HumanText.count(service.cached), "not sent again")
        table.add(
            "to send", HumanText.count(service.queries - service.cached),
            "\(HumanText.bytes(forecast.bytes)) to \(forecast.model) at \(forecast.address)")
        if !forecast.refusals.isEmpty {
            table.add("not usable", HumanText.count(forecast.refusals.count), "see the warnings")
        }
        table.add(
            "requests", ForecastReport.range(service.calls) { HumanText.count($0) },
            "an answer that is not a list of books is asked for once more")
        if let budget = service.budget {
            table.add("daily budget", HumanText.count(budget), "requests that you allow per day")
        }
        if service.calls.upperBound > 0 {
            table.add(
                "time", ForecastReport.range(service.seconds) { HumanText.duration(seconds: $0) },
                "a model takes about 10 s for a photo")
        }
        try console.write(table)
        let words = names.map(ShellWord.of).joined(separator: " ")
        try console.write("\nNext: etl scan \(TextWidth.printable(words))\n")
    }
}
