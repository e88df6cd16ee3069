import FakeServices
import Foundation
import Pipeline

/// `etl fake-providers`: services for trials without the network.
enum FakeProvidersCommand: Command {
    static let port = Option(
        .integer("port", default: 8_642, in: 0...65_535, "port of this machine; 0 takes any that is free"),
        "N")
    static let data = Option(
        Setting<String?>.text("data", "answers of your own, a file a record; else books are made up"),
        "FOLDER")
    static let faults = Option(
        .integer(
            "faults", default: 0, in: 0...100, "percent of requests that go wrong, in every way there is"),
        "PERCENT")
    static let latency = Option(
        .integer("latency", default: 0, in: 0...60_000, "milliseconds before an answer, at the most"), "MS")
    static let seed = Option(
        .integer("seed", default: 1, in: 0...Int.max, "decides which requests go wrong"), "N")

    static let rate = Option(
        .integer(
            "rate", default: 100, in: 1...100_000, "requests a second that an import is told to keep to"),
        "N")

    static let spec = CommandSpec(
        "fake-providers", summary: "serve made-up answers of all providers, for trials without the network",
        details: [
            "Listens on this machine alone and behaves like Open Library, Google Books, ISBNdb and "
                + "Wikidata, well or badly. It prints the variables that lead an import to it, and runs until it is "
                + "stopped with Ctrl-C; then it tells what it was asked, and how politely, on standard error."
        ],
        options: [port.spec, data.spec, faults.spec, latency.spec, rate.spec, seed.spec],
        examples: [
            .init("etl fake-providers", "answer well, on port 8642"),
            .init("etl fake-providers --faults 30 --latency 200", "be as moody as the real ones"),
            .init("etl fake-providers --data answers", "answer from files"),
        ])

    static func run(_ arguments: ParsedArguments, _ console: Console) async throws(CommandFailure)
        -> ExitStatus
    {
        let pairs = FakeServices.names.map { name in
            let faults = FakeFaults(
                share: Double(arguments[faults]) / 100, kinds: FakeFaults.kinds(of: name),
                seed: UInt64(arguments[seed]), latencyMilliseconds: arguments[latency])
            return (name, faults)
        }
        if let folder = arguments[data], access(folder, R_OK | X_OK) != 0 {
            throw CommandFailure(.missing, "There is no folder \(folder) that can be read.")
        }
        let services = FakeServices(
            folder: arguments[data],
            faults: Dictionary(uniqueKeysWithValues: pairs))
        let server: FakeServer
        do {
            server = try FakeServer(port: UInt16(arguments[port])) { services.answer($0) }
        } catch {
            throw CommandFailure(error)
        }
        for name in FakeServices.names {
            try console.write("export \(ServiceSetup.variable(name, "URL"))=\(server.url)/\(name)\n")
            try console.write("export \(ServiceSetup.variable(name, "RATE"))=\(arguments[rate])\n")
        }
        try console.write("export ETL_ISBNDB_KEY=any\n")
        try console.flush()
        let stop = StopSignal()
        Signals.process.raise(stop) {}
        await stop.wait()
        server.stop()
        // Standard output is the variables', for a shell to read.
        console.tell(FakeRequestsTable.of(server))
        return .completed
    }
}
