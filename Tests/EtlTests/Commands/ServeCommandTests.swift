import FakeServices
import Foundation
import System
import TestSupport
import Testing

@testable import CommandLineTool

/// `etl serve` as a process.
@Suite(
    .enabled(if: FileManager.default.isExecutableFile(atPath: ProjectFiles.tool), "needs the built tool"))
struct ServeCommandTests {
    /// A running server, and the port that it has named.
    private struct Process {
        let process: ChildProcess
        let port: UInt16

        init(
            _ store: String, _ more: [String] = [], isOffline: Bool = true,
            environment: [String: String] = [:]
        ) throws {
            process = try BuiltTool.start(
                ["serve", "--port", "0", "--db", store, "--no-limits"] + (isOffline ? ["--offline"] : [])
                    + more,
                environment: environment,
                output: .nothing, errors: .pipe)
            let errors = try #require(process.errors)
            var said = ""
            while true {
                if let match = said.firstMatch(of: #/Listening on https?:\/\/[^ ]*:(\d+)\./#) {
                    port = try #require(UInt16(match.1))
                    return
                }
                let piece = errors.availableData
                try #require(!piece.isEmpty, "it ended too early: \(said)")
                said += String(decoding: piece, as: UTF8.self)
            }
        }

        func request(
            _ method: String, _ target: String, _ fields: [(String, String)] = [], body: String? = nil
        ) throws
            -> RawClient.Answer
        {
            try RawClient(port: port).request(method, target, fields, body: body.map { Array($0.utf8) })
        }

        /// Uploads a file.
        func upload(_ text: String) throws -> (job: String, token: String) {
            try upload([Array(text.utf8)], as: "file", to: "/api/v2/imports")
        }

        /// Uploads files in one form.
        func upload(
            _ files: [[UInt8]], as field: String, to path: String
        ) throws -> (job: String, token: String) {
            var body: [UInt8] = []
            for (number, file) in files.enumerated() {
                body += Array(
                    "--X1\r\nContent-Disposition: form-data; name=\"\(field)\"; filename=\"\(number).csv\"\r\n\r\n"
                        .utf8)
                body += file + Array("\r\n".utf8)
            }
            let answer = try RawClient(port: port).request(
                "POST", path, [("Content-Type", "multipart/form-data; boundary=X1")],
                body: body + Array("--X1--\r\n".utf8))
            let data = try #require(try answer.json()["data"] as? [String: Any])
            return (try #require(data["jobId"] as? String), try #require(data["token"] as? String))
        }

        /// The events of a job until its last one.
        func events(of job: String, _ token: String) throws -> String {
            try request("GET", "/v1/jobs/\(job)/stream?token=\(token)").text
        }

        func end(with signal: Int32 = SIGTERM) throws -> ChildProcess.Ending {
            process.send(signal)
            return try process.wait()
        }
    }

    private let folder: TemporaryFolder
    private var store: String { folder.file("library.sqlite") }

    init() throws { folder = try TemporaryFolder() }

    @Test(arguments: [SIGTERM, SIGINT])
    func `it serves until it is told to stop, and ends in order`(signal: Int32) throws {
        let server = try Process(store)
        #expect(try server.request("GET", "/health").status == 200)
        let (job, token) = try server.upload("Title\nReef\n")
        #expect(try server.events(of: job, token).contains("event: completed"))
        let ending = try server.end(with: signal)
        #expect(ending.status == 0 && !ending.isSignal)
    }

    @Test func `accepted uploads survive kills, and end as if nothing had happened`() throws {
        let export = try String(
            contentsOfFile: ProjectFiles.sample("goodreads_library_export.csv"), encoding: .utf8)
        var server = try Process(store)
        let (job, token) = try server.upload(export)
        for _ in 0..<3 {
            // Wherever the job is now.
            #expect(try server.end(with: SIGKILL).isSignal)
            server = try Process(store)
        }
        #expect(try server.events(of: job, token).contains("event: completed"))
        _ = try server.end()
        let plain = folder.file("plain.sqlite")
        #expect(
            try BuiltTool.run([
                "import", "--db", plain, "--offline", "--quiet",
                ProjectFiles.sample("goodreads_library_export.csv"),
            ]) == 0)
        #expect(try BuiltTool.dump(store) == BuiltTool.dump(plain))
    }

    @Test func `a scan survives kills, and no photo that was answered is sent again`() throws {
        let services = FakeServices()
        let tool = try ToolWithServices(
            rate: 1_000, variables: ["ETL_GEMINI_KEY": ToolWithServices.canary, "ETL_GEMINI_RATE": "1000"]
        ) { services.answer($0) }
        let environment = tool.variables.merging(["ETL_GEMINI_URL": "\(tool.server.url)/vision"]) { $1 }
        func start() throws -> Process { try Process(store, isOffline: false, environment: environment) }
        func sent() -> Int { tool.server.requests.count { $0.path.hasPrefix("/vision/") } }
        let photos = (1...5).map { number in
            FakePhoto.png(#"[{"title":"Book \#(number)","author":"Ana Lee","confidence":0.9}]"#)
        }
        var server = try start()
        let (job, token) = try server.upload(photos, as: "photos[]", to: "/api/batch-scan")
        let kills = 6
        for _ in 0..<kills {
            // Wherever the scan is after some other requests.
            for _ in 0...Int.random(in: 0...30) { _ = try server.request("GET", "/health") }
            #expect(try server.end(with: SIGKILL).isSignal)
            server = try start()
        }
        #expect(try server.events(of: job, token).contains("batch-complete"))
        let results = try server.request("GET", "/v1/scan/results/\(job)").text
        #expect(results.contains(#""totalDetected":5"#), "\(results)")
        // A kill can come while an answer is under way.
        #expect(sent() <= photos.count + kills)
        let before = sent()
        let (again, second) = try server.upload(photos, as: "photos[]", to: "/api/batch-scan")
        #expect(try server.events(of: again, second).contains("batch-complete"))
        #expect(sent() == before)
        _ = try server.end()
    }

    @Test func `an answer that was given under a key is given again after a kill`() throws {
        var server = try Process(store)
        let (job, token) = try server.upload("Title,ISBN\nReef,9780306406157\n")
        #expect(try server.events(of: job, token).contains("event: completed"))
        func answers() throws -> [RawClient.Answer] {
            try ["9780306406157", "9780441007318"].map { barcode in
                try server.request(
                    "POST", "/api/v2/books/enrich",
                    [("Content-Type", "application/json"), ("Idempotency-Key", barcode)],
                    body: "{\"barcode\":\"\(barcode)\"}")
            }
        }
        let first = try answers()
        #expect(first.map(\.status) == [200, 404])
        #expect(try server.end(with: SIGKILL).isSignal)
        server = try Process(store)
        #expect(try answers().map(\.body) == first.map(\.body))
        _ = try server.end()
    }

    @Test(arguments: ["0.0.0.0", "::", "192.0.2.7"])
    func `a public address needs tokens, or the word that it need not`(address: String) throws {
        let ending = try BuiltTool.ending(["serve", "--db", store, "--port", "0", "--bind", address])
        #expect(ending.status == ExitStatus.usage.rawValue)
        #expect(ending.errors.contains("--tokens FILE") && ending.errors.contains("--insecure"))
        #expect(!FileManager.default.fileExists(atPath: store + ".server"))
    }

    /// Receives notifications at a path, as a supervisor does.
    private func notifications(at path: String) throws -> (descriptor: Int32, next: () -> String) {
        let descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue), 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: FileName.bytes(of: path)) }
        let isBound = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size)) == 0
            }
        }
        try #require(isBound)
        return (
            descriptor,
            {
                var bytes = [UInt8](repeating: 0, count: 64)
                let count = recv(descriptor, &bytes, bytes.count, 0)
                return String(decoding: bytes[..<max(0, count)], as: UTF8.self)
            }
        )
    }

    @Test func `the supervisor is told when the server is ready and when it stops`() throws {
        let path = folder.file("notify")
        let (descriptor, next) = try notifications(at: path)
        defer { close(descriptor) }
        let server = try Process(store, environment: ["NOTIFY_SOCKET": path])
        #expect(next() == "READY=1")
        server.process.send(SIGHUP)
        #expect(next().hasPrefix("RELOADING=1\nMONOTONIC_USEC="))
        #expect(next() == "READY=1")
        _ = try server.end()
        #expect(next() == "STOPPING=1")
    }

    @Test func `the supervisor is told again and again that the server works, if it wants to know`() throws {
        let path = folder.file("notify")
        let (descriptor, next) = try notifications(at: path)
        defer { close(descriptor) }
        let server = try Process(
            store, environment: ["NOTIFY_SOCKET": path, "WATCHDOG_USEC": "1000000"])
        // The first tick may come before the server is ready.
        var said: Set<String> = []
        while said != ["READY=1", "WATCHDOG=1"] { said.insert(next()) }
        #expect(next() == "WATCHDOG=1" && next() == "WATCHDOG=1")
        _ = try server.end()
    }

    @Test func `the supervisor's socket can have a name that is not UTF-8`() throws {
        let path = folder.file("notify\u{10FEFF}")
        let (descriptor, next) = try notifications(at: path)
        defer { close(descriptor) }
        let supervisor = Supervisor(["NOTIFY_SOCKET": path], processID: 7)
        supervisor.tell("READY=1")
        #expect(fcntl(descriptor, F_SETFL, O_NONBLOCK) == 0 && next() == "READY=1")
    }

    @Test func `a socket is taken from the supervisor only if it is meant for this process`() {
        let mine = ["LISTEN_PID": "7", "LISTEN_FDS": "1"]
        #expect(Supervisor(mine, processID: 7).socket == 3)
        #expect(Supervisor(mine, processID: 8).socket == nil)
        #expect(Supervisor(["LISTEN_PID": "7", "LISTEN_FDS": "0"], processID: 7).socket == nil)
        #expect(Supervisor([:], processID: 7).socket == nil)
    }

    @Test func `a public server limits the connections of an address, one of this machine does not`() throws {
        for (more, isLimited) in [(["--bind", "0.0.0.0", "--insecure"], true), ([], false)] {
            let server = try Process(store, ["--connections-per-address", "1"] + more)
            let first = try RawClient(port: server.port)
            #expect(try first.request("GET", "/health").status == 200)
            let second = try? RawClient(port: server.port).request("GET", "/health").status
            #expect(second == (isLimited ? nil : 200))
            #expect(try server.end().status == 0)
        }
    }

    @Test func `requests are logged to a file`() throws {
        let log = folder.file("access.log")
        let server = try Process(store, ["--log", log])
        _ = try server.request("GET", "/health")
        _ = try server.end()
        let text = try String(contentsOfFile: log, encoding: .utf8)
        #expect(text.contains(#""path":"/health""#) && text.hasSuffix("}\n"))
    }

    /// Makes `cert.pem` and `key.pem`.
    private func makeCertificate(of name: String) throws {
        let made = try BuiltTool.shell(
            "cd '\(folder.path)' && openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes "
                + "-keyout key.pem -out cert.pem -days 1 -subj /CN=\(name)")
        try #require(made.status == 0, "\(made.errors)")
    }

    @Test func `a signal renews the tokens and the log`() throws {
        // The SHA-256 of `abc`.
        let line = "anna ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad search"
        let tokens = try folder.write(line + "\n", to: "tokens.txt")
        let log = folder.file("access.log")
        let server = try Process(store, ["--log", log, "--tokens", tokens])
        func status() throws -> Int {
            try server.request("GET", "/v1/search/isbn?isbn=1", [("Authorization", "Bearer abc")]).status
        }
        #expect(try status() == 400)
        while try !String(contentsOfFile: log, encoding: .utf8).contains(#""status":400"#) {}
        _ = try folder.write(
            line.replacingOccurrences(of: "ba78", with: "ba79") + "\n", to: "tokens.txt")
        try FileManager.default.moveItem(atPath: log, toPath: log + ".1")
        server.process.send(SIGHUP)
        while try status() == 400 {}
        // A file that cannot be used changes nothing.
        _ = try folder.write("anna\n", to: "tokens.txt")
        server.process.send(SIGHUP)
        #expect(try status() == 401)
        #expect(try server.end().status == 0)
        #expect(try String(contentsOfFile: log + ".1", encoding: .utf8).contains(#""status":400"#))
        #expect(try String(contentsOfFile: log, encoding: .utf8).contains(#""status":401"#))
    }

    @Test func `a change of the file of tokens is noticed, and a damaged file changes nothing`() throws {
        let file = folder.file("tokens.txt")
        func token(_ arguments: String...) throws -> BuiltTool.Ending {
            try BuiltTool.shell(
                "'\(ProjectFiles.tool)' token \(arguments.joined(separator: " ")) --tokens '\(file)'")
        }
        func add(_ arguments: String...) throws -> String {
            let ending = try token("add", arguments.joined(separator: " "))
            #expect(ending.status == 0, "\(ending.errors)")
            return ending.output.trimmingCharacters(in: .newlines)
        }
        let anna = try add("anna")
        let server = try Process(store, ["--tokens", file])
        func answer(_ token: String) throws -> RawClient.Answer {
            try server.request("GET", "/v1/search/isbn?isbn=1", [("Authorization", "Bearer \(token)")])
        }
        #expect(try answer(anna).status == 400)
        let bert = try add("bert", "--expires", "1")
        while try answer(bert).status == 401 {}
        let good = try String(contentsOfFile: file, encoding: .utf8)
        _ = try folder.write("anna\n", to: "tokens.txt")
        #expect(try token("revoke", "anna").status == 78)
        _ = try folder.write(good, to: "tokens.txt")
        #expect(try token("revoke", "anna").status == 0)
        while try answer(anna).status == 400 {}
        #expect(try answer(anna).text.contains("This token has been revoked."))
        #expect(try answer(bert).status == 400)
        #expect(try server.end().status == 0)
    }

    @Test(
        .enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/openssl"), "needs openssl"))
    func `a signal renews the certificate`() throws {
        try makeCertificate(of: "first")
        let server = try Process(
            store, ["--tls-cert", folder.file("cert.pem"), "--tls-key", folder.file("key.pem")])
        func subject() throws -> String {
            try BuiltTool.shell(
                "openssl s_client -connect 127.0.0.1:\(server.port) < /dev/null 2>/dev/null | "
                    + "openssl x509 -noout -subject"
            ).output
        }
        #expect(try subject().contains("first"))
        try makeCertificate(of: "second")
        server.process.send(SIGHUP)
        while try !subject().contains("second") {}
        #expect(try server.end().status == 0)
    }

    @Test(
        .enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/openssl"), "needs openssl"))
    func `with a certificate it serves HTTPS only`() throws {
        try makeCertificate(of: "localhost")
        let server = try Process(
            store, ["--tls-cert", folder.file("cert.pem"), "--tls-key", folder.file("key.pem")])
        let asked = try BuiltTool.shell(
            "printf 'GET /health HTTP/1.1\\r\\nHost: localhost\\r\\nConnection: close\\r\\n\\r\\n' | "
                + "openssl s_client -quiet -ign_eof -connect 127.0.0.1:\(server.port) 2>&1")
        #expect(asked.output.contains("HTTP/1.1 200"), "\(asked.output)")
        #expect(throws: (any Error).self) { try server.request("GET", "/health") }
        _ = try server.end()
    }

    /// A block of code of docs/service.md.
    private static func example(_ language: String) throws -> String {
        let page = try String(contentsOfFile: "\(ProjectFiles.root)/docs/service.md", encoding: .utf8)
        let start = try #require(page.range(of: "```\(language)\n"))
        let end = try #require(page[start.upperBound...].range(of: "\n```"))
        return String(page[start.upperBound..<end.lowerBound]) + "\n"
    }

    @Test(
        .enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/curl"), "needs curl"))
    func `the example with curl in the documentation works`() throws {
        let server = try Process(store)
        let file = try folder.write("Title,Author\nReef,Ana Lee\n,\n,Nobody\n", to: "library.csv")
        let script = try folder.write(
            "set -e\ncd '\(folder.path)'\n" + Self.example("bash"), to: "example.sh")
        let ending = try BuiltTool.shell(
            "ETL_URL=http://127.0.0.1:\(server.port) bash '\(script)' '\(file)'")
        #expect(ending.status == 0, "\(ending.errors)")
        #expect(ending.output.contains("event: completed") && ending.output.contains("\"booksCreated\":1"))
        #expect(try String(contentsOfFile: folder.file("errors.csv"), encoding: .utf8).contains("Nobody"))
        _ = try server.end()
    }

    @Test(
        .enabled(if: (try? BuiltTool.shell("python3 -c ''"))?.status == 0, "needs python3"))
    func `the example in Python in the documentation works`() throws {
        let server = try Process(store)
        let file = try folder.write("Title,Author\nReef,Ana Lee\n,Nobody\n", to: "library.csv")
        let script = try folder.write(Self.example("python"), to: "example.py")
        let ending = try BuiltTool.shell(
            "ETL_URL=http://127.0.0.1:\(server.port) python3 '\(script)' '\(file)'")
        #expect(ending.status == 0, "\(ending.errors)")
        #expect(ending.output.hasSuffix("1 new books, 1 errors\n"), "\(ending.output)")
        _ = try server.end()
    }
}
