/// Handmade ZIP archives (APPNOTE.TXT) with stored files, valid or deliberately damaged.
package enum ZipBytes {
    /// An archive of files.
    package static func archive(_ files: [(name: String, bytes: [UInt8])]) -> [UInt8] {
        var archive: [UInt8] = []
        var directory: [UInt8] = []
        for (name, bytes) in files {
            let offset = archive.count
            let common = header(of: name, bytes)
            archive += number(0x0403_4B50, 4) + common + Array(name.utf8) + bytes
            directory += number(0x0201_4B50, 4) + number(20, 2) + common + number(0, 2) + number(0, 2)
            directory += number(0, 2) + number(0, 4) + number(offset, 4) + Array(name.utf8)
        }
        let end =
            number(0x0605_4B50, 4) + number(0, 4) + number(files.count, 2) + number(files.count, 2)
            + number(directory.count, 4) + number(archive.count, 4) + number(0, 2)
        return archive + directory + end
    }

    /// An archive of texts.
    package static func archive(texts: [(name: String, text: String)]) -> [UInt8] {
        archive(texts.map { ($0.name, Array($0.text.utf8)) })
    }

    /// Common fields of local headers and the directory, from the version on; names in UTF-8.
    private static func header(of name: String, _ bytes: [UInt8]) -> [UInt8] {
        let versions = number(20, 2) + number(0x800, 2) + number(0, 2) + number(0, 2) + number(0x21, 2)
        let sizes = number(Int(GzipBytes.crc32(bytes)), 4) + number(bytes.count, 4) + number(bytes.count, 4)
        return versions + sizes + number(name.utf8.count, 2) + number(0, 2)
    }

    private static func number(_ value: Int, _ bytes: Int) -> [UInt8] {
        (0..<bytes).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    }
}

/// Handmade spreadsheet documents.
package enum SheetDocument {
    /// An Excel workbook.
    ///
    /// - Parameters:
    ///   - sheets: The `<row>` elements of each sheet, by the sheet's name.
    ///   - strings: The `<si>` elements that the sheets share.
    ///   - formats: Codes of number formats; style 1 is the first of them, style 2 the second.
    package static func excel(
        _ sheets: [(name: String, rows: String)], strings: String = "", formats: [String] = [],
        startsIn1904: Bool = false
    ) -> [UInt8] {
        let main = "xmlns=\"http://schemas.openxmlformats.org/spreadsheetml/2006/main\""
        let relations = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
        let list = sheets.enumerated().map {
            "<sheet name=\"\($1.name)\" sheetId=\"\($0 + 1)\" r:id=\"rId\($0 + 1)\"/>"
        }.joined()
        let targets = sheets.indices.map {
            "<Relationship Id=\"rId\($0 + 1)\" Type=\"\(relations)/worksheet\" Target=\"worksheets/sheet\($0 + 1).xml\"/>"
        }.joined()
        let codes = formats.enumerated().map { "<numFmt numFmtId=\"\(164 + $0)\" formatCode=\"\($1)\"/>" }
            .joined()
        let styles = ([0] + formats.indices.map { 164 + $0 }).map { "<xf numFmtId=\"\($0)\"/>" }.joined()
        var files = [
            ("[Content_Types].xml", "<Types/>"),
            (
                "xl/workbook.xml",
                "<workbook \(main) xmlns:r=\"\(relations)\"><workbookPr date1904=\"\(startsIn1904 ? 1 : 0)\"/><sheets>\(list)</sheets></workbook>"
            ),
            ("xl/_rels/workbook.xml.rels", "<Relationships>\(targets)</Relationships>"),
            ("xl/sharedStrings.xml", "<sst \(main)>\(strings)</sst>"),
            (
                "xl/styles.xml",
                "<styleSheet \(main)><numFmts>\(codes)</numFmts><cellXfs>\(styles)</cellXfs></styleSheet>"
            ),
        ]
        for (index, sheet) in sheets.enumerated() {
            files.append(
                (
                    "xl/worksheets/sheet\(index + 1).xml",
                    "<worksheet \(main)><sheetData>\(sheet.rows)</sheetData></worksheet>"
                ))
        }
        return ZipBytes.archive(texts: files)
    }

    /// A row of texts, as an Excel workbook has it without shared strings.
    package static func row(_ cells: [String]) -> String {
        "<row>" + cells.map { "<c t=\"inlineStr\"><is><t>\($0)</t></is></c>" }.joined() + "</row>"
    }

    /// An OpenDocument spreadsheet.
    ///
    /// - Parameter sheets: The `<table:table-row>` elements of each sheet, by the sheet's name.
    package static func open(_ sheets: [(name: String, rows: String)]) -> [UInt8] {
        let spaces = ["office", "table", "text"].map {
            "xmlns:\($0)=\"urn:oasis:names:tc:opendocument:xmlns:\($0):1.0\""
        }.joined(separator: " ")
        let tables = sheets.map { "<table:table table:name=\"\($0.name)\">\($0.rows)</table:table>" }.joined()
        let content =
            "<office:document-content \(spaces)><office:body><office:spreadsheet>\(tables)</office:spreadsheet></office:body></office:document-content>"
        return ZipBytes.archive(texts: [
            ("mimetype", "application/vnd.oasis.opendocument.spreadsheet"), ("content.xml", content),
        ])
    }
}
