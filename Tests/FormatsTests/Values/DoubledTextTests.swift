import Books
import Formats
import System
import TestSupport
import Testing

/// Files whose text was encoded in UTF-8 twice.
@Suite struct DoubledTextTests {
    private let files: WrittenFiles

    init() throws { files = try WrittenFiles() }

    @Test func `a table that was encoded twice is decoded, with a warning for each record`() async throws {
        let text =
            "TÃ\u{AD}tulo,Autor\nFranÃ§ois le Bossu,Comtesse de SÃ©gur\nLÃ -bas,Joris Huysmans\nReef,Ana Lee\nZoÃ«,Bo Ek\n"
        let reading = try await Reading.of(ReadSettings(files: [try files.write(text)]))
        #expect(reading.titles == ["François le Bossu", "Là-bas", "Reef", "Zoë"])
        #expect(reading.fact(2).first == "Comtesse de Ségur as author")
        #expect(reading.columns?.names == ["Título", "Autor"])
        #expect(reading.fact(5).map { $0.contains("double_encoding") } == [true, true, false, true])
    }

    @Test func `one record is decoded, and one with other text is not`() async throws {
        let text = "Title,Author\nFranÃ§ois,SÃ©gur\nFranÃ§ois,Ségur\nFrançois,Ségur\nCAFÉ…,Ana Lee\n"
        let reading = try await Reading.of(ReadSettings(files: [try files.write(text)]))
        #expect(reading.titles == ["François", "FranÃ§ois", "François", "CAFÉ…"])
        #expect(reading.fact(5).map { $0.contains("double_encoding") } == [true, false, false, false])
    }

    @Test func `records of MARC and JSON are decoded too`() async throws {
        let json = try files.write(#"[{"title":"FranÃ§ois","author":"SÃ©gur"}]"#, as: "books.json")
        #expect(try await Reading.of(ReadSettings(files: [json])).titles == ["François"])
        let marc = try files.write(
            """
            <?xml version="1.0" encoding="UTF-8"?>
            <collection xmlns="http://www.loc.gov/MARC21/slim"><record><leader>00000nam a2200000 a 4500</leader>\
            <controlfield tag="001">1</controlfield><datafield tag="245" ind1="1" ind2="0">\
            <subfield code="a">FranÃ§ois le Bossu</subfield></datafield></record></collection>
            """, as: "books.xml")
        let reading = try await Reading.of(ReadSettings(files: [marc]))
        #expect(reading.titles == ["François le Bossu"])
        #expect(reading.fact(5).first?.contains("double_encoding") == true)
    }
}
