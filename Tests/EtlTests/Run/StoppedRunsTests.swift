import Foundation
import TestSupport
import Testing

/// Reports of the built tool to programs and users when it is stopped.
@Suite(
    .enabled(if: FileManager.default.isExecutableFile(atPath: ProjectFiles.tool), "needs the built tool"))
struct StoppedRunsTests: ImportsByTool {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// The state of a job in a JSON object.
    private func state(_ json: String) throws -> String? {
        let object = try JSONSerialization.jsonObject(with: Data(json.utf8)) as? [String: Any]
        return object?["status"] as? String
    }

    private func collect(_ process: ChildProcess) throws -> BuiltTool.Ending {
        let said = process.output?.readDataToEndOfFile() ?? Data()
        let complained = process.errors?.readDataToEndOfFile() ?? Data()
        return BuiltTool.Ending(
            status: try process.wait().status, output: String(decoding: said, as: UTF8.self),
            errors: String(decoding: complained, as: UTF8.self))
    }

    @Test(arguments: [false, true])
    func `the summary of a stopped job agrees with its status, and a note says how to continue`(isQuiet: Bool)
        throws
    {
        let records = (1...20_000).map { "\($0),Title \($0),Author \($0 % 50)\n" }.joined()
        let file = try folder.write("Book Id,Title,Author\n" + records, to: "many.csv")
        // Opened here for reading and writing so that the tool's open does not block; it has room for all
        // events.
        let events = folder.file("events")
        try #require(mkfifo(events, 0o600) == 0)
        let pipe = FileHandle(fileDescriptor: open(events, O_RDWR | O_CLOEXEC), closeOnDealloc: true)
        let process = try BuiltTool.start(
            [
                "run", "--db", store, "--json", "--events", events, "--set",
                "source.settings.batch.records=16",
            ] + (isQuiet ? ["--quiet"] : []) + ["\(ProjectFiles.root)/Pipelines/csv_import.yaml", file],
            output: .pipe, errors: .pipe)
        var explicit = Data()
        while explicit.range(of: Data("many.csv:".utf8)) == nil {
            // If the summary comes first the run has ended.
            var waited = [pipe, process.output ?? pipe].map {
                pollfd(fd: $0.fileDescriptor, events: Int16(POLLIN), revents: 0)
            }
            try #require(poll(&waited, 2, -1) > 0 && waited[1].revents == 0)
            explicit += pipe.availableData
        }
        process.send(SIGTERM)
        let ending = try collect(process)
        #expect(ending.status == 143)
        let status = try BuiltTool.ending(["status", "--db", store, "--json"])
        // It can go on, so it is not failed.
        #expect(try state(ending.output) == "processing")
        #expect(try state(status.output) == "processing")
        #expect(status.output.contains("\"running\":false"))
        // The pipe has no end, because it is open here for writing too.
        var rest = pollfd(fd: pipe.fileDescriptor, events: Int16(POLLIN), revents: 0)
        while poll(&rest, 1, 0) > 0 { explicit += pipe.availableData }
        #expect(explicit.range(of: Data("it can be resumed".utf8)) != nil)
        #expect(explicit.range(of: Data("\"error\"".utf8)) == nil)
        #expect(ending.errors.contains("`etl resume ") == !isQuiet)
        #expect(ending.errors.contains("To continue it, run `etl resume --db \(store) ") == !isQuiet)
        #expect(!isQuiet || ending.errors.isEmpty)
    }

    @Test(arguments: [(SIGINT, 130), (SIGTERM, 143)] as [(Int32, Int32)])
    func `a run that waits for another program reports it and can be stopped`(
        signal: Int32, status: Int32
    ) throws {
        let text = "Book Id,Title,Author\n1,T,A\n"
        #expect(try importing(text).status == 0)
        let lock = HeldLock()
        #expect(lock.take(store))
        let file = try folder.write(text + "2,U,B\n", to: "later.csv")
        let process = try BuiltTool.start(
            ["import", "--db", store, file], output: .pipe, errors: .pipe)
        var complained = Data()
        while complained.range(of: Data("another process that has `\(store)` locked".utf8)) == nil {
            let piece = try #require(process.errors).availableData
            try #require(!piece.isEmpty, "\(String(decoding: complained, as: UTF8.self))")
            complained += piece
        }
        process.send(signal)
        let ending = try collect(process)
        #expect(ending.status == status)
        #expect(ending.errors.contains("stopped before it started"))
        lock.release()
        #expect(try BuiltTool.ending(["import", "--db", store, file]).status == 0)
    }
}
