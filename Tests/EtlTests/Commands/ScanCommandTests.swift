import FakeServices
import Foundation
import TestSupport
import Testing

/// `etl scan` as users run it, with a fake model.
@Suite(
    .enabled(if: FileManager.default.isExecutableFile(atPath: ProjectFiles.tool), "needs the built tool"))
struct ScanCommandTests {
    private let tool: ToolWithServices
    private var folder: TemporaryFolder { tool.folder }
    private var store: String { folder.file("library.sqlite") }

    init() throws {
        let services = FakeServices()
        tool = try ToolWithServices(
            rate: 1_000, services: [],
            variables: ["ETL_GEMINI_KEY": ToolWithServices.canary, "ETL_GEMINI_RATE": "1000"]
        ) { services.answer($0) }
    }

    private func run(_ words: String..., model: Bool = true) throws -> BuiltTool.Ending {
        try tool.ending(
            words, adding: model ? ["ETL_GEMINI_URL": "\(tool.server.url)/vision"] : ["ETL_GEMINI_KEY": ""])
    }

    private func photo(_ json: String, named name: String = "shelf.png") throws -> String {
        let path = folder.file(name)
        try Data(FakePhoto.png(json)).write(to: URL(filePath: path))
        return path
    }

    private static let two =
        #"[{"title":"Emma","author":"Jane Austen","confidence":0.9,"box":[0,0,900,50]},"#
        + #"{"title":"Persuasion","author":null,"confidence":0.5},{"title":"","confidence":0.1}]"#

    @Test func `the books of a photo are imported, listed and taken back`() throws {
        let photo = try photo(Self.two)
        let dry = try run("scan", "--db", store, "--dry-run", photo)
        #expect(dry.status == 0 && dry.output.contains("Emma (Jane Austen)"), "\(dry.errors)")
        #expect(!FileManager.default.fileExists(atPath: store))
        let scanned = try run("scan", "--db", store, "--json", photo)
        #expect(scanned.status == 0, "\(scanned.errors)")
        #expect(scanned.output.contains(#""totalDetected":2,"approved":0,"needsReview":2"#))
        #expect(tool.server.requests.count == 1, "the dry run has asked already")
        let again = try run("scan", "--db", store, photo)
        #expect(again.output.contains("already there") && again.errors.contains("1 spine could not be read."))
        #expect(try run("list", "--db", store).output.contains("Persuasion"))
        #expect(try run("undo", "--db", store, "--last").status == 0)
        let all = [dry, scanned, again].map { $0.output + $0.errors }.joined()
        #expect(!all.contains(ToolWithServices.canary))
    }

    @Test func `a photo that fails is told, and the others are imported`() throws {
        let good = try photo(Self.two)
        let refused = try photo(#"{"fault":"safety","books":[]}"#, named: "b.png")
        let document = try folder.write("%PDF-1.7 and so on", to: "c.jpg")
        let ending = try run("scan", "--db", store, good, refused, document)
        #expect(ending.status == 0 && ending.output.contains("Emma"))
        #expect(ending.errors.contains("b.png: The model refused the photo (SAFETY)."))
        #expect(ending.errors.contains("c.jpg: The file is a PDF, not a photo."))
        #expect(try run("scan", "--db", store, "--strict", good, refused).status == 3)
        let none = try run("scan", "--db", store, refused, document)
        #expect(none.status == 65 && none.errors.contains("None of the photos was read."))
    }

    @Test func `nothing is sent without a model, without the network, or if a file is missing`() throws {
        let photo = try photo(Self.two)
        let unset = try run("scan", "--db", store, photo, model: false)
        #expect(unset.status == 78 && unset.errors.contains("ETL_GEMINI_KEY"))
        #expect(try run("scan", "--db", store, photo, folder.file("absent.jpg")).status == 66)
        let offline = try run("scan", "--db", store, "--offline", photo)
        #expect(offline.status == 65 && offline.errors.contains("was not read before"))
        let six = try run("scan", photo, photo, photo, photo, photo, photo)
        #expect(six.status == 64 && six.errors.contains("at most 5 photos"))
        #expect(try run("scan").status == 64)
        #expect(tool.server.requests.isEmpty)
        #expect(try run("scan", "--db", store, photo).status == 0)
        #expect(try run("scan", "--db", store, "--offline", photo).status == 0)
        #expect(tool.server.requests.count == 1)
    }

    @Test func `a scan killed at random moments and started again sends no photo twice that was answered`()
        throws
    {
        var words = ["scan", "--json", "--db", store]
        for number in 1...5 {
            words.append(
                try photo(
                    #"[{"title":"Book \#(number)","author":"Ana Lee","confidence":0.9}]"#,
                    named: "photo \(number).png"))
        }
        let environment = ["ETL_GEMINI_URL": "\(tool.server.url)/vision"]
        var kills = 0
        for _ in 0..<20 {
            let moment = Int.random(in: 0...400)
            guard try tool.killed(words, afterMilliseconds: moment, adding: environment) else { break }
            kills += 1
        }
        let last = try tool.ending(words, adding: environment)
        #expect(last.status == 0 && last.output.contains(#""totalDetected":5"#), "\(last.errors)")
        #expect(
            try tool.ending(["list", "--db", store, "--to", "ids"]).output.split(separator: "\n").count == 5)
        // A kill can come while an answer is under way.
        #expect(tool.server.requests.count <= 5 + kills)
        let before = tool.server.requests.count
        #expect(try tool.ending(words, adding: environment).status == 0)
        #expect(tool.server.requests.count == before)
    }

    @Test func `a plan says what a scan would send, and sends nothing`() throws {
        let good = try photo(Self.two)
        let document = try folder.write("Title\nEmma\n", to: "a.csv")
        let unset = try run("plan", good, model: false)
        #expect(unset.status == 78 && unset.errors.contains("ETL_GEMINI_KEY"))
        let before = try run("plan", "--db", store, good, good)
        #expect(before.status == 0, "\(before.errors)")
        #expect(before.output.contains(#/to send +1 /#) && before.output.contains("127.0.0.1"))
        #expect(before.output.contains("etl scan"))
        #expect(!FileManager.default.fileExists(atPath: store + ".photos") && tool.server.requests.isEmpty)
        #expect(try run("scan", "--db", store, good).status == 0)
        let after = try run("plan", "--json", "--db", store, good)
        let service = #""questions":1,"kept":1,"callsAtLeast":0,"callsAtMost":0"#
        #expect(after.output.contains(#""photos":1"#) && after.output.contains(service), "\(after.output)")
        #expect(tool.server.requests.count == 1)
        #expect(try run("plan", good, document).status == 64)
        #expect(try run("plan", good, good, good, good, good, good).status == 64)
        let image = try run("import", "--db", store, good, model: false)
        #expect(image.status == 65 && image.errors.contains("etl scan"), "\(image.errors)")
    }
}
