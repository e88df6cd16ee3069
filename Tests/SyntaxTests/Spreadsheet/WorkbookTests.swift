import Syntax
import System
import TestSupport
import Testing

@Suite struct WorkbookTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// The sheets of a document as text, by name.
    private func texts(_ bytes: [UInt8]) throws -> [String: String] {
        let path = try folder.write(bytes, to: "book")
        let workbook = try #require(try Workbook(ZipArchive(path)))
        var texts: [String: String] = [:]
        for sheet in workbook.sheets {
            texts[sheet.name] = String(decoding: try all(workbook.bytes(of: sheet)), as: UTF8.self)
        }
        return texts
    }

    private func all(_ source: any ByteSource, piece: Int = 64) throws -> [UInt8] {
        var source = source
        var all: [UInt8] = []
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: piece, alignment: 1)
        defer { buffer.deallocate() }
        while true {
            let count = try source.read(into: buffer)
            if count == 0 { return all }
            all += buffer[..<count]
        }
    }

    private func excel(_ rows: String, strings: String = "", formats: [String] = [], from1904: Bool = false)
        throws -> String
    {
        let bytes = SheetDocument.excel(
            [("S", rows)], strings: strings, formats: formats, startsIn1904: from1904)
        return try #require(try texts(bytes)["S"])
    }

    private func open(_ rows: String) throws -> String {
        try #require(try texts(SheetDocument.open([("S", rows)]))["S"])
    }

    @Test(arguments: [
        ("9780439023481", "9780439023481"), ("9.780439023481E+12", "9780439023481"),
        ("9.780439023481e12", "9780439023481"),
        ("439023483", "439023483"), ("4.17", "4.17"), ("4", "4"), ("-850", "-850"), ("0.1", "0.1"),
        ("1.0", "1"),
        ("12345678901234567890", "12345678901234567890"), ("abc", "abc"), ("1e999", "1e999"),
    ])
    func `a number keeps all its digits`(_ written: String, _ expected: String) throws {
        #expect(try excel("<row><c><v>\(written)</v></c></row>") == "\(expected)\n")
    }

    @Test func `zeros that the number format shows are kept`() throws {
        let rows = "<row><c s=\"1\"><v>439023483</v></c><c s=\"2\"><v>7</v></c></row>"
        #expect(try excel(rows, formats: ["0000000000", "#,##0"]) == "0439023483,7\n")
    }

    @Test(arguments: [
        ("1", "1900-01-01"), ("59", "1900-02-28"), ("61", "1900-03-01"), ("25569", "1970-01-01"),
        ("44930", "2023-01-04"),
        ("46114.770833333336", "2026-04-02 18:30:00"), ("0.5", "12:00:00"), ("46113.999999999", "2026-04-02"),
    ])
    func `a number whose style is a date is a date`(_ serial: String, _ date: String) throws {
        for format in ["yyyy-mm-dd", "[$-409]d/m/yy;@", "dd\\.mm\\.yyyy"] {
            #expect(try excel("<row><c s=\"1\"><v>\(serial)</v></c></row>", formats: [format]) == "\(date)\n")
        }
    }

    @Test func `formats with such letters in quotes or colors are no dates`() throws {
        for format in ["0 &quot;days&quot;", "[Red]0", "0\\d", "General"] {
            #expect(try excel("<row><c s=\"1\"><v>44930</v></c></row>", formats: [format]) == "44930\n")
        }
    }

    @Test func `a workbook may count days from 1904`() throws {
        let rows = "<row><c s=\"1\"><v>43468</v></c></row>"
        #expect(try excel(rows, formats: ["d/m/y"], from1904: true) == "2023-01-04\n")
    }

    @Test func `texts are shared, in pieces, escaped, and without readings`() throws {
        let strings = """
            <si><t>A, "b"</t></si><si><r><t>Rich </t></r><r><t>text</t></r></si>\
            <si><t>漢</t><rPh sb="0" eb="1"><t>かん</t></rPh></si><si><t>a_x000A_b</t></si><si/>
            """
        let rows =
            "<row>" + (0..<6).map { "<c t=\"s\"><v>\($0)</v></c>" }.joined() + "<c t=\"b\"><v>1</v></c></row>"
        #expect(try excel(rows, strings: strings) == "\"A, \"\"b\"\"\",Rich text,漢,\"a\nb\",,,true\n")
    }

    @Test func `cells and rows that are left out are empty`() throws {
        let rows = """
            <row r="2"><c r="B2"><v>1</v></c><c r="D2"><v>2</v></c></row><row r="5"><c r="A5" t="str"><f>x</f><v>y</v></c></row>
            """
        #expect(try excel(rows) == "\n,1,,2\n\n\ny,,,\n")
    }

    @Test func `rows are as long as the header, which may follow a title`() throws {
        func row(_ number: Int, _ cells: Int) -> String {
            "<row r=\"\(number)\">\((0..<cells).map { "<c><v>\($0)</v></c>" }.joined())</row>"
        }
        #expect(try excel(row(1, 3) + row(2, 2) + row(3, 3) + row(4, 1)) == "0,1,2\n0,1,\n0,1,2\n0,,\n")
        #expect(try excel(row(1, 1) + row(2, 3) + row(3, 2)) == "0\n0,1,2\n0,1,\n")
        // A row with too many cells is reported as such.
        #expect(try excel(row(1, 2) + row(2, 2) + row(3, 3) + row(4, 1)) == "0,1\n0,1\n0,1,2\n0,\n")
    }

    @Test func `rows out of order and rows that are too many lose nothing`() throws {
        let rows =
            "<row r=\"9\"><c><v>1</v></c></row><row r=\"3\"><c><v>2</v></c></row><row r=\"99999999\"><c><v>3</v></c></row>"
        let lines = try excel(rows).split(separator: "\n")
        #expect(lines == ["1", "2", "3"])
    }

    @Test func `an OpenDocument sheet is read by its cells' types`() throws {
        let rows = """
            <table:table-row><table:table-cell office:value-type="string"><text:p>A</text:p><text:p>b<text:s text:c="2"/>c</text:p>\
            </table:table-cell><table:table-cell office:value-type="float" office:value="9.780439023481E+012"><text:p>9.78E+12</text:p>\
            </table:table-cell><table:table-cell office:value-type="date" office:date-value="2026-04-02"><text:p>02.04.26</text:p>\
            </table:table-cell><table:table-cell office:value-type="float" office:value="439023483"><text:p>0439023483</text:p>\
            </table:table-cell><table:table-cell/><table:table-cell office:value-type="string"><office:annotation><text:p>note</text:p>\
            </office:annotation><text:p>z</text:p></table:table-cell></table:table-row>
            """
        #expect(try open(rows) == "\"A\nb  c\",9780439023481,2026-04-02,0439023483,,z\n")
    }

    @Test func `repeated cells and rows are repeated, and a million empty ones are none`() throws {
        let rows = """
            <table:table-row table:number-rows-repeated="2"><table:table-cell office:value-type="string" \
            table:number-columns-repeated="2"><text:p>x</text:p></table:table-cell>\
            <table:table-cell table:number-columns-repeated="16382"/></table:table-row>\
            <table:table-row table:number-rows-repeated="2"><table:table-cell/></table:table-row>\
            <table:table-row><table:table-cell office:value-type="string"><text:p>y</text:p></table:table-cell></table:table-row>\
            <table:table-row table:number-rows-repeated="1048570"><table:table-cell/></table:table-row>
            """
        #expect(try open(rows) == "x,x\nx,x\n\n\ny,\n")
    }

    @Test func `every sheet is there, by name`() throws {
        let excel = SheetDocument.excel([
            ("One", SheetDocument.row(["a"])), ("Zwei", SheetDocument.row(["b"])),
        ])
        #expect(try texts(excel) == ["One": "a\n", "Zwei": "b\n"])
        let row =
            "<table:table-row><table:table-cell office:value-type=\"string\"><text:p>q</text:p></table:table-cell></table:table-row>"
        #expect(try texts(SheetDocument.open([("A", ""), ("B", row)])) == ["A": "", "B": "q\n"])
    }

    @Test func `shared texts beyond what fits into memory are still right`() throws {
        let long = String(repeating: "x", count: 4_000)
        let strings = (0..<6_000).map { "<si><t>\($0) \(long)</t></si>" }.joined()
        let rows = [0, 5_999, 3_000].map { "<row><c t=\"s\"><v>\($0)</v></c></row>" }.joined()
        let lines = try excel(rows, strings: strings).split(separator: "\n").map { $0.prefix(5) }
        #expect(lines == ["0 xxx", "5999 ", "3000 "])
    }

    @Test(arguments: [
        "<!DOCTYPE worksheet [<!ENTITY a \"b\">]><worksheet><sheetData><row><c><v>&a;</v></c></row></sheetData></worksheet>",
        "<!DOCTYPE worksheet SYSTEM \"x.dtd\"><worksheet><sheetData><row><c><v>1</v></c></row></sheetData></worksheet>",
        "<worksheet><sheetData><row><c><v>1</v></row></sheetData></worksheet>",
        "<worksheet><sheetData><row><c><v>1</v></c>",
    ])
    func `a document type and damage are refused`(_ sheet: String) throws {
        let bytes = SheetDocument.excel([("S", "")])
        var files = [
            (
                "xl/workbook.xml",
                "<workbook xmlns:r=\"r\"><sheets><sheet name=\"S\" r:id=\"a\"/></sheets></workbook>"
            ),
            ("xl/_rels/workbook.xml.rels", "<R><Relationship Id=\"a\" Target=\"s.xml\"/></R>"),
        ]
        files.append(("xl/s.xml", sheet))
        #expect(bytes.count > 0)
        let path = try folder.write(ZipBytes.archive(texts: files), to: "bad")
        let workbook = try #require(try Workbook(ZipArchive(path)))
        #expect(throws: ETLError.self) { _ = try all(workbook.bytes(of: workbook.sheets[0])) }
    }

    @Test func `any damage of a workbook is a failure or other text, and never a trap`() throws {
        let whole = SheetDocument.excel(
            [("S", SheetDocument.row(["a", "b"]))], strings: "<si><t>x</t></si>", formats: ["d"])
        var random = SeededGenerator(seed: 31)
        var failures = 0
        for _ in 0..<400 {
            var bytes = whole
            for _ in 0..<Int.random(in: 1...8, using: &random) {
                bytes[Int.random(in: bytes.indices, using: &random)] = UInt8.random(
                    in: 0...255, using: &random)
            }
            if Bool.random(using: &random) {
                bytes.removeLast(Int.random(in: 1..<bytes.count, using: &random))
            }
            let path = try folder.write(bytes, to: "damaged")
            do throws(ETLError) {
                guard let workbook = try Workbook(ZipArchive(path)) else { continue }
                for sheet in workbook.sheets {
                    var source = try workbook.bytes(of: sheet)
                    try withUnsafeTemporaryAllocation(byteCount: 64, alignment: 1) {
                        (buffer) throws(ETLError) in
                        while try source.read(into: buffer) > 0 {}
                    }
                }
            } catch {
                failures += 1
            }
        }
        #expect(failures > 100)
    }
}
