import Queries
import Syntax
import System
import TestSupport
import Testing

@testable import Books
@testable import Formats

@Suite
struct EncodingWarningsTests {
    let files: WrittenFiles

    init() throws { files = try WrittenFiles() }

    private func warnings(of path: String, _ text: TextOptions = TextOptions()) async throws -> [String] {
        let settings = ReadSettings(files: [path], text: text)
        let survey = try await ReadLibrary(settings).surveyLibrary()
        let warnings = survey.files[0].warnings.map(\.description)
        #expect(try Inspection(settings).warnings.map(\.description) == warnings, "inspect says the same")
        return warnings
    }

    @Test func `an encoding that is a guess is told first, with words in three encodings`() async throws {
        let path = try files.write(
            EncodedText.bytes("Title,Author\nZločin i kazna,Ana Lee\nDune,Bo Ek\n", in: "CP1250"))
        let warnings = try await warnings(of: path)
        let first = try #require(warnings.first)
        #expect(first.contains("is a guess") && first.contains("windows-1250 (`Zločin i kazna`)"))
        #expect(first.contains("encoding"))
        var text = TextOptions()
        let isKnown = text.take("encoding", "cp1250")
        #expect(isKnown)
        #expect(try await self.warnings(of: path, text).isEmpty)
        #expect(
            try await Reading.of(ReadSettings(files: [path], text: text)).titles == [
                "Zločin i kazna", "Dune",
            ])
    }

    @Test func `bytes that are lost are told before the import`() async throws {
        let path = try files.write(
            Array("Title,Author\nÉtude,Ana\nÎle,Bo\nNo".utf8) + [0xEB] + Array("l,Cy\n".utf8))
        let warnings = try await warnings(of: path)
        #expect(warnings.contains { $0.contains("1 of 3 records") && $0.contains("encoding") }, "\(warnings)")
    }

    @Test func `bytes far behind the beginning decide if those before are ASCII`() async throws {
        let rows = String(repeating: "Plain title,Ana Lee\n", count: 5_000)
        let path = try files.write(
            Array("Title,Author\n\(rows)".utf8)
                + EncodedText.bytes("Le Père Goriot,Honoré de Balzac\n", in: "CP1252"))
        let reading = try await Reading.of(ReadSettings(files: [path]))
        #expect(reading.titles.last == "Le Père Goriot")
        let warnings = reading.fact(5).filter { !$0.isEmpty }
        #expect(warnings.isEmpty)
    }

    @Test(arguments: ["CP1250", "CP932", "KOI8-R", "UTF-8"])
    func `reference managers write other encodings too`(_ name: String) async throws {
        let title =
            name == "CP932"
            ? "ノルウェイの森と海辺のカフカ" : name == "KOI8-R" ? "Мастер и Маргарита" : "Příliš žluťoučký kůň"
        let ris = try files.write(
            EncodedText.bytes("TY  - BOOK\nTI  - \(title)\nAU  - Lee, Ana\nER  - \n", in: name), as: "a.ris")
        let bibTeX = try files.write(
            EncodedText.bytes("@book{a, title={\(title)}, author={Lee, Ana}}\n", in: name), as: "a.bib")
        for path in [ris, bibTeX] {
            let reading = try await Reading.of(ReadSettings(files: [path]))
            #expect(reading.titles == [title])
        }
    }

    @Test(arguments: [
        ("UTF-8", "CP1252"), ("ISO-8859-1", "UTF-8"), ("windows-1251", "UTF-8"), ("UTF-8", "CP1251"),
    ])
    func `XML in another encoding than it declares is read right, with a warning`(
        _ declared: String, _ real: String
    ) async throws {
        let title = real == "CP1251" ? "Мастер и Маргарита" : "Le Père Goriot, été"
        let path = try files.write(
            EncodedText.bytes(
                """
                <?xml version="1.0" encoding="\(declared)"?><collection xmlns="http://www.loc.gov/MARC21/slim"><record>\
                <leader>00000nam a2200000 c 4500</leader><datafield tag="245" ind1="0" ind2="0"><subfield code="a">\
                \(title)</subfield></datafield></record></collection>
                """, in: real), as: "a.xml")
        let warnings = try await warnings(of: path)
        #expect(warnings.first?.contains("declares the encoding \(declared)") == true, "\(warnings)")
        let reading = try await Reading.of(ReadSettings(files: [path]))
        #expect(reading.titles == [title])
    }
}
