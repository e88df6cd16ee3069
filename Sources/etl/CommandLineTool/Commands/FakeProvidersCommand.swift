import FakeServices
import FoundationEssentials
import Glibc
import Pipeline
import Sources
import System

/// `etl fake-providers`: local services for trials without the network.
enum FakeProvidersCommand: Command {
    static let port = Option(
        .integer("port", default: 8_642, in: 0...65_535, "Port on this machine; 0 chooses a free one"),
        "N")
    static let data = Option(
        Setting<String?>.text(
            "data", "Folder with answers, one file per record"),
        "FOLDER", defaultText: "generated books")
    static let faults = Option(
        .integer(
            "faults", default: 0, in: 0...100, "Percentage of requests that fail, in various ways"),
        "PERCENT")
    static let latency = Option(
        .integer("latency", default: 0, in: 0...60_000, "Maximum delay of an answer in milliseconds"), "MS")
    static let seed = Option(
        .integer("seed", default: 1, in: 0...Int.max, "Seed that decides which requests fail"), "N")

    static let rate = Option(
        .integer(
            "rate", default: 100, in: 1...100_000, "Requests per second that an import may send"),
        "N")

    static let spec = CommandSpec(
        "fake-providers", summary: "Run fake services on this machine, to try etl without a network",
        details: [
            "Listens only on this machine and behaves like Open Library, Google Books, ISBNdb, Wikidata, a service that computes vectors, and a model that reads photos. Prints "
                + "environment variables that point etl to it, and runs until you press Ctrl-C. Then shows the "
                + "number and rate of requests on standard error."
        ],
        options: [port.spec, data.spec, faults.spec, latency.spec, rate.spec, seed.spec],
        examples: [
            .init("etl fake-providers", "Answer without faults on port 8642"),
            .init("etl fake-providers --faults 30 --latency 200", "Fail and delay like real services"),
            .init("etl fake-providers --data answers", "Answer from files"),
        ])

    static func run(_ arguments: ParsedArguments, _ console: Console) async throws(CommandFailure)
        -> ExitStatus
    {
        let pairs = (FakeServices.names + [FakeServices.vision]).map { name in
            let faults = FakeFaults(
                share: Double(arguments[faults]) / 100, kinds: FakeFaults.kinds(of: name),
                seed: UInt64(arguments[seed]), latencyMilliseconds: arguments[latency])
            return (name, faults)
        }
        if let folder = arguments[data], FileSystem.access(folder, R_OK | X_OK) != 0 {
            throw errno == ENOENT || errno == ENOTDIR
                ? CommandFailure(
                    .missing, "There is no folder `\(folder)`.", advice: "Check its name and folder.")
                : CommandFailure(
                    .missing, "The folder `\(folder)` cannot be read: \(String(cString: strerror(errno))).",
                    advice: "Make it readable, for example with `chmod u+rx FOLDER`.")
        }
        let services = FakeServices(
            folder: arguments[data],
            faults: Dictionary(uniqueKeysWithValues: pairs))
        let server: FakeServer
        // A script that reads the variables may stop the services at once, so this comes before them.
        let stop = StopSignal()
        Signals.process.raise(stop) {}
        do {
            server = try FakeServer(port: UInt16(arguments[port])) { services.answer($0) }
        } catch {
            throw CommandFailure(error)
        }
        for name in FakeServices.names {
            try console.write("export \(ServiceSetup.variable(name, "URL"))=\(server.url)/\(name)\n")
            try console.write("export \(ServiceSetup.variable(name, "RATE"))=\(arguments[rate])\n")
        }
        for service in ServiceDefinition.all where service.access == .requiredKey {
            try console.write("export \(ServiceSetup.variable(service.name, "KEY"))=any\n")
        }
        try console.write(
            "export \(ServiceSetup.variable(FakeServices.embeddings, "URL"))=\(server.url)/\(FakeServices.embeddings)\n"
        )
        let variable = { (name: String) in ServiceSetup.variable("gemini", name) }
        try console.write("export \(variable("URL"))=\(server.url)/\(FakeServices.vision)\n")
        try console.write("export \(variable("KEY"))=any\n")
        try console.write("export \(variable("RATE"))=\(arguments[rate])\n")
        try console.flush()
        await stop.wait()
        server.stop()
        // Standard output is for the variables, which a shell reads.
        console.tell(FakeRequestsTable.of(server))
        return .completed
    }
}
