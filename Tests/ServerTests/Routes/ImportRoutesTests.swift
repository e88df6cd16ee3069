import Foundation
import Queries
import Store
import TestSupport
import Testing

@testable import Server

/// From an upload to its results, over a real connection.
@Suite(.ownThread) struct ImportRoutesTests {
    /// Two good rows, and one that is set aside.
    private static let rows = "Title,Author,ISBN\nReef,Ana Lee,9780306406157\n,,123\nDune,Frank Herbert,\n"

    @Test func `an upload is imported, watched to its end, and its results are read`() async throws {
        let running = try await RunningServer()
        let answer = try running.upload(RunningServer.export)
        #expect(answer.status == 202)
        let accepted = try #require(try answer.json()["data"] as? [String: Any])
        let (job, token) = try answer.acceptedJob()
        #expect(accepted["authToken"] as? String == token)
        #expect(answer.fields["location"] == "/v1/jobs/\(job)")
        #expect(accepted["statusUrl"] as? String == "/v1/jobs/\(job)")
        #expect(accepted["resultsUrl"] as? String == "/api/v2/imports/\(job)/results")
        let expiry = try #require(accepted["expiresAt"] as? String)
        #expect(expiry.wholeMatch(of: #/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ/#) != nil)

        let events = try running.wait(for: job, token)
        #expect(events.first?.event == "started")
        #expect(events.last?.event == "completed")
        #expect(events.map(\.id) == events.map(\.id).sorted())
        for event in events { #expect(event.data["jobId"] as? String == job) }
        let status = try running.data("/v1/jobs/\(job)", token: token)
        #expect(status["status"] as? String == "completed" && status["progress"] as? Double == 1)
        #expect(try running.data("/api/v2/imports/\(job)", token: token)["jobId"] as? String == job)
        let results = try running.data("/api/v2/imports/\(job)/results?token=\(token)")
        let books = try #require(results["books"] as? [Any])
        let counts = ["booksCreated", "booksUpdated", "duplicatesSkipped"].compactMap { results[$0] as? Int }
        #expect(books.count == counts.reduce(0, +) && books.count > 100)
        await running.server.stop()
    }

    @Test func `an upload that is sent again has the job of the first one, also after a restart`()
        async throws
    {
        let running = try await RunningServer()
        func send(
            _ running: RunningServer, _ rows: String = Self.rows, key: String = "k1",
            fields: [(String, String)] = []
        ) throws -> (status: Int, job: String?, token: String?) {
            let answer = try running.upload(rows, fields: fields, headers: [("Idempotency-Key", key)])
            let data = try answer.json()["data"] as? [String: Any]
            return (answer.status, data?["jobId"] as? String, data?["token"] as? String)
        }
        let first = try send(running)
        let job = try #require(first.job)
        try running.wait(for: job, try #require(first.token))
        let again = try send(running, key: "\"k1\"")
        #expect(again.status == 202 && again.job == job && again.token != first.token)
        // Both tokens are the job's.
        for token in [first.token, again.token] {
            #expect(try running.data("/v1/jobs/\(job)", token: token)["status"] as? String == "completed")
        }
        #expect(try send(running, Self.rows + "Dune II,,\n").status == 409)
        #expect(try send(running, fields: [("library", "b")]).status == 409)
        #expect(try send(running, key: "").status == 400)
        #expect(try send(running, key: "k2").job != job)
        #expect(running.server.backend.jobs.recent().count == 2)
        await running.server.stop()
        let next = try await RunningServer(running.sample)
        let later = try send(next)
        #expect(later.status == 202 && later.job == job)
        #expect(try next.data("/v1/jobs/\(job)", token: later.token)["status"] as? String == "completed")
        await next.server.stop()
    }

    @Test func `every view shows the same job, and one that does not fit is refused`() async throws {
        let running = try await RunningServer()
        let (job, token) = try running.accepted(Self.rows)
        try running.wait(for: job, token)
        let csv = try running.data("/v1/csv/results/\(job)", token: token)
        #expect(csv["successRate"] as? String == "2/3")
        #expect((csv["books"] as? [[String: Any]])?.map { $0["title"] as? String } == ["Reef", "Dune"])
        #expect((try running.data("/v1/jobs/\(job)/results", token: token)["books"] as? [Any])?.count == 2)
        let scan = try running.request("GET", "/v1/scan/results/\(job)?token=\(token)")
        #expect(scan.status == 409)
        #expect(try RunningServer.error(scan)["code"] as? String == "INVALID_REQUEST")
        await running.server.stop()
    }

    @Test func `rows that were set aside come back as a list, and its correction is imported`() async throws {
        let running = try await RunningServer()
        let (job, token) = try running.accepted(Self.rows)
        try running.wait(for: job, token)
        let bearer = [("Authorization", "Bearer \(token)")]
        let list = try running.request("GET", "/v1/jobs/\(job)/errors", bearer)
        #expect(list.status == 200)
        let errors = try #require(JSONSerialization.jsonObject(with: Data(list.body)) as? [[String: Any]])
        #expect(errors.map { $0["row"] as? Int } == [3])
        let lines = try running.request("GET", "/v1/jobs/\(job)/errors?format=ndjson", bearer)
        #expect(lines.text.split(separator: "\n").count == 1)
        let csv = try running.request("GET", "/v1/jobs/\(job)/errors?format=csv", bearer)
        #expect(csv.fields["content-type"] == "text/csv; charset=utf-8")
        #expect(csv.fields["content-disposition"]?.contains("attachment") == true)
        #expect(csv.text.contains("Title,Author,ISBN"))
        for query in ["format=xml", "warnings=null"] {
            #expect(try running.request("GET", "/v1/jobs/\(job)/errors?\(query)", bearer).status == 400)
        }

        let corrected = csv.text.replacing("\n,,123,", with: "\nEmma,Jane Austen,,")
        #expect(corrected != csv.text)
        let path = "/v1/jobs/\(job)/corrections"
        #expect(try running.upload(corrected, to: path).status == 401)
        let answer = try running.upload(corrected, to: path, headers: bearer)
        #expect(answer.status == 202, "\(answer.text)")
        try running.wait(for: job, token)
        let status = try running.data("/v1/jobs/\(job)", token: token)
        #expect(status["status"] as? String == "completed")
        #expect(try running.data("/v1/search/title?q=Emma")["books"] as? [Any] != nil)
        let left = try running.request("GET", "/v1/jobs/\(job)/errors", bearer)
        #expect(left.text.trimmingCharacters(in: .whitespacesAndNewlines) == "[]")
        await running.server.stop()
    }

    @Test func `options are fields of the form`() async throws {
        let running = try await RunningServer()
        let (job, token) = try running.accepted(
            "Buch;Wer\nReef;Ana Lee\n",
            fields: [
                ("library", "anna"), ("map", "title=Buch,author=Wer"), ("delimiter", ";"),
                ("providers", "none"),
                ("replace", "true"), ("format", "auto"),
            ])
        try running.wait(for: job, token)
        let results = try running.data("/v1/csv/results/\(job)", token: token)
        let book = try #require((results["books"] as? [[String: Any]])?.first)
        #expect(book["title"] as? String == "Reef" && book["author"] as? String == "Ana Lee")
        await running.server.stop()
    }

    @Test(arguments: [
        ("format", "pdf"), ("providers", "nobody"), ("library", String(repeating: "x", count: 65)),
        ("replace", "perhaps"), ("dates", "year"), ("map", "="), ("color", "red"), ("encoding", "klingon"),
    ])
    func `a field that cannot be used is named, and nothing is kept`(field: String, value: String)
        async throws
    {
        let running = try await RunningServer()
        let answer = try running.upload(Self.rows, fields: [(field, value)])
        #expect(answer.status == 400)
        let error = try RunningServer.error(answer)
        #expect(error["code"] as? String == "INVALID_REQUEST")
        #expect((error["details"] as? [String: Any])?[field] != nil, "\(error)")
        #expect(running.server.backend.uploads.usedBytes == 0)
        #expect(running.server.backend.jobs.recent().isEmpty)
        await running.server.stop()
    }

    @Test(arguments: [
        "", "--X1--\r\n", "--X1\r\nContent-Disposition: form-data; name=\"file\"\r\n\r\nabc\r\n--X1--\r\n",
        "abc",
    ])
    func `a form without a file is refused`(body: String) async throws {
        let running = try await RunningServer()
        let answer = try running.request(
            "POST", "/api/v2/imports", [("Content-Type", "multipart/form-data; boundary=X1")], body: body)
        #expect(answer.status == 400, "\(answer.text)")
        await running.server.stop()
    }

    @Test func `a file that cannot be read ends as a failed job that says why`() async throws {
        let running = try await RunningServer()
        let (job, token) = try running.accepted("\u{0}\u{1}\u{2}not a table")
        let last = try #require(try running.wait(for: job, token).last)
        #expect(last.event == "failed")
        let payload = try #require(last.data["payload"] as? [String: Any])
        #expect(payload["code"] as? String == "E_CSV_PROCESSING_FAILED")
        let message = try #require(payload["message"] as? String)
        #expect(!message.contains(running.sample.folder.path), "paths of the server are nobody's business")
        #expect(try running.data("/v1/jobs/\(job)", token: token)["status"] as? String == "failed")
        await running.server.stop()
    }

    @Test func `a table without a title names the line of its header, and results that of each error`()
        async throws
    {
        let running = try await RunningServer()
        let (failed, first) = try running.accepted("\n\nColor,Size\nred,3\n")
        let last = try #require(try running.wait(for: failed, first).last)
        let payload = try #require(last.data["payload"] as? [String: Any])
        #expect((payload["details"] as? [String: Any])?["lineNumber"] as? Int == 3, "\(payload)")
        let (job, second) = try running.accepted("Title,ISBN\n\"Du\nne\",\n,123\n")
        try running.wait(for: job, second)
        for view in ["/api/v2/imports/\(job)/results", "/v1/csv/results/\(job)", "/v1/jobs/\(job)/results"] {
            let errors = try #require(try running.data(view)["errors"] as? [[String: Any]])
            #expect(errors.map { $0["row"] as? Int } == [3])
            #expect(errors.map { ($0["details"] as? [String: Any])?["lineNumber"] as? Int } == [4])
        }
        await running.server.stop()
    }

    @Test func `with private results only the holder of the token sees a job`() async throws {
        let running = try await RunningServer { $0.hasPrivateResults = true }
        let (job, token) = try running.accepted(Self.rows)
        try running.wait(for: job, token)
        for path in ["", "/stream", "/results", "/errors"] {
            for wrong in [nil, "", "x", Secret().text] {
                let fields = wrong.map { [("Authorization", "Bearer \($0)")] } ?? []
                let answer = try running.request("GET", "/v1/jobs/\(job)\(path)", fields)
                #expect(answer.status == 401 && answer.fields["www-authenticate"] == "Bearer")
                #expect(try RunningServer.error(answer)["code"] as? String == "UNAUTHORIZED")
            }
            #expect(try running.request("GET", "/v1/jobs/other\(path)?token=\(token)").status == 404)
        }
        #expect(try running.request("DELETE", "/v1/jobs/\(job)").status == 401)
        await running.server.stop()
    }

    @Test func `the name of a job suffices to read it, and its token to cancel it`() async throws {
        let running = try await RunningServer()
        let (job, token) = try running.accepted(Self.rows)
        try running.wait(for: job, token)
        #expect(try running.data("/v1/jobs/\(job)")["status"] as? String == "completed")
        for path in ["/stream", "/results", "/errors"] {
            #expect(try running.request("GET", "/v1/jobs/\(job)\(path)").status == 200)
        }
        let unknown = try running.request("GET", "/v1/jobs/other/results")
        #expect(unknown.status == 404)
        let error = try RunningServer.error(unknown)
        #expect(error["code"] as? String == "NOT_FOUND")
        #expect((error["details"] as? [String: Any])?["ttl"] != nil, "\(error)")
        #expect(try running.request("DELETE", "/v1/jobs/\(job)").status == 401)
        await running.server.stop()
    }

    @Test func `a stream goes on behind the last event that was seen`() async throws {
        let running = try await RunningServer()
        let (job, token) = try running.accepted(Self.rows)
        let events = try running.wait(for: job, token)
        let last = try #require(events.last).id
        // A repeated request receives the end again, under the same number.
        #expect(try running.wait(for: job, token).last?.id == last)
        let missed = try running.request(
            "GET", "/v1/jobs/\(job)/stream?token=\(token)", [("Last-Event-ID", "\(last - 1)")])
        #expect(RunningServer.events(missed.text).map(\.id) == [last])
        #expect(missed.text.hasPrefix("retry: 2000\n\n"))
        let seen = try running.request(
            "GET", "/api/v2/imports/\(job)/stream?token=\(token)", [("Last-Event-ID", "\(last)")])
        #expect(seen.status == 204)
        for senseless in ["", "x", "-1", "99999999999999999999"] {
            let answer = try running.request(
                "GET", "/v1/jobs/\(job)/stream?token=\(token)", [("Last-Event-ID", senseless)])
            #expect(RunningServer.events(answer.text).last?.id == last)
        }
        await running.server.stop()
    }

    @Test func `a job that waits is canceled, and canceling again does nothing`() async throws {
        let running = try await RunningServer(importing: true)
        let lock = HeldLock()
        try #require(lock.take(running.store))
        let (first, firstToken) = try running.accepted(Self.rows)
        let (second, token) = try running.accepted(Self.rows)
        for _ in 0..<2 {
            let answer = try running.request(
                "DELETE", "/v1/jobs/\(second)", [("Authorization", "Bearer \(token)")])
            #expect(answer.status == 200)
            let data = try #require(try answer.json()["data"] as? [String: Any])
            #expect(data["jobId"] as? String == second && data["status"] as? String == "canceled")
        }
        // On a busy machine it was told its place before.
        let events = try running.wait(for: second, token).map(\.event)
        #expect(events.filter { $0 != "progress" } == ["canceled"])
        #expect(try running.data("/v1/jobs/\(second)", token: token)["status"] as? String == "canceled")
        lock.release()
        #expect(try running.wait(for: first, firstToken).last?.event == "completed")
        await running.server.stop()
    }

    @Test func `the uploads of one user leave room for those of others, also after a restart`() async throws {
        let tokens = try ServerTokens(
            parsing: """
                anna ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad import
                ben cb8379ac2098aa165029e3938a51da0bcecfc008fd6795f401178647f96c5b34 import
                """, named: "tokens")
        let limits: (inout ServerSettings) -> Void = { ($0.uploadLimit, $0.uploadQuota) = (40_000, 100_000) }
        let file = "Title\n" + String(repeating: "A title that is long\n", count: 1_500)
        func upload(_ token: String, _ running: RunningServer) throws -> Int {
            try running.upload(file, headers: [("Authorization", "Bearer \(token)")]).status
        }
        let first = try await RunningServer(tokens: tokens, importing: true, limits)
        let lock = HeldLock()
        try #require(lock.take(first.store))
        #expect(try [upload("abc", first), upload("abc", first), upload("abc", first)] == [202, 202, 429])
        await first.server.stop()
        let second = try await RunningServer(first.sample, tokens: tokens, limits)
        #expect(
            try [upload("abc", second), upload("def", second), upload("def", second)] == [429, 202, 503])
        lock.release()
        for kept in second.server.backend.jobs.recent() {
            await second.told(kept.options.job) { $0.ending != nil }
        }
        #expect(second.server.backend.uploads.usedBytes == 0)
        #expect(try upload("abc", second) == 202)
        await second.server.stop()
    }

    @Test func `full queues and full disks answer 503 and say when to come back`() async throws {
        let running = try await RunningServer(importing: true) {
            $0.jobs.waiting = 1
            $0.uploadQuota = 100_000
        }
        let large = "Title\n" + String(repeating: "A title that is long\n", count: 10_000)
        let full = try running.upload(large)
        #expect(full.status == 503 && full.fields["retry-after"] == "60")
        #expect(running.server.backend.uploads.usedBytes == 0)
        let lock = HeldLock()
        try #require(lock.take(running.store))
        let accepted = try (0..<2).map { _ in try running.upload(Self.rows).status }
        // The first one runs, so one more may wait.
        #expect(accepted == [202, 202])
        let refused = try running.upload(Self.rows)
        #expect(refused.status == 503 && refused.fields["retry-after"] == "60")
        #expect(try RunningServer.error(refused)["retryable"] as? Bool == true)
        lock.release()
        await running.server.stop()
    }

    @Test func `a user's quota is kept over restarts, and a repeated request needs none`() async throws {
        let running = try await RunningServer { $0.quotas = DailyQuotas(imports: 1) }
        let key = [("Idempotency-Key", "a")]
        let first = try running.upload("Title\nReef\n", headers: key)
        #expect(first.status == 202)
        #expect(try running.upload("Title\nReef\n", headers: key).status == 202)
        await running.server.stop()
        let later = try await RunningServer(running.sample) { $0.quotas = DailyQuotas(imports: 1) }
        let refused = try later.upload("Title\nDune\n")
        #expect(refused.status == 429 && refused.fields["retry-after"] != nil)
        let error = try RunningServer.error(refused)
        #expect(error["code"] as? String == "RATE_LIMIT_EXCEEDED")
        #expect((error["message"] as? String)?.hasPrefix("The quota of 1 import in 24 hours") == true)
        #expect(try later.upload("Title\nDune\n", headers: [("Idempotency-Key", "b")]).status == 429)
        await later.server.stop()
    }

    @Test func `uploads that arrive together pass a quota one after the other`() async throws {
        let running = try await RunningServer { $0.quotas = DailyQuotas(imports: 2) }
        let form = RunningServer.form("Title\nReef\n")
        let clients = try (0..<12).map { _ in try running.client() }
        let head =
            "POST /api/v2/imports HTTP/1.1\nHost: localhost\nContent-Type: \(form.type)\n"
            + "Content-Length: \(form.body.count)\n\n"
        // All have passed the check before the body when the bodies are sent.
        for client in clients { try client.send(head) }
        _ = try running.request("GET", "/health")
        for client in clients { try client.send(form.body) }
        let statuses = try clients.map { try $0.answer().status }
        #expect(statuses.count { $0 == 202 } == 2 && statuses.count { $0 == 429 } == 10, "\(statuses)")
        await running.server.stop()
    }

    @Test func `an upload that would exceed the books of a library is undone as a whole`() async throws {
        let running = try await RunningServer { $0.bookLimit = 2 }
        func run(_ titles: [String], _ library: String) throws -> (event: String?, message: String?) {
            let file = "Title,Author\n" + titles.map { "\($0),Ana Lee\n" }.joined()
            let (job, token) = try running.accepted(file, fields: [("library", library)])
            let last = try running.wait(for: job, token).last
            return (last?.event, (last?.data["payload"] as? [String: Any])?["message"] as? String)
        }
        func titles() throws -> [String] {
            let page = try LibraryBrowser(StoreFile.openForReading(running.store)).page(
                of: "anna", before: nil, count: 10)
            return page.items.map(\.title).sorted()
        }
        #expect(try run(["Reef", "Cove"], "anna").event == "completed")
        let refused = try run(["Dune", "Reef"], "anna")
        #expect(refused.event == "failed")
        #expect(
            refused.message
                == "The library would have 3 books, and may have 2. The import was undone, and nothing has changed. Import fewer books, or remove some first."
        )
        #expect(try titles() == ["Cove", "Reef"])
        #expect(try run(["Cove", "Reef"], "anna").event == "completed", "it adds none")
        #expect(try run(["Dune"], "bert").event == "completed", "another library")
        await running.server.stop()
    }

    @Test func `the bytes of a user's uploads are counted`() async throws {
        let running = try await RunningServer { $0.quotas = DailyQuotas(bytes: 20) }
        #expect(try running.upload("Title\nA title of many bytes\n").status == 413)
        #expect(try running.upload("Title\nReef\n").status == 202)
        #expect(try running.upload("Title\nDune\n").status == 429)
        #expect(try running.upload("Title\nA\n").status == 202)
        await running.server.stop()
    }
}
