import Books
import FakeServices
import Foundation
import Store
import System
import TestSupport
import Testing

/// The built tool with fake services on a real socket, which record the requests.
@Suite(
    .enabled(if: FileManager.default.isExecutableFile(atPath: ProjectFiles.tool), "needs the built tool"))
struct PolitenessTests {
    private static let second: UInt64 = 1_000_000_000

    private static func services(_ faults: FakeFaults = FakeFaults()) -> FakeServices {
        FakeServices(
            faults: Dictionary(uniqueKeysWithValues: FakeServices.names.map { ($0, faults) }))
    }

    @Test
    func `killed and resumed, it repeats only requests that were under way, with the same result`()
        throws
    {
        let calm = Self.services()
        let undisturbed = try ToolWithServices(rate: 400) { calm.answer($0) }
        defer { undisturbed.server.stop() }
        let whole = undisturbed.folder.file("whole.sqlite")
        let original = try undisturbed.library("library.csv", records: 120)
        try #require(try undisturbed.ending(["import", "--quiet", "--db", whole, original]).status == 0)
        try #require(try undisturbed.pending(whole) == 0)

        // Faults that take no time themselves; the pauses after them are real.
        let kinds: [FakeFaults.Kind] = [.serverError, .cutOff, .brokenJSON, .page, .reset, .mismatch]
        let faults = FakeFaults(share: 0.05, kinds: kinds, seed: 11, latencyMilliseconds: 20)
        let moody = Self.services(faults)
        let tool = try ToolWithServices(rate: 60) { moody.answer($0) }
        defer { tool.server.stop() }
        let store = tool.folder.file("store.sqlite")
        let library = try tool.library("library.csv", records: 120)
        var kills: [UInt64] = []
        for (number, after) in [1_400, 1_100, 1_200].enumerated() {
            let arguments = number == 0 ? ["import", library] : ["resume"]
            if try tool.killed(arguments + ["--quiet", "--db", store], afterMilliseconds: after) {
                kills.append(SystemClock().nanoseconds())
            }
        }
        #expect(!kills.isEmpty)
        for _ in 0..<5 {
            _ = try tool.ending(["resume", "--quiet", "--db", store])
            if try tool.pending(store) == 0 { break }
        }
        #expect(try tool.pending(store) == 0)
        #expect(try BuiltTool.dump(store) == BuiltTool.dump(whole))
        // A good answer received long enough before a kill to be cached is not requested again.
        for (key, when) in AskedKeys.askedAgain(tool.server.requests) {
            let isUnderWay = kills.contains { $0 >= when && $0 - when < Self.second / 2 }
            #expect(isUnderWay, "\(key)")
        }
    }

    @Test func `two processes with two stores together keep to rate and concurrency`() throws {
        let slow = FakeServices(faults: ["google-books": FakeFaults(latencyMilliseconds: 500)])
        let tool = try ToolWithServices(rate: 24, services: ["google-books"]) { slow.answer($0) }
        defer { tool.server.stop() }
        var processes: [ChildProcess] = []
        for number in 0..<2 {
            let library = try tool.library(
                "\(number).csv", records: 24, from: 978_100_000_001 + Int64(number) * 1_000)
            processes.append(
                try tool.start(["import", "--quiet", "--db", tool.folder.file("\(number).sqlite"), library]))
        }
        #expect(try processes.map { try $0.wait().status } == [0, 0])
        let instants = tool.server.requests.map(\.at).sorted()
        #expect(instants.count >= 48)
        // Six at once is the concurrency for a rate of 24 per second (ServiceLimits).
        #expect(tool.server.maxAtOnce["google-books"] ?? 0 <= 6)
        for (index, first) in instants.enumerated() {
            let within = instants[index...].prefix { $0 - first < Self.second }.count
            // The rate, a burst of a tenth of it, and one request that is on its way to the server.
            #expect(within <= 24 + 2 + 1)
        }
    }

    @Test func `a thousand records with one ISBN send one request`() throws {
        let calm = Self.services()
        let tool = try ToolWithServices(rate: 400, services: ["google-books", "isbndb"]) { calm.answer($0) }
        defer { tool.server.stop() }
        let one = try tool.library("one.csv", records: 1)
        let row = try String(contentsOfFile: one, encoding: .utf8).split(separator: "\n")[1]
        let text = "Title,Author,ISBN13,My Rating\n" + (0..<1_000).map { "\($0)\(row)\n" }.joined()
        let library = try tool.folder.write(text, to: "library.csv")
        let store = tool.folder.file("s.sqlite")
        #expect(try tool.ending(["import", "--quiet", "--db", store, library]).status == 0)
        #expect(tool.server.requests.filter { $0.service == "google-books" }.count == 1)
        #expect(tool.server.requests.filter { $0.service == "isbndb" }.count == 1)
    }

    @Test func `a service that accepts batches gets full ones`() throws {
        let calm = Self.services()
        let tool = try ToolWithServices(rate: 100, services: ["openlibrary", "isbndb"]) { calm.answer($0) }
        defer { tool.server.stop() }
        let library = try tool.library("library.csv", records: 250)
        let store = tool.folder.file("s.sqlite")
        #expect(try tool.ending(["import", "--quiet", "--db", store, library]).status == 0)
        let requests = tool.server.requests
        let books = requests.filter { $0.request.query["bibkeys"] != nil }
        let asked = books.map { AskedKeys.of($0.request).count }
        let plan = requests.filter { $0.service == "isbndb" }.map { AskedKeys.of($0.request).count }
        // A batch is not waited for endlessly, so on a busy machine some are less than full.
        #expect(asked.reduce(0, +) == 250 && asked.count <= 7 && asked.count { $0 == 50 } >= 3, "\(asked)")
        #expect(plan.reduce(0, +) == 250 && plan.count <= 5 && plan.contains(100), "\(plan)")
    }

    @Test func `a signal during a pause of a minute ends it within a second`() throws {
        // A second, if the machine has nothing else to do. On a busy one it is still far less than the pause.
        let limit = 20 * Self.second
        // The best of three: a machine running all tests at once may be slow once or twice.
        var shortest = UInt64.max
        for _ in 0..<3 where shortest >= limit {
            let asked = Pipe()
            let tool = try ToolWithServices(rate: 100) { _ in
                try? asked.fileHandleForWriting.write(contentsOf: Data([1]))
                var reply = FakeReply.json("{}", status: 429)
                reply.fields["Retry-After"] = "60"
                return reply
            }
            defer { tool.server.stop() }
            let library = try tool.library("library.csv", records: 5)
            let process = try tool.start(
                ["import", "--quiet", "--db", tool.folder.file("s.sqlite"), library])
            try process.waitForBytes(at: asked.fileHandleForReading)
            let raised = SystemClock().nanoseconds()
            process.send(SIGTERM)
            let ending = try process.wait()
            shortest = min(shortest, SystemClock().nanoseconds() - raised)
            #expect(ending.status == 143 && !ending.isSignal)
        }
        #expect(shortest < limit)
    }

    @Test func `a circuit breaker opened by one run holds in the next`() throws {
        let tool = try ToolWithServices(rate: 100, services: ["google-books"]) { _ in
            FakeReply(manner: .reset)
        }
        defer { tool.server.stop() }
        let library = try tool.library("library.csv", records: 40)
        let first = try tool.ending(["import", "--db", tool.folder.file("one.sqlite"), library])
        #expect(first.status == 75)
        #expect(
            first.errors.contains(
                "google-books closed the connection during its response: 40 records wait for it."))
        let calls = tool.server.requests.count
        #expect((5...20).contains(calls))
        let next = try tool.ending(["import", "--db", tool.folder.file("two.sqlite"), library])
        #expect(next.status == 75)
        let until =
            #/google-books was not asked \(it failed too often and is paused until \d{4}-[^ ]*Z\): 40/#
        #expect(next.errors.contains(until))
        #expect(next.output.contains("was not asked"))
        #expect(tool.server.requests.count == calls)
        #expect(try tool.pending(tool.folder.file("two.sqlite")) == 40)
    }

    @Test func `after two rejections a service is left alone, and the report says until when`() throws {
        let (tool, library) = try Self.rejecting(status: 429, retryAfter: "1")
        defer { tool.server.stop() }
        let store = tool.folder.file("s.sqlite")
        let ending = try tool.ending(["import", "--db", store, library])
        #expect(ending.status == 75)
        #expect(tool.server.requests.count == 2)
        let until = #/openlibrary rejected requests for now \(paused until \d{4}-[^ ]*Z\): 50 records wait/#
        #expect(ending.errors.contains(until))
        #expect(ending.output.contains("paused until"))
        #expect(try tool.pending(store) == 50)
    }

    /// A service that rejects all requests, and a library of 50 records.
    private static func rejecting(
        status: Int, retryAfter: String
    ) throws -> (tool: ToolWithServices, library: String) {
        let tool = try ToolWithServices(rate: 100, services: ["openlibrary"]) { _ in
            var reply = FakeReply.json("{}", status: status)
            reply.fields["Retry-After"] = retryAfter
            return reply
        }
        return (tool, try tool.library("library.csv", records: 50))
    }

    @Test func `a pause of two days holds in the next run`() throws {
        let (tool, library) = try Self.rejecting(status: 503, retryAfter: "172800")
        defer { tool.server.stop() }
        _ = try tool.ending(["import", "--db", tool.folder.file("one.sqlite"), library])
        #expect(tool.server.requests.count == 1)
        let next = try tool.ending(["import", "--db", tool.folder.file("two.sqlite"), library])
        #expect(next.status == 75)
        #expect(tool.server.requests.count == 1)
        let until =
            #/openlibrary was not asked \(it rejected requests and is paused until \d{4}-[^ ]*Z\): 50/#
        #expect(next.errors.contains(until))
        #expect(try tool.pending(tool.folder.file("two.sqlite")) == 50)
    }

    @Test(arguments: [404, 405, 410, 501, 400, 422])
    func `a service with errors leaves its records pending and is reported once`(status: Int) throws {
        let (calm, isBroken) = (Self.services(), Guarded(true))
        let tool = try ToolWithServices(rate: 400, services: ["openlibrary"]) { request in
            isBroken.withLock { $0 } ? FakeReply.json("{}", status: status) : calm.answer(request)
        }
        defer { tool.server.stop() }
        let library = try tool.library("library.csv", records: 50)
        let store = tool.folder.file("s.sqlite")
        let ending = try tool.ending(["import", "--db", store, library])
        #expect(ending.status == 69)
        #expect(tool.server.requests.count <= 12)
        let warnings = ending.errors.split(separator: "\n").filter { $0.contains("openlibrary") }
        #expect(warnings.count == 1)
        #expect(warnings.first?.contains("openlibrary rejected what it was asked (\(status) ") == true)
        #expect(warnings.first?.contains(" at \(tool.server.url)/openlibrary/api/books.json (check") == true)
        #expect(warnings.first?.contains("50 records wait for it.") == true)
        #expect(ending.output.contains("rejected what it was asked (\(status) "))
        #expect(try tool.pending(store) == 50)
        // Nothing was cached as not found.
        isBroken.withLock { $0 = false }
        #expect(try tool.ending(["resume", "--quiet", "--db", store]).status == 0)
        #expect(try tool.pending(store) == 0)
    }

    @Test func `a spent budget pauses the job and reports when it can continue`() throws {
        let calm = Self.services()
        let tool = try ToolWithServices(
            rate: 100, services: ["google-books"], variables: ["ETL_GOOGLE_BOOKS_DAILY": "5"]
        ) { calm.answer($0) }
        defer { tool.server.stop() }
        let (store, library) = (
            tool.folder.file("s.sqlite"), try tool.library("library.csv", records: 20)
        )
        for arguments in [["import", library], ["resume"], ["retry"]] {
            let paused = try tool.ending(arguments + ["--db", store])
            #expect(paused.status == 75)
            #expect(paused.errors.contains("The daily budget of google-books is spent;"))
            // Midnight in California.
            #expect(paused.errors.contains(#/ after \d{4}-\d\d-\d\dT08:00:00Z/#))
            // A book that is not found by ISBN is also searched by title.
            #expect((15...19).contains(try tool.pending(store) ?? 0))
        }
        #expect(tool.server.requests.count == 5)
    }

    @Test func `a job that finds the budget spent by another one is paused too`() throws {
        let (calm, isSilent) = (Self.services(), Guarded(true))
        let tool = try ToolWithServices(
            rate: 400, services: ["google-books"], variables: ["ETL_GOOGLE_BOOKS_DAILY": "40"]
        ) { request in
            isSilent.withLock { $0 }
                ? FakeReply(403, Array("<html>Forbidden</html>".utf8)) : calm.answer(request)
        }
        defer { tool.server.stop() }
        let store = tool.folder.file("s.sqlite")
        let library = try tool.library("library.csv", records: 10)
        #expect(try tool.ending(["import", "--db", store, library]).status == 69)
        isSilent.withLock { $0 = false }
        let other = try tool.library("other.csv", records: 60, from: 978_100_001_001)
        #expect(
            try tool.ending(["import", "--quiet", "--db", tool.folder.file("other.sqlite"), other]).status
                == 75)
        let paused = try tool.ending(["resume", "--db", store])
        #expect(paused.status == 75)
        #expect(
            paused.errors.contains(#/google-books has no requests left until \S+: 10 records wait for it\./#))
        #expect(paused.errors.contains(#/ after \d{4}-\d\d-\d\dT08:00:00Z/#))
        #expect(try tool.pending(store) == 10)
    }

    @Test func `pending records are finished by enriching`() throws {
        let (calm, isSilent) = (Self.services(), Guarded(true))
        let tool = try ToolWithServices(rate: 400, services: ["google-books"]) { request in
            isSilent.withLock { $0 }
                ? FakeReply(403, Array("<html>Forbidden</html>".utf8)) : calm.answer(request)
        }
        defer { tool.server.stop() }
        let store = tool.folder.file("s.sqlite")
        for number in 0..<2 {
            let library = try tool.library(
                "\(number).csv", records: 10, from: 978_100_000_001 + Int64(number) * 1_000)
            let ending = try tool.ending(["import", "--db", store, library])
            #expect(ending.status == 69)
            #expect(
                ending.errors.contains(
                    "google-books rejected your credentials (check ETL_GOOGLE_BOOKS_KEY and ETL_CONTACT)"))
        }
        isSilent.withLock { $0 = false }
        #expect(try tool.ending(["retry", "--quiet", "--db", store]).status == 0)
        let jobs = try JobTable(StoreFile.openForReading(store)).all()
        #expect(jobs.map(\.pending) == [0, 0])
        let again = try tool.ending(["enrich", "--missing", "--db", store])
        #expect(again.status == 0 && again.errors.contains("nothing to do"))
        #expect(try tool.ending(["retry", "--reason", "timeout", "--db", store]).status == 0)
    }

    @Test func `answers can be moved from store to store, and then no requests are sent`() throws {
        let calm = Self.services()
        let tool = try ToolWithServices(rate: 400) { calm.answer($0) }
        defer { tool.server.stop() }
        let (one, other) = (tool.folder.file("one.sqlite"), tool.folder.file("other.sqlite"))
        let library = try tool.library("library.csv", records: 30)
        #expect(try tool.ending(["import", "--quiet", "--db", one, library]).status == 0)
        let calls = tool.server.requests.count
        let answers = try tool.ending(["cache", "export", "--db", one]).output
        #expect(answers.split(separator: "\n").count > 30)
        let file = try tool.folder.write(answers, to: "answers.ndjson")
        #expect(try tool.ending(["cache", "import", "--db", other, file]).status == 0)
        #expect(try tool.ending(["cache", "export", "--db", other]).output == answers)
        #expect(try tool.ending(["import", "--quiet", "--db", other, library]).status == 0)
        #expect(tool.server.requests.count == calls)
        #expect(try BuiltTool.dump(other) == BuiltTool.dump(one))

        let broken = try tool.folder.write(answers + "{\"service\":\"x\"}\n", to: "broken.ndjson")
        let third = tool.folder.file("third.sqlite")
        let refused = try tool.ending(["cache", "import", "--db", third, broken])
        #expect(refused.status == 65)
        #expect(
            refused.errors.contains(":\(answers.split(separator: "\n").count + 1): not an exported answer"))
        #expect(try tool.ending(["cache", "export", "--db", third]).output.isEmpty)
    }

    @Test func `keys appear nowhere: not in the store, the state, any output or the process list`()
        throws
    {
        let faults = FakeFaults(share: 0.3, kinds: [.serverError, .limit403, .brokenJSON, .cutOff])
        let (moody, arguments) = (Self.services(faults), Guarded<[String]>([]))
        let tool = try ToolWithServices(rate: 400) { request in
            arguments.withLock { if $0.count < 2_000 { $0 += Self.argumentsOfProcesses() } }
            return moody.answer(request)
        }
        defer { tool.server.stop() }
        let (store, library) = (
            tool.folder.file("s.sqlite"), try tool.library("library.csv", records: 12)
        )
        // The key is sent to its services; otherwise the test would prove nothing.
        func areAsked() -> Bool {
            tool.server.requests.contains { $0.request.fields.values.contains(ToolWithServices.canary) }
        }
        var said = ""
        let commands = [
            [
                "import", "--verbose", "--events", tool.folder.file("events"), "--metrics",
                tool.folder.file("metrics"), library,
            ],
            ["resume", "--verbose", "--json"], ["status"], ["jobs"], ["errors", "--warnings"], ["results"],
            ["cache", "info"], ["cache", "export"], ["doctor"], ["export", "--what", "all"],
        ]
        for command in commands {
            let ending = try tool.ending(command + ["--db", store])
            said += ending.output + ending.errors
        }
        #expect(areAsked())
        #expect(said.count > 1_000 && !said.contains(ToolWithServices.canary))
        #expect(!arguments.withLock { $0.joined() }.contains(ToolWithServices.canary))
        let files = FileManager.default.enumerator(atPath: tool.folder.path)
        var names: [String] = []
        while let name = files?.nextObject() as? String {
            names.append(name)
            guard let bytes = FileManager.default.contents(atPath: tool.folder.file(name)) else { continue }
            #expect(bytes.range(of: Data(ToolWithServices.canary.utf8)) == nil, "\(name)")
        }
        #expect(Set(names).isSuperset(of: ["s.sqlite", "events", "metrics", "state/etl/limiter.sqlite"]))
    }

    /// The arguments of every process on the machine.
    private static func argumentsOfProcesses() -> [String] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
        return names.filter { $0.allSatisfy(\.isNumber) }.compactMap { name in
            FileManager.default.contents(atPath: "/proc/\(name)/cmdline").map {
                String(decoding: $0, as: UTF8.self)
            }
        }
    }
}
