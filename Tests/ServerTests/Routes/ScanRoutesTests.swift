import FakeServices
import Foundation
import Jobs
import Pipeline
import System
import Testing

@testable import Server
@testable import Services
@testable import TestSupport

/// Scans of photos over real connections, with a fake model that reads the pictures of ``FakePhoto``.
@Suite(.ownThread) struct ScanRoutesTests {
    private static let two =
        #"[{"title":"Neuromancer","author":"William Gibson","confidence":0.9,"box":[0,0,900,50]},"#
        + #"{"title":"Zzyzx Unknown","author":"Nobody Known","confidence":0.95,"box":[0,60,900,90]}]"#

    private var transport: FakeTransport { FakeTransport(FakeServices(), clock: ManualClock()) }

    private func send(
        _ photos: [(name: String, bytes: [UInt8])], to path: String = "/api/batch-scan",
        field: String = "photos[]", _ running: RunningServer, fields: [(String, String)] = []
    ) throws -> RawClient.Answer {
        var body: [UInt8] = []
        for (name, bytes) in photos {
            body += Array(
                "--X1\r\nContent-Disposition: form-data; name=\"\(field)\"; filename=\"\(name)\"\r\n\r\n".utf8
            )
            body += bytes + Array("\r\n".utf8)
        }
        body += Array("--X1--\r\n".utf8)
        return try running.client().request(
            "POST", path, fields + [("Content-Type", "multipart/form-data; boundary=X1")], body: body)
    }

    private func books(_ results: [String: Any]) -> [[String: Any]] {
        results["books"] as? [[String: Any]] ?? []
    }

    @Test func `a photo is read, its books are looked up, and the results have the contract's shape`()
        async throws
    {
        let transport = transport
        let running = try await RunningServer.scanning(transport)
        let answer = try send(
            [("IMG_1.png", FakePhoto.png(Self.two))], to: "/api/scan-bookshelf", field: "photo", running)
        #expect(answer.status == 202)
        let data = try #require(try answer.json()["data"] as? [String: Any])
        #expect(data["totalPhotos"] as? Int == 1)
        let (job, token) = try answer.acceptedJob()
        #expect(data["resultsUrl"] as? String == "/v1/scan/results/\(job)")
        let events = try running.wait(for: job, token)
        #expect(events.map(\.event).filter { $0 != "progress" } == ["started", "completed"])
        for event in events { #expect(event.data["pipeline"] as? String == "ai_scan") }
        let summary = (events.last?.data["payload"] as? [String: Any])?["summary"] as? [String: Any]
        #expect(summary?["totalDetected"] as? Int == 2 && summary?["approved"] as? Int == 1)
        #expect(summary?["needsReview"] as? Int == 1)

        let raw = try running.request("GET", "/v1/scan/results/\(job)")
        let decoded = try raw.inVersion2(V21.ScanResults.self)
        #expect(decoded.error == nil)
        #expect((try raw.json()["metadata"] as? [String: Any])?["provider"] as? String == "kv_cache")
        let results = try running.data("/v1/scan/results/\(job)")
        let found = books(results)
        #expect(found.map { $0["title"] as? String } == ["Neuromancer", "Zzyzx Unknown"])
        #expect(found.map { $0["enrichmentStatus"] as? String } == ["success", "not_found"])
        let work = (found[0]["enrichment"] as? [String: Any])?["work"] as? [String: Any]
        #expect(work?["originalImagePath"] as? String == "IMG_1.png")
        #expect((work?["contributors"] as? [String])?.contains("gemini") == true)
        #expect((found[0]["boundingBox"] as? [String: Any])?["height"] as? Double == 0.9)
        let detected = try running.data("/v1/jobs/\(job)/results")["detectedBooks"] as? [Any]
        #expect(detected?.count == 2)
        #expect(try running.data("/v1/jobs/\(job)")["pipeline"] as? String == "ai_scan")
        // The same photo again costs nothing.
        let again = try send(
            [("copy.png", FakePhoto.png(Self.two))], to: "/api/scan-bookshelf", field: "photo", running)
        let (second, secondToken) = try again.acceptedJob()
        _ = try running.wait(for: second, secondToken)
        #expect(transport.requests.count == 1)
        let repeated = books(try running.data("/v1/scan/results/\(second)"))
        #expect(repeated.allSatisfy { $0["duplicate"] as? Bool == true })
        await running.server.stop()
    }

    @Test func `a batch is told photo by photo, and one that fails does not stop the others`() async throws {
        let running = try await RunningServer.scanning(transport)
        let safety = FakePhoto.png(#"{"fault":"safety","books":[]}"#)
        let answer = try send(
            [("a.png", FakePhoto.png(Self.two)), ("b.png", safety), ("c.pdf", Array("%PDF-1.7".utf8))],
            running)
        let (job, token) = try answer.acceptedJob()
        let events = try running.wait(for: job, token)
        #expect(events.first?.data["type"] as? String == "batch-init")
        let last = try #require(events.last)
        #expect(last.event == "completed" && last.data["type"] as? String == "batch-complete")
        let data = try #require(last.data["data"] as? [String: Any])
        #expect(data["totalBooks"] as? Int == 2 && books(data).count == 2)
        let photos = data["photoResults"] as? [[String: Any]]
        #expect(photos?.map { $0["status"] as? String } == ["success", "error", "error"])
        #expect(photos?.map { $0["booksFound"] as? Int } == [2, 0, 0])
        let progress = events.filter { $0.data["type"] as? String == "batch-progress" }.last?.data["data"]
        let told = (progress as? [String: Any])?["photos"] as? [[String: Any]]
        #expect(told?[1]["error"] as? String == "The model refused the photo (SAFETY).")
        #expect((told?[2]["error"] as? String)?.hasPrefix("The file is a PDF") == true)
        await running.server.stop()
    }

    @Test func `a batch of which nothing can be read fails, and has no results`() async throws {
        let running = try await RunningServer.scanning(transport)
        let broken = FakePhoto.png(#"{"fault":"wrong-schema","books":[]}"#)
        let (job, token) = try send([("a.png", broken), ("b.jpg", [])], running).acceptedJob()
        let last = try #require(try running.wait(for: job, token).last)
        #expect(last.event == "failed")
        let payload = try #require(last.data["payload"] as? [String: Any])
        #expect(payload["code"] as? String == "BATCH_SCAN_ERROR")
        #expect(payload["message"] as? String == "All photos failed processing")
        #expect(payload["retryable"] as? Bool == true)
        #expect(try running.request("GET", "/v1/scan/results/\(job)").status == 404)
        await running.server.stop()
    }

    @Test func `a photo without books has results without books`() async throws {
        let running = try await RunningServer.scanning(transport)
        let (job, token) = try send([("a.png", FakePhoto.png("[]"))], running).acceptedJob()
        #expect(try running.wait(for: job, token).last?.event == "completed")
        let results = try running.data("/v1/scan/results/\(job)")
        #expect(results["totalDetected"] as? Int == 0 && books(results).isEmpty)
        #expect((results["metadata"] as? [String: Any])?["modelUsed"] as? String == "gemini-2.0-flash-exp")
        await running.server.stop()
    }

    @Test func `a request that asks too much is refused in one sentence`() async throws {
        let running = try await RunningServer.scanning(transport)
        let photo = ("a.png", FakePhoto.png("[]"))
        let refused: [(RawClient.Answer, Int)] = [
            (try send([], running), 400), (try send(Array(repeating: photo, count: 6), running), 400),
            (try send([photo, photo], to: "/api/scan-bookshelf", field: "photo", running), 400),
            (try send([photo], field: "picture", running), 400),
            (try send([("a.png", [UInt8](repeating: 0, count: 11 << 20))], running), 413),
        ]
        for (answer, status) in refused {
            #expect(answer.status == status, "\(answer.text.prefix(200))")
            #expect((try RunningServer.error(answer)["message"] as? String)?.isEmpty == false)
        }
        #expect(try running.request("POST", "/api/batch-scan").status == 415)
        #expect(running.server.backend.uploads.usedBytes == 0)
        await running.server.stop()
    }

    @Test func `a browser sends photos, and sees where each book is`() async throws {
        let running = try await RunningServer.scanning(transport)
        let browser = PageBrowser(running)
        let home = try browser.open("/").text
        #expect(home.contains("action=\"/page/scans\"") && home.contains("fake.test"))
        let sent = try send(
            [("a.png", FakePhoto.png(Self.two)), ("b.jpg", Array("%PDF-1.7".utf8))], to: "/page/scans",
            running)
        #expect(sent.status == 303)
        let path = try #require(sent.fields["location"])
        let job = String(path.split(separator: "/").last ?? "")
        await running.told(job) { $0.ending != nil }
        let page = try browser.open(path).text
        #expect(
            page.contains("<svg") && page.contains("<rect") && page.contains("Zzyzx Unknown, Nobody Known"))
        #expect(page.contains("check it") && page.contains("The file is a PDF"))
        // The part of the photo with the spine to check, which is the second one.
        let size = try #require(page.firstMatch(of: #/viewBox="0 0 (\d+) (\d+)"/#))
        let (width, height) = (Double(size.1) ?? 0, Double(size.2) ?? 0)
        let part = [0.06 * width, 0, 0.03 * width, 0.9 * height].map { "\($0)" }
        #expect(page.contains("class=\"spine\" viewBox=\"\(part[0])"), "\(part)")
        #expect(page.components(separatedBy: "class=\"spine\"").count == 2)
        #expect(try browser.open("/").text.contains("2 books"))
        let photo = try running.client().request("GET", "\(path)/photos/1")
        #expect(photo.status == 200 && photo.fields["content-type"] == "image/png")
        #expect(photo.body == FakePhoto.png(Self.two))
        for other in ["2", "0", "3", "x", "-1", "99999999999999999999"] {
            #expect(try running.client().request("GET", "\(path)/photos/\(other)").status == 404, "\(other)")
        }
        #expect(try running.client().request("GET", "/page/jobs/other/photos/1").status == 404)
        #expect(try send([], to: "/page/scans", running).status == 400)
        await running.server.stop()
    }

    @Test func `a server without a model has no form for photos`() async throws {
        let running = try await RunningServer()
        #expect(!(try PageBrowser(running).open("/").text.contains("/page/scans")))
        #expect(try send([("a.png", FakePhoto.png("[]"))], to: "/page/scans", running).status == 503)
        await running.server.stop()
    }

    @Test func `a canceled batch says so before its connection is closed, and leaves nothing`() async throws {
        let held = HeldTransport(isOpen: false)
        let running = try await RunningServer.scanning(held)
        let (job, token) = try send([("a.png", FakePhoto.png(Self.two))], running).acceptedJob()
        let socket = try WebSocketClient(
            try running.client(), "/ws/progress?jobId=\(job)&token=\(token)")
        try socket.send(#"{"type":"ready"}"#)
        var types: [String] = []
        while types.last != "batch-init" { types.append(try socket.next().type ?? "") }
        try socket.send(#"{"type":"cancel_batch"}"#)
        var closed: Int?
        while closed == nil {
            let frame = try socket.next()
            if let code = frame.closeCode { closed = code } else { types.append(frame.type ?? "") }
        }
        #expect(types.contains("batch-canceling") && closed == 1_001)
        held.opened.raise()
        #expect(running.server.backend.jobs.isActive(job) == false)
        #expect(try running.request("GET", "/v1/scan/results/\(job)").status == 404)
        await running.server.stop()
    }

    @Test func `a scan that is canceled while its books are looked up leaves none of them`() async throws {
        let services = HeldTransport(isOpen: false)
        let running = try await RunningServer.scanning(
            transport, clock: SystemClock(),
            lookingUp: ServiceSettings.fake(over: services, ["openlibrary"]).always)
        let (job, token) = try send([("a.png", FakePhoto.png(Self.two))], running).acceptedJob()
        await services.asked.wait()
        // Both books are stored, one of them without the answer that does not come.
        while try running.data("/v1/jobs/\(job)", token: token)["pending"] as? Int != 1 {}
        #expect(try running.cancel(job, token).status == 200)
        await running.told(job) { $0.ending != nil }
        services.opened.raise()
        #expect(try running.request("GET", "/v1/scan/results/\(job)").status == 404)
        let list = try PageBrowser(running).open("/page/library").text
        #expect(!list.contains("Neuromancer") && !list.contains("Zzyzx"))
        await running.server.stop()
    }
}
