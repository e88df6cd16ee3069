import Books
import FakeServices
import Foundation
import Store
import TestSupport

/// The built tool in an isolated environment: a generated library, fake services on a real socket, and its
/// own folder for limiter state.
struct ToolWithServices {
    /// A key that never occurs in etl's output and can be searched for.
    static let canary = "CANARY-c0ffee"

    let folder: TemporaryFolder
    let server: FakeServer
    /// The environment of its runs.
    let variables: [String: String]

    /// - Parameters:
    ///   - rate: Requests per second that each service allows.
    ///   - services: The services to use.
    init(
        rate: Int, services: [String] = FakeServices.names, variables: [String: String] = [:],
        answering answer: @escaping FakeServer.Answer
    ) throws {
        folder = try TemporaryFolder()
        // Each service is asked about all books.
        let configuration = "providers:\n  google-books: { strategy: all }\n  isbndb: { strategy: all }\n"
        try FileManager.default.createDirectory(
            atPath: folder.file("config/etl"), withIntermediateDirectories: true)
        _ = try folder.write(configuration, to: "config/etl/config.yaml")
        server = try FakeServer(answering: answer)
        var environment = [
            "HOME": folder.path, "XDG_STATE_HOME": folder.file("state"),
            "XDG_CONFIG_HOME": folder.file("config"), "ETL_ISBNDB_KEY": Self.canary,
            "ETL_GOOGLE_BOOKS_KEY": Self.canary, "ETL_GOOGLE_BOOKS_DAILY": "100000",
        ]
        for name in services {
            let prefix = "ETL_\(name.uppercased().replacing("-", with: "_"))"
            environment["\(prefix)_URL"] = "\(server.url)/\(name)"
            environment["\(prefix)_RATE"] = "\(rate)"
        }
        if !services.contains("isbndb") { environment["ETL_ISBNDB_KEY"] = nil }
        if !services.contains("google-books") { environment["ETL_GOOGLE_BOOKS_KEY"] = nil }
        self.variables = environment.merging(variables) { $1 }
    }

    /// Writes a library of books.
    ///
    /// - Parameter first: The twelve digits before the check digit of the first book's ISBN.
    func library(_ name: String, records: Int, from first: Int64 = 978_100_000_001) throws -> String {
        var lines = ["Title,Author,ISBN13,My Rating"]
        for number in 0..<records {
            let body = first + Int64(number)
            let isbn = body * 10 + Int64(ISBNCheckDigit.ofThirteen(body))
            let book = ISBN("\(isbn)").flatMap { FakeLibrary().book($0) }
            let author = ISBN("\(isbn)").map { FakeClient.author(of: $0) } ?? ""
            lines.append("\(book?.title ?? "Row \(number)"),\(author),\(isbn),\(number % 6)")
        }
        return try folder.write(lines.joined(separator: "\n") + "\n", to: name)
    }

    func start(_ arguments: [String]) throws -> ChildProcess {
        try BuiltTool.start(arguments, environment: variables)
    }

    /// Starts the tool with standard output and standard error on a terminal.
    func start(_ arguments: [String], on terminal: PseudoTerminal) throws -> ChildProcess {
        try BuiltTool.start(
            arguments, environment: variables, output: .file(terminal.terminal),
            errors: .file(terminal.terminal))
    }

    /// - Parameter more: Variables besides those of all runs.
    func ending(_ arguments: [String], adding more: [String: String] = [:]) throws -> BuiltTool.Ending {
        try BuiltTool.ending(arguments, environment: variables.merging(more) { $1 })
    }

    func killed(
        _ arguments: [String], afterMilliseconds milliseconds: Int, adding more: [String: String] = [:]
    ) throws -> Bool {
        try BuiltTool.killed(
            arguments, afterMilliseconds: milliseconds, environment: variables.merging(more) { $1 })
    }

    /// The number of pending records of the last job.
    func pending(_ store: String) throws -> Int? {
        try JobTable(StoreFile.openForReading(store)).last()?.pending
    }
}
