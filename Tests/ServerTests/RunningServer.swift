import Foundation
import Jobs
import Pipeline
import System
import TestSupport
import Testing

@testable import Server

/// A clock on which no time passes, so that no deadline ends on a busy machine. Waits take their normal time.
struct StillClock: RunClock {
    private let started = SystemClock().epochMilliseconds()

    func nanoseconds() -> UInt64 { 0 }
    func epochMilliseconds() -> Int64 { started }
    func sleep(nanoseconds: UInt64) async { await SystemClock().sleep(nanoseconds: nanoseconds) }
}

/// A clock that a test sets forward. Waits take their normal time.
final class SetClock: RunClock {
    private let started = SystemClock().epochMilliseconds()
    private let passed = Guarded<UInt64>(0)

    func nanoseconds() -> UInt64 { passed.withLock { $0 } }
    func epochMilliseconds() -> Int64 { started + Int64(nanoseconds() / 1_000_000) }
    func sleep(nanoseconds: UInt64) async { await SystemClock().sleep(nanoseconds: nanoseconds) }

    func advance(seconds: Int) { passed.withLock { $0 += UInt64(seconds) * 1_000_000_000 } }
}

/// A server on a free port, with a store and the sample's catalog.
final class RunningServer: Sendable {
    let sample: SampleImport
    let server: Server
    let store: String

    /// Built once for all servers.
    static let catalog = Task { try await SampleImport() }

    /// - Parameters:
    ///   - sample: Folder and catalog; a server that takes up what another has left uses its sample.
    ///   - change: Changes the settings.
    init(
        _ sample: SampleImport? = nil, tokens: ServerTokens = ServerTokens(),
        clock: any RunClock = StillClock(), importing: Bool = false,
        _ change: (inout ServerSettings) -> Void = { _ in }
    ) async throws {
        let sample = if let sample { sample } else { try SampleImport(sharing: try await Self.catalog.value) }
        self.sample = sample
        store = sample.folder.file("library.sqlite")
        if importing { try await sample.run("library.sqlite") }
        var settings = ServerSettings(
            jobs: .init(
                imports: try sample.request(store: store),
                lookUps: try Self.lookUps(sample, store)),
            catalogs: [sample.catalog], version: "0")
        settings.hasClientLimits = false
        // On a busy machine, too, a search finds what was imported before, and waits for services.
        settings.indexTimeout = 300_000_000_000
        settings.searchTimeout = 300_000_000_000
        change(&settings)
        let socket = try ListeningSocket.open(at: .init(address: "127.0.0.1", port: 0))
        server = try await Server(settings, on: socket, tokens: tokens, clock: clock)
    }

    private static func lookUps(_ sample: SampleImport, _ store: String) throws -> ImportRequest {
        var request = try sample.request(store: store)
        request.definition = try DefinitionFile.read(
            DefinitionFile.load("\(ProjectFiles.root)/Pipelines/csv_import.yaml"), named: "csv_import.yaml",
            overrides: [try DefinitionOverride(option: "contract=batch_enrichment")])
        return request
    }

    func client() throws -> RawClient { try RawClient(port: server.port) }

    /// A request on its own connection. Its answer must be as documented.
    func request(
        _ method: String = "GET", _ target: String, _ fields: [(String, String)] = [], body: String? = nil
    ) throws -> RawClient.Answer {
        var fields = fields
        if body != nil, !fields.contains(where: { $0.0 == "Content-Type" }) {
            fields.append(("Content-Type", "application/json"))
        }
        return try checked(method, target, fields, body: body.map { Array($0.utf8) })
    }

    private func checked(
        _ method: String, _ target: String, _ fields: [(String, String)], body: [UInt8]?
    ) throws -> RawClient.Answer {
        let answer = try client().request(method, target, fields, body: body)
        let problems = AnswerSchema().problems(answer, to: method, target)
        #expect(problems.isEmpty, "\(problems.prefix(5)) in \(answer.text.prefix(300))")
        return answer
    }

    /// The `data` of a success.
    func data(
        _ target: String, token: String? = nil, status: Int = 200
    ) throws -> [String: Any] {
        let answer = try request("GET", target, token.map { [("Authorization", "Bearer \($0)")] } ?? [])
        #expect(answer.status == status, "\(answer.text.prefix(300))")
        return try #require(try answer.json()["data"] as? [String: Any])
    }

    /// The `error` of a failure.
    static func error(_ answer: RawClient.Answer) throws -> [String: Any] {
        let object = try answer.json()
        #expect(object["success"] as? Bool == false && object["data"] is NSNull)
        return try #require(object["error"] as? [String: Any])
    }

    /// A form with a file, and further fields.
    static func form(
        _ file: String, name: String = "library.csv", fields: [(String, String)] = []
    ) -> (type: String, body: [UInt8]) {
        var text = ""
        for (name, value) in fields {
            text += "--X1\r\nContent-Disposition: form-data; name=\"\(name)\"\r\n\r\n\(value)\r\n"
        }
        text +=
            "--X1\r\nContent-Disposition: form-data; name=\"file\"; filename=\"\(name)\"\r\n"
            + "Content-Type: text/csv\r\n\r\n\(file)\r\n--X1--\r\n"
        return ("multipart/form-data; boundary=X1", Array(text.utf8))
    }

    /// Uploads a file.
    func upload(
        _ file: String, to path: String = "/api/v2/imports", fields: [(String, String)] = [],
        headers: [(String, String)] = []
    ) throws -> RawClient.Answer {
        let form = Self.form(file, fields: fields)
        return try checked("POST", path, headers + [("Content-Type", form.type)], body: form.body)
    }

    /// Uploads a file, which must be accepted.
    func accepted(
        _ file: String, fields: [(String, String)] = []
    ) throws -> (job: String, token: String) {
        try upload(file, fields: fields).acceptedJob()
    }

    /// Cancels a job.
    func cancel(_ job: String, _ token: String) throws -> RawClient.Answer {
        try request("DELETE", "/v1/jobs/\(job)", [("Authorization", "Bearer \(token)")])
    }

    /// Waits until the clients of a job are told something.
    func told(_ job: String, _ isTold: @escaping @Sendable (JobEventLog) -> Bool) async {
        let (hub, signal) = (server.backend.hub, StopSignal())
        let look: @Sendable () -> Void = { if hub[job].map(isTold) == true { signal.raise() } }
        let watcher = hub.watch(job, waking: look)
        look()
        await signal.wait()
        if let watcher { hub.leave(job, watcher) }
    }

    /// Reads the events of a job until its last one.
    @discardableResult
    func wait(for job: String, _ token: String, base: String = "") throws
        -> [(id: Int64, event: String, data: [String: Any])]
    {
        let client = try client()
        try client.send("GET \(base)/v1/jobs/\(job)/stream?token=\(token) HTTP/1.1\nHost: localhost\n\n")
        let head = try client.head()
        try #require(head.status == 200)
        var text = ""
        while true {
            let piece = try client.chunk()
            if piece.isEmpty { return Self.events(text) }
            text += String(decoding: piece, as: UTF8.self)
        }
    }

    /// The events in a stream.
    static func events(_ text: String) -> [(id: Int64, event: String, data: [String: Any])] {
        text.components(separatedBy: "\n\n").compactMap { block in
            var fields: [String: String] = [:]
            for line in block.split(separator: "\n") where !line.hasPrefix(":") {
                let halves = line.split(separator: ":", maxSplits: 1)
                if halves.count == 2 {
                    fields[String(halves[0])] = halves[1].trimmingCharacters(in: .whitespaces)
                }
            }
            guard let id = fields["id"].flatMap({ Int64($0) }), let event = fields["event"],
                let data = fields["data"],
                let object = try? JSONSerialization.jsonObject(with: Data(data.utf8)) as? [String: Any]
            else { return nil }
            return (id, event, object)
        }
    }

    /// The close codes that the server sends, for tests that know others of that name.
    static let closeCodes = CloseCode.allCases.map { Int($0.rawValue) }

    /// The sample export.
    static var export: String {
        get throws {
            try String(contentsOfFile: ProjectFiles.sample("goodreads_library_export.csv"), encoding: .utf8)
        }
    }
}

extension Secret {
    /// The hash of a secret as a file of tokens has it.
    static func hexHash(_ text: String) -> String {
        hash(text).map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
    }
}
