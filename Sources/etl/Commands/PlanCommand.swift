import Foundation
import Pipeline
import Stages

/// `etl plan`: what an import would meet and cost.
enum PlanCommand: Command {
    static let files = Argument.many("FILE", "library exports; - is standard input")

    static let spec = CommandSpec(
        "plan", summary: "tell what an import would meet and cost; nothing is written",
        details: [
            "Reads the files as an import would, checks their ISBNs and looks into the offline catalogs. No network "
                + "is used. Time and storage are told from what earlier imports into the store took."
        ],
        arguments: [files.spec],
        options: [
            RunOptions.db.spec, RunOptions.catalog.spec, RunOptions.limit.spec, StoreOptions.json.spec,
        ] + ReadOptions.all,
        examples: [
            .init("etl plan export.csv", "records by validity, different books, catalog hits, time, storage"),
            .init("etl plan --catalog catalog.sqlite export.csv", "how many of the books that catalog knows"),
            .init("etl plan --json export.csv", "the same as JSON"),
        ]
    ) { arguments in
        arguments[files].isEmpty ? "`etl plan` needs a FILE." : nil
    }

    static func run(_ arguments: ParsedArguments, _ console: Console) async throws(CommandFailure)
        -> ExitStatus
    {
        let names = try FilePatterns.expanded(arguments[files])
        var reading = ReadSettings(files: [])
        defer { for (path, name) in zip(reading.files, names) { Orders.removeSpool(path, of: name) } }
        for name in names { reading.files.append(try Orders.file(name)) }
        try ReadOptions.apply(arguments, to: &reading)
        reading.limit = arguments[RunOptions.limit]
        let store = Places.store(arguments, RunOptions.db)
        var forecast: ImportForecast
        do throws(StageFailure) {
            let catalogs = Places.catalogs(arguments[RunOptions.catalog])
            forecast = try await ForecastImport(reading, catalogPaths: catalogs).forecast()
            if access(store, F_OK) == 0 {
                let experience = try StoreExperience(StoreFile.openForReading(store))
                forecast.recordsPerSecond = experience.recordsPerSecond
                forecast.bytesPerRecord = experience.bytesPerEntry
            }
        } catch {
            throw CommandFailure(error, input: names.first)
        }
        if arguments[StoreOptions.json] {
            var json = JSONWriter()
            forecast.write(into: &json)
            try console.write(json.bytes + [UInt8(ascii: "\n")])
        } else {
            try ForecastReport(forecast: forecast, names: names).write(to: console)
        }
        return .completed
    }
}
