import Foundation
import System
import TestSupport
import Testing

@testable import Syntax

/// Workbooks that are written are read back by our own reader.
@Suite struct WorkbookWriterTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// Writes a workbook of one column of text, and another one.
    @discardableResult
    private func write(
        _ name: String = "book.xlsx", columns: [String] = ["a", "b"],
        _ rows: (inout WorkbookWriter) throws -> Void
    ) throws -> String {
        let path = folder.file(name)
        var book = try WorkbookWriter(path, sheet: "books", columns: columns.map { .init($0, width: 12) })
        try rows(&book)
        try book.close()
        return path
    }

    private func records(_ path: String) throws -> [[String]] {
        let book = try #require(try Workbook(ZipArchive(path)))
        #expect(book.sheets.map(\.name) == ["books"])
        var source = try book.bytes(of: book.sheets[0])
        var bytes: [UInt8] = []
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 16, alignment: 1)
        defer { buffer.deallocate() }
        while case let count = try source.read(into: buffer), count > 0 { bytes += buffer[..<count] }
        return ReferenceCSVParser.parse(bytes).map { $0.cells.map { String(decoding: $0, as: UTF8.self) } }
    }

    /// The cells of the second column after one row of text.
    private func text(_ text: String) throws -> String {
        let path = try write { book in
            book.text("x")
            book.text(text)
            try book.endRow()
        }
        return try #require(try records(path).last?.last)
    }

    @Test(arguments: [
        "Dune", "=1+1", "+49 30 1234", "-5", "@home", "=HYPERLINK(\"http://x\",\"y\")", "0441172717",
        "9780441172719",
        "007", "1e5", "TRUE", "2026-04-02", " both ends ", "a\nb", "a\r\nb", "tab\there", "\"quoted\", comma",
        "<b>&amp;</b>", "_x0041_", "_x005F_x0041_", "_x", "bell\u{7}", "ö漢字👩‍👩‍👧", "שלום",
        "https://example.org/?a=b&c",
        "{=SUM(A1)}",
    ])
    func `a text is read back as it was, whatever a spreadsheet could take it for`(written: String) throws {
        #expect(try text(written) == written)
    }

    @Test func `cells have types, and dates are dates`() throws {
        let path = try write(columns: ["number", "flag", "date", "text", "empty"]) { book in
            for number in [0, 4.25, -3, 123_456_789_012] {
                book.number(number)
                book.flag(number == 0)
                let isDate = book.date(year: 2026, month: 2, day: 28)
                #expect(isDate)
                book.text("9780441172719")
                book.text("")
                try book.endRow()
            }
        }
        let found = try records(path)
        #expect(found[0] == ["number", "flag", "date", "text", "empty"])
        #expect(found[1] == ["0", "true", "2026-02-28", "9780441172719", ""])
        #expect(found[2][0] == "4.25" && found[3][0] == "-3" && found[4][0] == "123456789012")
        let sheet = try part("xl/worksheets/sheet1.xml", of: path)
        #expect(sheet.contains(#"<c r="A2"><v>0</v></c><c r="B2" t="b"><v>1</v></c>"#))
        #expect(sheet.contains(#"t="inlineStr"><is><t>9780441172719</t></is></c>"#))
        #expect(!sheet.contains("<f>") && !sheet.contains("hyperlink"))
    }

    @Test(arguments: [
        (1900, 3, 1), (1900, 12, 31), (1970, 1, 1), (2000, 2, 29), (2024, 2, 29), (2026, 12, 31),
        (9999, 12, 31),
    ])
    func `a day is read back`(year: Int, month: Int, day: Int) throws {
        let serial = try #require(SheetValue.serial(year: year, month: month, day: day))
        let read = SheetValue.date("\(serial)", startsIn1904: false).map {
            String(decoding: $0, as: UTF8.self)
        }
        let padded = [String(year), month < 10 ? "0\(month)" : "\(month)", day < 10 ? "0\(day)" : "\(day)"]
        #expect(read == padded.joined(separator: "-"))
    }

    @Test(arguments: [(1900, 2, 28), (1813, 1, 28), (1, 1, 1)])
    func `a day before March 1900 is not written as a date`(year: Int, month: Int, day: Int) throws {
        try write { book in
            let isDate = book.date(year: year, month: month, day: day)
            #expect(!isDate)
            book.text("instead")
            try book.endRow()
        }
        #expect(try records(folder.file("book.xlsx"))[1] == ["instead", ""])
    }

    @Test func `the header is bold, stays in sight and filters`() throws {
        let path = try write { book in
            book.text("x")
            try book.endRow()
        }
        let sheet = try part("xl/worksheets/sheet1.xml", of: path)
        #expect(
            sheet.contains(#"<pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/>"#))
        #expect(sheet.contains(#"<autoFilter ref="A1:B2"/>"#))
        #expect(sheet.contains(#"<c r="A1" s="1" t="inlineStr"><is><t>a</t></is></c>"#))
        #expect(try part("xl/styles.xml", of: path).contains("<b/>"))
    }

    @Test func `a workbook without rows has its header`() throws {
        let path = try write { _ in }
        #expect(try records(path) == [["a", "b"]])
    }

    @Test func `the same cells give the same bytes`() throws {
        let books = try ["one.xlsx", "two.xlsx"].map { name in
            try Data(
                contentsOf: URL(
                    fileURLWithPath: write(name) { book in
                        book.text("x")
                        _ = book.date(year: 2026, month: 4, day: 2)
                        try book.endRow()
                    }))
        }
        #expect(books[0] == books[1])
        #expect(try part("docProps/core.xml", of: folder.file("one.xlsx")).contains("1980-01-01T00:00:00Z"))
    }

    @Test func `a text that is too long is cut between letters, and counted`() throws {
        let letters = String(repeating: "👩‍👩‍👧", count: 5_000)
        let path = try write { book in
            book.text(letters)
            book.text(String(repeating: "b", count: WorkbookWriter.longestText))
            try book.endRow()
            let shortened = book.shortened
            #expect(shortened == 1)
        }
        let row = try records(path)[1]
        #expect(letters.hasPrefix(row[0]) && row[0].count == WorkbookWriter.longestText / 8)
        #expect(row[1].count == WorkbookWriter.longestText)
    }

    @Test func `bytes that are no text do not damage the workbook`() throws {
        let path = try write { book in
            [UInt8]([0x4B, 0xF6, 0x6E]).withUnsafeBytes { book.text($0) }
            book.text("a\0b")
            try book.endRow()
        }
        #expect(try records(path)[1] == ["K\u{FFFD}n", "a\u{FFFD}b"])
    }

    @Test func `a file that cannot be written is a failure, and an unfinished workbook leaves none`() throws {
        let failure = #expect(throws: ETLError.self) { try write("missing/book.xlsx") { _ in } }
        #expect(failure?.kind == .cannotCreate)
        _ = try WorkbookWriter(folder.file("unfinished.xlsx"), sheet: "s", columns: [.init("a", width: 9)])
        #expect(folder.names.isEmpty)
    }

    private func part(_ name: String, of path: String) throws -> String {
        let archive = try ZipArchive(path)
        let source = try archive.bytes(of: try #require(archive.entry(named: name)))
        var bytes: [UInt8] = []
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 16, alignment: 1)
        defer { buffer.deallocate() }
        while case let count = try source.read(into: buffer), count > 0 { bytes += buffer[..<count] }
        return String(decoding: bytes, as: UTF8.self)
    }
}
