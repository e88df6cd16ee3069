import Foundation
import Pipeline
import Stages

/// `stage-rate`: what the parts of an import cost by themselves, done by the code that an import runs.
@main
enum StageRate {
    static let usage = """
        usage: stage-rate tokenise FILE
               stage-rate validate FILE
               stage-rate json EDITIONS
               stage-rate channels FILE FOLDER
               stage-rate write FILE STORE

          tokenise   every record and cell of a CSV file, on one thread
          validate   the share of ISBN checks in reading a CSV file and checking it
          json       an answer of Open Library made of the first lines of an editions dump, read by us and by
                     JSONDecoder; a result, written by us and by JSONEncoder
          channels   an import with a task and a channel for each stage, and with all stages in the reader's task
          write      an import, and in it the time of its sink alone

        """

    static func main() async {
        let arguments = Array(CommandLine.arguments.dropFirst())
        do {
            switch (arguments.first, arguments.count) {
            case ("tokenise", 2): try tokenise(arguments[1])
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

    /// Sums what every cell holds, so that none can be left out.
    private static func tokenise(_ path: String) throws {
        var reader = try RecordReader(file: path, dialect: .comma, encoding: .utf8)
        var (cells, records): ([Text], [Record]) = ([], [])
        var (recordCount, cellCount, bytes) = (0, 0, 0)
        let began = SystemClock().nanoseconds()
        while true {
            var arena = Arena(capacity: 512 << 10)
            cells.removeAll(keepingCapacity: true)
            records.removeAll(keepingCapacity: true)
            let isMore = try reader.fill(
                arena: &arena, cells: &cells, records: &records, maxRecords: 4_096, maxBytes: 256 << 10)
            guard isMore else { break }
            recordCount += records.count
            cellCount += cells.count
            for cell in cells { bytes += Int(cell.length) }
        }
        let seconds = Double(SystemClock().nanoseconds() - began) / 1e9
        print("records \(recordCount) cells \(cellCount) bytes \(bytes) seconds \(seconds)")
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
