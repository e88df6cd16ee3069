import Foundation
import Store
import Syntax
import TestSupport
import Testing

@testable import Server

/// Uploads that try to write or read elsewhere, or to fill disk and memory.
@Suite(.ownThread) struct HostileUploadTests {
    private static let names = [
        "../../evil.csv", "/etl-evil.csv", "..\\..\\evil.csv", "..", ".", "", "/", "a\u{0}b.csv",
        "~/evil.csv",
        "%2e%2e%2fevil.csv", "evil.csv/../../x", String(repeating: "a", count: 3_000), "CON",
        "a\tb\u{7F}.csv",
        "\u{202E}vsc.live", "library.sqlite", "file:///etc/passwd", "$(touch evil).csv", "-rf",
    ]

    /// All files in the folder of a server's store, without those of the store itself.
    private static func files(_ running: RunningServer) throws -> [String] {
        let found = try FileManager.default.subpathsOfDirectory(atPath: running.sample.folder.path)
        return found.filter { !$0.hasPrefix("library.sqlite") || $0.hasPrefix("library.sqlite.uploads/") }
            .sorted()
    }

    @Test func `what a client calls its file is never a path`() async throws {
        let running = try await RunningServer()
        let before = try Self.files(running)
        for name in Self.names {
            let form = RunningServer.form("Title\nReef\n", name: name)
            let answer = try running.request(
                "POST", "/api/v2/imports", [("Content-Type", form.type)],
                body: String(decoding: form.body, as: UTF8.self))
            let (job, token) = try answer.acceptedJob()
            #expect(try running.wait(for: job, token).last?.event == "completed", "\(name.debugDescription)")
        }
        #expect(try Self.files(running) == before)
        #expect(running.server.backend.uploads.usedBytes == 0)
        for path in ["/etl-evil.csv", "\(running.sample.folder.path)/../evil.csv"] {
            #expect(!FileManager.default.fileExists(atPath: path))
        }
        await running.server.stop()
    }

    @Test func `a head of a part that is too long is refused`() async throws {
        let running = try await RunningServer()
        let form = RunningServer.form("Title\nReef\n", name: String(repeating: "a", count: 5_000))
        let answer = try running.request(
            "POST", "/api/v2/imports", [("Content-Type", form.type)],
            body: String(decoding: form.body, as: UTF8.self))
        #expect(answer.status == 400)
        #expect(running.server.backend.uploads.usedBytes == 0)
        await running.server.stop()
    }

    @Test func `files in an archive are read wherever they say they belong, and written nowhere`()
        async throws
    {
        let running = try await RunningServer()
        let before = try Self.files(running)
        let archive = ZipBytes.archive(texts: [
            ("../../evil.csv", "Title\nReef\n"), ("/etc/evil.csv", "Title\nEmma\n"),
        ])
        let answer = try Self.upload(archive, named: "a.zip", to: running)
        let (job, token) = try answer.acceptedJob()
        #expect(try running.wait(for: job, token).last?.event == "completed")
        let results = try running.data("/v1/csv/results/\(job)", token: token)
        let titles = (results["books"] as? [[String: Any]])?.compactMap { $0["title"] as? String }
        #expect(titles?.sorted() == ["Emma", "Reef"])
        #expect(try Self.files(running) == before)
        await running.server.stop()
    }

    private static let bombs: [(name: String, bytes: [UInt8])] = [
        ("bomb.csv.gz", DeflateBomb.gzip),
        ("bomb.zip", DeflateBomb.zip), ("bomb.csv.zst", zstdBomb),
    ]

    /// A table whose second row is 26 MB long, in 800 bytes: blocks that repeat one byte.
    private static let zstdBomb: [UInt8] = {
        func block(_ kind: Int, _ size: Int, isLast: Bool, _ bytes: [UInt8]) -> [UInt8] {
            let head = (isLast ? 1 : 0) | kind << 1 | size << 3
            return (0..<3).map { UInt8(truncatingIfNeeded: head >> (8 * $0)) } + bytes
        }
        let title = Array("Title,Author\n".utf8)
        let blocks = (0..<200).flatMap { block(1, 128 << 10, isLast: $0 == 199, [UInt8(ascii: "x")]) }
        return [0x28, 0xB5, 0x2F, 0xFD, 0, 0x38] + block(0, title.count, isLast: false, title) + blocks
    }()

    @Test func `a decompression bomb fails its job, and leaves only itself, and that for a day`() async throws
    {
        let clock = SetClock()
        let running = try await RunningServer(clock: clock)
        for (name, bytes) in Self.bombs {
            let (job, token) = try Self.upload(bytes, named: name, to: running).acceptedJob()
            let last = try #require(try running.wait(for: job, token).last)
            #expect(last.event == "failed", "\(name)")
            let payload = try #require(last.data["payload"] as? [String: Any])
            #expect(payload["code"] as? String == "E_CSV_PROCESSING_FAILED")
            let message = try #require(payload["message"] as? String)
            #expect(message.contains("decompression bomb"), "\(message)")
            #expect(!message.contains(running.sample.folder.path))
        }
        let backend = running.server.backend
        #expect(backend.uploads.usedBytes == Self.bombs.reduce(0) { $0 + $1.bytes.count })
        clock.advance(seconds: 25 * 3_600)
        await backend.clean()
        #expect(backend.uploads.usedBytes == 0 && backend.uploads.uploads().isEmpty)
        await running.server.stop()
    }

    @Test func `an upload with more records than allowed fails before anything is stored`() async throws {
        let running = try await RunningServer { $0.recordLimit = 2 }
        let (few, fewToken) = try running.accepted("Title\nReef\nShore\n")
        #expect(try running.wait(for: few, fewToken).last?.event == "completed")
        let (many, manyToken) = try running.accepted(
            "Title\nZyxwvut\nBay\nGulf\n", fields: [("library", "other")])
        let last = try #require(try running.wait(for: many, manyToken).last)
        let payload = try #require(last.data["payload"] as? [String: Any])
        #expect(last.event == "failed" && payload["code"] as? String == "PAYLOAD_TOO_LARGE")
        #expect(payload["message"] as? String == "The input has more than 2 records, which is the limit.")
        #expect(try running.data("/v1/search/title?q=zyxwvut")["totalResults"] as? Int == 0)
        await running.server.stop()
    }

    /// Rows of a table of about 60 KB.
    private static let table = "Title,Author\n" + String(repeating: "Reef of Stars,Ana Lee\n", count: 2_700)

    private static let expanding: [(name: String, bytes: [UInt8])] = [
        ("large.csv.gz", GzipBytes.stored(Array((table + table).utf8))),
        ("two.zip", ZipBytes.archive(texts: [("a.csv", table), ("b.csv", table)])),
        (
            "large.xlsx",
            SheetDocument.excel([
                ("Books", String(repeating: "<row><c t=\"str\"><v>Title</v></c></row>", count: 3_000))
            ])
        ),
    ]

    @Test func `an upload that expands to more than the limit fails its job, and nothing of it stays`()
        async throws
    {
        let running = try await RunningServer { $0.expansionLimit = ExpansionLimit(bytes: 100_000) }
        for (name, bytes) in Self.expanding {
            let (job, token) = try Self.upload(bytes, named: name, to: running).acceptedJob()
            let last = try #require(try running.wait(for: job, token).last)
            #expect(last.event == "failed", "\(name)")
            let payload = try #require(last.data["payload"] as? [String: Any])
            #expect(payload["code"] as? String == "PAYLOAD_TOO_LARGE", "\(payload)")
            #expect(payload["retryable"] as? Bool == false)
            let message = try #require(payload["message"] as? String)
            #expect(message.contains(name) && message.contains("100000 bytes"), "\(message)")
            #expect(message.contains("import it in smaller parts"), "\(message)")
        }
        #expect(running.server.backend.uploads.uploads().isEmpty)
        #expect(try StoreFile.openIfStarted(running.store) == nil)
        await running.server.stop()
    }

    @Test func `an archive of thousands of files is refused before they are opened`() async throws {
        let running = try await RunningServer()
        let archive = ZipBytes.archive(texts: (0...1_000).map { ("a\($0).txt", "no table") })
        let (job, token) = try Self.upload(archive, named: "many.zip", to: running).acceptedJob()
        let last = try #require(try running.wait(for: job, token).last)
        let payload = try #require(last.data["payload"] as? [String: Any])
        #expect(last.event == "failed" && payload["code"] as? String == "PAYLOAD_TOO_LARGE", "\(payload)")
        let message = try #require(payload["message"] as? String)
        #expect(message.hasPrefix("`many.zip` contains 1001 files"), "\(message)")
        await running.server.stop()
    }

    @Test func `a picture is refused as what it is, also by the name of a table`() async throws {
        let running = try await RunningServer()
        let head: [UInt8] = [0x89] + Array("PNG\r\n\u{1A}\n".utf8) + [0, 0, 0, 13] + Array("IHDR".utf8)
        let pixels = (0..<20_000).map { UInt8(truncatingIfNeeded: $0 &* 2_654_435_761 >> 7) }
        for name in ["cover.png", "library.csv"] {
            let (job, token) = try Self.upload(head + pixels, named: name, to: running).acceptedJob()
            let last = try #require(try running.wait(for: job, token).last)
            let payload = try #require(last.data["payload"] as? [String: Any])
            #expect(
                last.event == "failed" && payload["code"] as? String == "E_CSV_PROCESSING_FAILED",
                "\(payload)")
            #expect(payload["message"] as? String == "`\(name)` is an image (PNG).", "\(payload)")
        }
        #expect(try StoreFile.openIfStarted(running.store) == nil)
        await running.server.stop()
    }

    @Test func `what is not compressed may be as large as an upload may be`() async throws {
        let running = try await RunningServer { $0.expansionLimit = ExpansionLimit(bytes: 100_000) }
        let (job, token) = try running.accepted(
            "Title,Author\n" + String(repeating: "Reef of Stars,Ana Lee\n", count: 6_000))
        #expect(try running.wait(for: job, token).last?.event == "completed")
        await running.server.stop()
    }

    private static func upload(
        _ bytes: [UInt8], named name: String, to running: RunningServer
    ) throws -> RawClient.Answer {
        let head = "--X1\r\nContent-Disposition: form-data; name=\"file\"; filename=\"\(name)\"\r\n\r\n"
        return try running.client().request(
            "POST", "/api/v2/imports", [("Content-Type", "multipart/form-data; boundary=X1")],
            body: Array(head.utf8) + bytes + Array("\r\n--X1--\r\n".utf8))
    }
}

/// A few kilobytes of deflated data that expand a thousandfold (RFC 1951, section 3.2.7).
private enum DeflateBomb {
    private static let copies = 100_000
    private static let start = Array("Title,Author\n".utf8)
    private static let size = start.count + 1 + copies * 258

    /// The start as it is, then one letter and copies of it: two bits for 258 bytes.
    private static let data: [UInt8] = {
        var bits: [UInt8] = []
        func number(_ value: Int, _ count: Int) {
            for shift in 0..<count { bits.append(UInt8(value >> shift & 1)) }
        }
        // The last block, with its own codes: 286 lengths, 1 distance, 18 lengths of code lengths.
        number(1, 1)
        number(2, 2)
        number(29, 5)
        number(0, 5)
        number(14, 4)
        // In the standard's order: 18 has one bit, 2 and 1 have two.
        for place in 0..<18 { number(place == 2 ? 1 : place == 15 || place == 17 ? 2 : 0, 3) }
        func zeros(_ count: Int) {
            bits.append(0)
            number(count - 11, 7)
        }
        // The letter x and the end of the block have two bits, a copy of 258 bytes and its distance have one.
        zeros(120)
        bits += [1, 1]
        zeros(135)
        bits += [1, 1]
        zeros(28)
        bits += [1, 0]
        bits += [1, 0]
        bits += [1, 0]
        bits += [UInt8](repeating: 0, count: 2 * copies)
        bits += [1, 1]
        let bytes = stride(from: 0, to: bits.count, by: 8).map { place in
            bits[place..<min(place + 8, bits.count)].enumerated().reduce(0) {
                $0 | $1.element << UInt8($1.offset)
            }
        }
        return [0] + Self.number(start.count, 2) + Self.number(~start.count, 2) + start + bytes
    }()

    private static func number(_ value: Int, _ bytes: Int) -> [UInt8] {
        (0..<bytes).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    }

    // The checksums are wrong. No reader gets that far.
    static let gzip = [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 0xFF] + data + number(0, 4) + number(size, 4)

    static let zip: [UInt8] = {
        let name = Array("library.csv".utf8)
        let common =
            number(20, 2) + number(0x800, 2) + number(8, 2) + number(0, 2) + number(0x21, 2) + number(0, 4)
            + number(data.count, 4) + number(size, 4) + number(name.count, 2) + number(0, 2)
        let file = number(0x0403_4B50, 4) + common + name + data
        let directory =
            number(0x0201_4B50, 4) + number(20, 2) + common + number(0, 12) + number(0, 2) + name
        let end =
            number(0x0605_4B50, 4) + number(0, 4) + number(1, 2) + number(1, 2) + number(directory.count, 4)
            + number(file.count, 4) + number(0, 2)
        return file + directory + end
    }()
}
