import Foundation
import Jobs
import Pipeline
import System

/// `stage-rate`: what the parts of an import cost alone, measured with the code that an import runs.
@main
enum StageRate {
    static let usage = """
        usage: stage-rate tokenise FILE
               stage-rate read FILE
               stage-rate validate FILE
               stage-rate json EDITIONS
               stage-rate channels FILE FOLDER
               stage-rate write FILE STORE

          tokenise   find every record and cell of a CSV file, on one thread
          read       the same, and copy the records into a batch's memory with unquoted cells
          validate   the share of ISBN checks in the time to read and check a CSV file
          json       a response of Open Library, made of the first lines of an editions dump, read by etl and by
                     JSONDecoder; a result, written by etl and by JSONEncoder
          channels   an import with a task and a channel per stage, and one with all stages in the source's task
          write      an import, and the time spent in its sink

        """

    static func main() async {
        let arguments = Array(CommandLine.arguments.dropFirst())
        do {
            switch (arguments.first, arguments.count) {
            case ("tokenise", 2): try TokeniseRate(file: arguments[1]).print()
            case ("read", 2): try TokeniseRate(file: arguments[1]).printReading()
            case ("validate", 2): try await ValidateShare.print(arguments[1])
            case ("json", 2): try JSONRates(editions: arguments[1]).print()
            case ("channels", 3): try await ChannelCost(file: arguments[1], folder: arguments[2]).print()
            case ("write", 3): try await write(arguments[1], arguments[2])
            default: refuse(usage)
            }
        } catch {
            refuse("stage-rate: \(error)\n")
        }
    }

    private static func refuse(_ sentence: String) {
        FileHandle.standardError.write(Data(sentence.utf8))
        exit(64)
    }

    private static func write(_ file: String, _ store: String) async throws {
        let time = Guarded<UInt64>(0)
        let outcome = try await ImportRun(file: file, store: store).run { flow in
            var timed = flow
            timed.sink = flow.sink.timed(time)
            return timed
        }
        let seconds = Double(time.withLock { $0 }) / 1e9
        let records = outcome.report.recordsCommitted
        print("records \(records) seconds \(seconds) records/s \(Int(Double(records) / seconds))")
    }
}
