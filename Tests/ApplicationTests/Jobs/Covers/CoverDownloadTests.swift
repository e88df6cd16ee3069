import Books
import Foundation
import Services
import Store
import Syntax
import System
import TestSupport
import Testing

@testable import Contract
@testable import Jobs
@testable import Queries

/// `etl covers` on stores whose services are made up.
@Suite struct CoverDownloadTests {
    private static let isbns = ["9780441013593", "9780441172719", "9780553283686", "9780345391803"]
    private let store: FilledStore
    private var folder: String { store.folder.file("covers") }

    init() throws { store = try FilledStore() }

    /// Imports a book for each pair of covers: the edition's and the work's.
    private func importing(
        _ covers: [(edition: String?, work: String?)], job: String = "first"
    ) async throws {
        var rows = [SmallLibrary.header]
        for (number, (isbn, cover)) in zip(Self.isbns, covers).enumerated() {
            var values: [(Field, String)] = [(.title, "Book \(number)"), (.isbn13, isbn)]
            if let edition = cover.edition { values.append((.editionCover, edition)) }
            if let work = cover.work { values.append((.workCover, work)) }
            store.known[isbn] = [KnownBook(.googleBooks, "G\(number)", values)]
            rows.append(SmallLibrary.row(String(number), "Book \(number)", "Author \(number)", isbn: isbn))
        }
        try await store.importing([rows.joined(separator: "\n") + "\n"], as: ["\(job).csv"], job: job)
    }

    private func download(_ transport: StubTransport, stop: StopSignal = StopSignal()) async throws
        -> CoverCounts
    {
        var settings = ServiceSettings()
        settings.transport = transport
        settings.retry = RetryPolicy(attempts: 1)
        return try await CoverDownload(
            of: store.path, into: folder, settings, clock: ManualClock(), stop: stop
        ).run(library: nil)
    }

    private static func images(_ images: [String: [UInt8]]) -> StubTransport {
        StubTransport { request, _ in
            .success(
                images[request.url].map { HTTPResponse(status: 200, body: $0) } ?? HTTPResponse(status: 404))
        }
    }

    private func bytes(_ name: String) throws -> [UInt8] {
        try Array(Data(contentsOf: URL(fileURLWithPath: "\(folder)/\(name)")))
    }

    private var visibleFiles: [String] {
        get throws {
            try FileManager.default.contentsOfDirectory(atPath: folder).filter { !$0.hasPrefix(".") }.sorted()
        }
    }

    /// The cells of `covers.csv` by the edition's ISBN.
    private func list() throws -> [String: [String]] {
        let lines = String(decoding: try bytes("covers.csv"), as: UTF8.self).split(separator: "\n")
            .dropFirst()
        return Dictionary(
            lines.map { line in
                let cells = line.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
                return (cells[1], cells)
            }, uniquingKeysWith: { $1 })
    }

    @Test func `each edition gets its own cover, or else its work's, under its ISBN`() async throws {
        try await importing([
            ("https://i.example/a", "https://i.example/b"), (nil, "https://i.example/b"), (nil, nil),
            ("https://i.example/gone", nil),
        ])
        let (own, work) = (ImageFixture.jpeg(filling: 1), ImageFixture.png(200, 300))
        let summary = try await download(
            Self.images(["https://i.example/a": own, "https://i.example/b": work]))
        #expect(try visibleFiles == ["9780441013593.jpg", "9780441172719.png", "covers.csv"])
        #expect(try bytes("9780441013593.jpg") == own && bytes("9780441172719.png") == work)
        let list = try list()
        #expect(
            list["9780441013593"]?[...3] == ["9780441013593.jpg", "9780441013593", "Book 0", "Author 0"])
        #expect(list["9780441013593"]?[5...9] == ["300", "450", String(own.count), "saved", "edition"])
        #expect(list["9780441172719"]?[5...9] == ["200", "300", String(work.count), "saved", "work"])
        #expect(list["9780553283686"]?[8] == "no cover known")
        #expect(list["9780345391803"]?[8] == "no image")
        var expected = CoverCounts()
        (expected.editions, expected.saved, expected.withoutAddress, expected.withoutImage) = (4, 2, 1, 1)
        (expected.images, expected.bytes) = (2, own.count + work.count)
        #expect(summary == expected)
    }

    /// Books that two services know, each with a cover; the second one may have found it by its title.
    private func importing(_ first: String, _ second: String, by match: Candidate.Match) async throws {
        let isbn = Self.isbns[0]
        func book(_ provider: Provider, _ cover: String, _ match: Candidate.Match) -> KnownBook {
            KnownBook(
                provider, "\(provider)", match: match,
                [(.title, "Book 0"), (.isbn13, isbn), (.editionCover, cover)])
        }
        store.known[isbn] = [book(.googleBooks, first, .isbn), book(.isbndb, second, match)]
        let row = SmallLibrary.row("0", "Book 0", "Author 0", isbn: isbn)
        try await store.importing([SmallLibrary.header + "\n" + row + "\n"], as: ["first.csv"], job: "first")
    }

    @Test(arguments: [
        ("https://i.example/a", "https://j.example/b"), ("https://j.example/b", "https://i.example/a"),
    ])
    func `the largest image of all services is taken, whichever the store has chosen`(
        first: String, second: String
    ) async throws {
        try await importing(first, second, by: .isbn)
        let (small, large) = (ImageFixture.png(200, 300), ImageFixture.png(400, 600))
        _ = try await download(Self.images(["https://i.example/a": small, "https://j.example/b": large]))
        #expect(try bytes("9780441013593.png") == large)
        #expect(
            try list()["9780441013593"]?[5...] == [
                "400", "600", String(large.count), "saved", "edition", "https://j.example/b",
            ])
    }

    @Test func `a larger cover of what may be another edition is not taken`() async throws {
        try await importing("https://i.example/a", "https://j.example/b", by: .titleAuthor)
        let (small, large) = (ImageFixture.png(200, 300), ImageFixture.png(400, 600))
        let transport = Self.images(["https://i.example/a": small, "https://j.example/b": large])
        _ = try await download(transport)
        #expect(try bytes("9780441013593.png") == small)
        #expect(transport.requests.map(\.url) == ["https://i.example/a"])
    }

    @Test func `a second run asks nothing, and changes nothing`() async throws {
        try await importing([("https://i.example/a", nil), ("https://i.example/gone", nil)])
        let first = try await download(Self.images(["https://i.example/a": ImageFixture.jpeg()]))
        let list = try bytes("covers.csv")
        let silent = StubTransport { _, _ in .failure(.timedOut) }
        #expect(try await download(silent) == first && silent.requests.isEmpty)
        #expect(try bytes("covers.csv") == list)
    }

    @Test func `an image that three works share is a placeholder, and the next address is asked`()
        async throws
    {
        try await importing([
            ("https://i.example/1", "https://i.example/work"), ("https://i.example/2", nil),
            ("https://i.example/3", nil), ("https://i.example/4", nil),
        ])
        let none = ImageFixture.png(120, 180)
        let (work, own) = (ImageFixture.jpeg(filling: 2), ImageFixture.jpeg(filling: 3))
        let summary = try await download(
            Self.images([
                "https://i.example/1": none, "https://i.example/2": none, "https://i.example/3": none,
                "https://i.example/4": own, "https://i.example/work": work,
            ]))
        #expect(summary.saved == 2 && summary.placeholders == 2)
        #expect(try bytes("9780441013593.jpg") == work && bytes("9780345391803.jpg") == own)
        #expect(try list()["9780441172719"]?[8] == "placeholder")
    }

    @Test func `what turns out to be a placeholder is removed from the folder`() async throws {
        let none = ImageFixture.png(120, 180)
        let transport = StubTransport { _, _ in .success(HTTPResponse(status: 200, body: none)) }
        try await importing([("https://i.example/1", nil), ("https://i.example/2", nil)])
        #expect(try await download(transport).saved == 2)
        try await importing(
            [("https://i.example/1", nil), ("https://i.example/2", nil), ("https://i.example/3", nil)],
            job: "second")
        #expect(try await download(transport).placeholders == 3)
        #expect(try visibleFiles == ["covers.csv"])
    }

    @Test
    func `the work's cover is asked if the edition's is not answered, and the edition's again next time`()
        async throws
    {
        try await importing([("https://gone.example/1", "https://i.example/work")])
        let first = StubTransport { request, _ in
            request.url.hasPrefix("https://i.example")
                ? .success(HTTPResponse(status: 200, body: ImageFixture.jpeg(filling: 2)))
                : .failure(.insecure("expired"))
        }
        let summary = try await download(first)
        #expect(summary.saved == 1 && summary.provisional == 1 && summary.unanswered == 0)
        #expect(try list()[Self.isbns[0]]?[8] == "provisional: insecure")
        let own = ImageFixture.jpeg(filling: 5)
        let again = try await download(Self.images(["https://gone.example/1": own]))
        #expect(again.saved == 1 && again.provisional == 0)
        #expect(try bytes("9780441013593.jpg") == own)
        #expect(try list()[Self.isbns[0]]?[8] == "saved")
    }

    @Test func `a host that forbids one image is asked for the others`() async throws {
        try await importing([("https://i.example/1", nil), ("https://i.example/2", nil)])
        let transport = StubTransport { request, _ in
            .success(
                request.url.hasSuffix("1")
                    ? HTTPResponse(status: 403) : HTTPResponse(status: 200, body: ImageFixture.jpeg()))
        }
        let summary = try await download(transport)
        #expect(summary.saved == 1 && summary.withoutImage == 1 && summary.unanswered == 0)
    }

    @Test func `two editions with the same image share it on disk`() async throws {
        try await importing([("https://i.example/1", nil), ("https://i.example/2", nil)])
        let image = ImageFixture.jpeg()
        let summary = try await download(
            Self.images(["https://i.example/1": image, "https://i.example/2": image]))
        #expect(summary.saved == 2 && summary.images == 1 && summary.bytes == image.count)
        let numbers = try Self.isbns.prefix(2).map {
            try FileManager.default.attributesOfItem(atPath: "\(folder)/\($0).jpg")[.systemFileNumber] as? Int
        }
        #expect(numbers[0] != nil && numbers[0] == numbers[1])
    }

    @Test func `what was not answered is asked again, and nothing else`() async throws {
        try await importing([("https://i.example/1", nil), ("https://other.example/2", nil)])
        let first = StubTransport { request, _ in
            request.url.hasPrefix("https://i.example")
                ? .success(HTTPResponse(status: 200, body: ImageFixture.jpeg()))
                : .failure(.insecure("expired"))
        }
        let summary = try await download(first)
        #expect(summary.saved == 1 && summary.unanswered == 1)
        #expect(try list()[Self.isbns[1]]?[8] == "not answered: insecure")
        let second = Self.images(["https://other.example/2": ImageFixture.jpeg(filling: 9)])
        #expect(try await download(second).saved == 2)
        #expect(second.requests.map(\.url) == ["https://other.example/2"])
    }

    @Test func `a stopped run writes the images that it has, and says what was not asked`() async throws {
        try await importing([
            ("https://i.example/1", nil), ("https://i.example/gone", "https://i.example/2"),
            (nil, "https://i.example/3"),
        ])
        let images = [1, 2, 3].reduce(into: [:]) {
            $0["https://i.example/\($1)"] = ImageFixture.jpeg(filling: UInt8($1))
        }
        #expect(try await download(Self.images(images)).saved == 3)
        for name in try visibleFiles { try FileManager.default.removeItem(atPath: "\(folder)/\(name)") }
        // Each edition was asked for one address, then the run was stopped.
        let targets = try CoverTargets(StoreFile.openForReading(store.path))
        var search = CoverSearch(try targets.ids(of: nil), sharedBy: 3)
        for number in 0..<search.count {
            let offers = try #require(try targets.target(search[number].edition)).offers
            let next = search.offer(of: number, among: offers)
            let offer = try #require(next)
            search.note(
                images[offer.address].flatMap { CoverImage($0) }, of: number, isOfWork: offer.isOfWork)
        }
        let summary = try CoverCollection(path: folder).write(search, targets)
        #expect(summary.saved == 2 && summary.provisional == 0 && summary.unanswered == 1)
        #expect(try visibleFiles == ["9780441013593.jpg", "9780553283686.jpg", "covers.csv"])
        #expect(try list()[Self.isbns[1]]?[8] == "not answered: stopped")
    }

    @Test func `a stopped run keeps what it has, and goes on`() async throws {
        try await importing([
            (nil, "https://i.example/1"), ("https://i.example/gone", "https://i.example/2"),
        ])
        let stop = StopSignal()
        let first = StubTransport { request, number in
            if number == 2 { stop.raise() }
            return request.url.hasSuffix("gone")
                ? .success(HTTPResponse(status: 404))
                : .success(HTTPResponse(status: 200, body: ImageFixture.jpeg()))
        }
        let summary = try await download(first, stop: stop)
        #expect(summary.editions == 2 && summary.unanswered >= 1)
        let second = Self.images(["https://i.example/2": ImageFixture.jpeg(filling: 9)])
        #expect(try await download(second).saved == 2)
        #expect(!second.requests.map(\.url).contains("https://i.example/1"))
    }

    @Test func `a newer cover replaces the file, in whatever format`() async throws {
        try await importing([("https://i.example/1", nil)])
        _ = try await download(Self.images(["https://i.example/1": ImageFixture.jpeg()]))
        try await importing([("https://i.example/2", nil)], job: "second")
        let newer = ImageFixture.gif(90, 120)
        _ = try await download(Self.images(["https://i.example/2": newer]))
        #expect(try visibleFiles == ["9780441013593.gif", "covers.csv"])
        #expect(try bytes("9780441013593.gif") == newer)
    }

    @Test func `a folder with other files is refused, and nothing is asked`() async throws {
        try await importing([("https://i.example/1", nil)])
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        _ = try store.folder.write("mine", to: "covers/9780441013593.jpg")
        let transport = Self.images([:])
        let failure = await #expect(throws: ETLError.self) { try await download(transport) }
        #expect(failure?.kind == .usage && transport.requests.isEmpty)
        #expect(try bytes("9780441013593.jpg") == Array("mine".utf8))
    }

    @Test func `one run at a time writes a folder, and removes what a killed one has left`() async throws {
        try await importing([("https://i.example/1", nil)])
        let transport = Self.images(["https://i.example/1": ImageFixture.jpeg()])
        _ = try await download(transport)
        let left = [
            "covers/.images/0a.\(UUID().uuidString).part", "covers/covers.csv.\(UUID().uuidString).part",
        ]
        for name in left { _ = try store.folder.write("half of an image", to: name) }
        let other = try CoverCollection(path: folder)
        #expect(!left.contains { FileManager.default.fileExists(atPath: store.folder.file($0)) })
        let failure = await #expect(throws: ETLError.self) { try await download(transport) }
        #expect(failure?.kind == .temporary && failure?.message.contains(folder) == true)
        withExtendedLifetime(other) {}
    }

    @Test func `a store without books has an empty list`() async throws {
        try await store.importing([SmallLibrary.header + "\n"], job: "first")
        #expect(try await download(Self.images([:])) == CoverCounts())
        #expect(try visibleFiles == ["covers.csv"])
    }
}
