import Formats
import Syntax
import System
import TestSupport
import Testing

@Suite struct MARCXMLTests {
    private static let record = MARCFixture.xml(MARCFixture.hyperion)

    private static func collection(_ records: String, prolog: String = "<?xml version=\"1.0\"?>\n") -> String
    {
        "\(prolog)<collection xmlns=\"http://www.loc.gov/MARC21/slim\">\n\(records)\n</collection>\n"
    }

    private func records(_ text: String) throws -> [StreamedRecord] {
        let bytes = Array(text.utf8)
        let prolog = try #require(XMLProlog(head: bytes))
        return try StreamedRecord.all(
            of: MARCXMLStream(PiecedBytes(bytes), prolog: prolog, limits: .standard, from: .start)
        ).records
    }

    @Test func `it gives the same cells as ISO 2709`() throws {
        let bytes = MARCFixture.record(MARCFixture.hyperion)
        let binary = try StreamedRecord.all(
            of: MARCStream(PiecedBytes(bytes), limits: .standard, from: .start))
        let found = try records(Self.collection(Self.record + "\n" + Self.record))
        #expect(found.map(\.cells) == [binary.records[0].cells, binary.records[0].cells])
    }

    @Test func `prefixes, a single record and an OAI-PMH response are read alike`() throws {
        let cells = try records(Self.collection(Self.record))[0].cells
        let prefixed = MARCFixture.xml(MARCFixture.hyperion, prefix: "m:")
        let named = "<m:collection xmlns:m=\"http://www.loc.gov/MARC21/slim\">\(prefixed)</m:collection>"
        #expect(try records(named).map(\.cells) == [cells])
        let bare = Self.record.replacing(
            "<record>", with: "<record xmlns=\"http://www.loc.gov/MARC21/slim\">")
        #expect(try records(bare).map(\.cells) == [cells])
        let harvest = """
            <OAI-PMH><ListRecords><record><header><identifier>1</identifier></header><metadata>\(prefixed)</metadata>
            </record></ListRecords></OAI-PMH>
            """
        #expect(try records(harvest).map(\.cells) == [cells])
    }

    /// An SRU response: each record inside a record element of the protocol.
    private static func answer(_ records: [String], prefix: String = "") -> String {
        let name = { (name: String) in prefix + name }
        let items = records.map { record in
            """
            <\(name("record"))><\(name("recordPacking"))>xml</\(name("recordPacking"))><\(name("recordData"))>\(record)\
            </\(name("recordData"))><\(name("recordPosition"))>1</\(name("recordPosition"))></\(name("record"))>
            """
        }
        return """
            <?xml version="1.0"?><\(name("searchRetrieveResponse")) xmlns="http://www.loc.gov/zing/srw/" \
            xmlns:zs="http://www.loc.gov/zing/srw/"><\(name("numberOfRecords"))>3</\(name("numberOfRecords"))>\
            <\(name("records"))>\(items.joined(separator: "\n"))</\(name("records"))></\(name("searchRetrieveResponse"))>
            """
    }

    @Test(arguments: ["", "zs:"], ["", "marc:"])
    func `an SRU response has each of its records once`(prefix: String, inner: String) throws {
        let cells = try records(Self.collection(Self.record))[0].cells
        let record = MARCFixture.xml(MARCFixture.hyperion, prefix: inner)
        let text = Self.answer([record, record, record], prefix: prefix)
        let found = try records(text)
        #expect(found.map(\.flags) == [[], [], []])
        #expect(found.map(\.cells) == [cells, cells, cells])
        #expect(MARCXML().evidence(in: Array(text.utf8)) != nil)
        #expect(MARCXML().cells(ofRaw: found[1].raw)?.count == cells.count)
        let prolog = try #require(XMLProlog(head: Array(text.utf8)))
        let violations = try StreamContract.violations(Array(text.utf8)) {
            MARCXMLStream($0, prolog: prolog, limits: .standard, from: $1, blockBytes: $2)
        }
        #expect(violations == [])
    }

    @Test func `a damaged record of an SRU response costs no other`() throws {
        let open = Self.record.replacing("</record>", with: "")
        let found = try records(Self.answer([Self.record, open, Self.record]))
        #expect(found.map(\.flags) == [[], .unreadable, []])
    }

    @Test func `the encoding is the one in the prolog`() throws {
        let text = Self.collection(
            Self.record.replacing("Hyperion :", with: "Hyp\u{E9}rion :"),
            prolog: "<?xml version='1.0' encoding='ISO-8859-1'?>")
        let bytes = text.unicodeScalars.map { UInt8(truncatingIfNeeded: $0.value) }
        let prolog = try #require(XMLProlog(head: bytes))
        #expect(prolog.encoding == .windows1252)
        let found = try StreamedRecord.all(
            of: MARCXMLStream(PiecedBytes(bytes), prolog: prolog, limits: .standard, from: .start))
        #expect(found.records[0].cells.contains("Hypérion: a novel"))
    }

    @Test func `a damaged record costs no other`() throws {
        let open = Self.record.replacing("</record>", with: "")
        let crossed = Self.record.replacing("</subfield>", with: "")
        let found = try records(Self.collection([Self.record, open, crossed, Self.record].joined()))
        #expect(found.map(\.flags) == [[], .unreadable, .unreadable, []])
    }

    @Test func `comments, CDATA sections and attributes have no records`() throws {
        let text = """
            <!-- <record> --><collection a='record' xmlns="http://www.loc.gov/MARC21/slim"><![CDATA[<record>]]>
            <?x <record> ?>\(Self.record)</collection>
            """
        #expect(try records(text).count == 1)
    }

    @Test func `records are the same however the document is cut and wherever reading resumes`() throws {
        let bytes = Array(
            Self.collection([Self.record, "<record>", Self.record].joined(separator: "\n")).utf8)
        let prolog = try #require(XMLProlog(head: bytes))
        let violations = try StreamContract.violations(bytes) {
            MARCXMLStream($0, prolog: prolog, limits: .standard, from: $1, blockBytes: $2)
        }
        #expect(violations == [])
    }

    @Test func `every cut of a document is handled`() throws {
        let bytes = Array(Self.collection(MARCFixture.xml([("245", "10$aX")])).utf8)
        let prolog = try #require(XMLProlog(head: bytes))
        for length in bytes.indices {
            let found = try StreamedRecord.all(
                of: MARCXMLStream(
                    PiecedBytes(bytes[..<length]), prolog: prolog, limits: .standard, from: .start))
            #expect(found.records.count <= 1)
        }
    }

    @Test func `memory does not grow with the document`() throws {
        let prolog = try #require(XMLProlog(head: Array(Self.collection("").utf8)))
        var stream = MARCXMLStream(
            RepeatedBytes(Array(MARCFixture.xml([("245", "10$aX")]).utf8), times: 2_000), prolog: prolog,
            limits: .standard, from: .start)
        #expect(try StreamedRecord.count(in: &stream) == 2_000)
        #expect(stream.heldBytes <= 256 * 1024)
    }

    @Test(arguments: [
        "<!DOCTYPE collection [<!ENTITY a \"b\"><!ENTITY c \"&a;&a;\">]>",
        "<!DOCTYPE collection [<!ENTITY secret SYSTEM \"file:///etc/passwd\">]>",
    ])
    func `a document with its own entities is rejected with a message`(type: String) async throws {
        let files = try WrittenFiles()
        let text = type + Self.collection(Self.record, prolog: "")
        let failure = await failure(of: ReadSettings(files: [try files.write(text, as: "x.xml")]))
        #expect(failure?.kind == .unusableInput)
        #expect(failure?.message.contains("declarations in square brackets") == true)
    }

    @Test func `a document in an unknown encoding is rejected with a message`() async throws {
        let files = try WrittenFiles()
        let text = Self.collection(Self.record, prolog: "<?xml version='1.0' encoding='EBCDIC-XML-US'?>")
        let failure = await failure(of: ReadSettings(files: [try files.write(text, as: "x.xml")]))
        #expect(failure?.kind == .unusableInput)
        #expect(failure?.message.contains("EBCDIC-XML-US") == true)
    }
}
