import System

/// The cells of an Excel sheet (ECMA-376, SpreadsheetML), read from start to end.
struct ExcelCells: SheetRows, ~Copyable {
    private let reader: XMLReader
    private let place: String
    private let strings: SharedStrings
    private let styles: ExcelStyles
    private let startsIn1904: Bool
    private var lastRow = 0
    private var emptyRows = 0

    init(_ sheet: Workbook.Sheet, of workbook: Workbook, in archive: ZipArchive) throws(ETLError) {
        let place = "\(archive.path)/\(sheet.name)"
        let strings = try ExcelParts.sharedStrings(of: archive)
        let styles = try ExcelStyles(of: archive)
        reader = try SheetXML.reader(of: sheet.entry, in: archive, place)
        (self.place, self.strings, self.styles) = (place, strings, styles)
        startsIn1904 = workbook.startsIn1904
    }

    mutating func next(into row: inout SheetRow) throws(ETLError) -> Bool {
        while let node = try SheetXML.next(reader, place) {
            guard node == .start, reader.localName == "row" else { continue }
            let given = reader.attribute("r").flatMap(Int.init) ?? lastRow + 1
            // Rows are in order. A number that is not would make rows disappear.
            let number = given > lastRow && given <= SheetXML.maxRows ? given : lastRow + 1
            lastRow = number
            row.begin(number)
            if !reader.isEmptyElement { try readCells(of: &row) }
            if row.count > 0 { return true }
            emptyRows += 1
            guard emptyRows <= SheetXML.maxRows else { throw SheetXML.tooManyRows(place) }
        }
        return false
    }

    private mutating func readCells(of row: inout SheetRow) throws(ETLError) {
        var column = -1
        while let node = try SheetXML.next(reader, place) {
            if node == .end, reader.localName == "row" { return }
            guard node == .start, reader.localName == "c" else { continue }
            column = reader.attribute("r").flatMap(Self.column) ?? column + 1
            let type = reader.attribute("t") ?? "n"
            let style = reader.attribute("s").flatMap(Int.init) ?? 0
            if reader.isEmptyElement { continue }
            let (value, text) = try readCell()
            row.set(try self.value(value, text, type: type, style: style), at: column)
        }
    }

    /// The texts of a cell's value, and of its own string.
    private mutating func readCell() throws(ETLError) -> (value: [UInt8], text: [UInt8]) {
        var value: [UInt8] = []
        var text: [UInt8] = []
        while let node = try SheetXML.next(reader, place) {
            switch node {
            case .end where reader.localName == "c": return (value, text)
            case .start where reader.localName == "v" && !reader.isEmptyElement:
                value = try SheetXML.text(of: reader, place)
            case .start where reader.localName == "is" && !reader.isEmptyElement:
                text = try ExcelParts.text(in: reader, until: "is", place)
            default: break
            }
        }
        return (value, text)
    }

    private func value(
        _ value: [UInt8], _ text: [UInt8], type: String, style: Int
    ) throws(ETLError) -> [UInt8] {
        switch type {
        case "s": return try strings.text(Int(String(decoding: value, as: UTF8.self)) ?? -1)
        case "inlineStr": return text
        case "str", "e": return ExcelParts.unescaped(value)
        case "b": return Array((value == [UInt8(ascii: "1")] ? "true" : "false").utf8)
        case "d":
            // Midnight is the date alone.
            let date = String(decoding: value, as: UTF8.self)
            return Array((date.hasSuffix("T00:00:00") ? String(date.dropLast(9)) : date).utf8)
        default:
            guard !value.isEmpty else { return text }
            let number = String(decoding: value, as: UTF8.self)
            if styles.isDate(style), let date = SheetValue.date(number, startsIn1904: startsIn1904) {
                return date
            }
            return SheetValue.number(number, digits: styles.digits(style))
        }
    }

    /// The column of a cell, from 0: 27 for `AB12`.
    static func column(of reference: String) -> Int? {
        var column = 0
        var letters = 0
        for byte in reference.utf8 {
            let letter = byte & 0xDF
            guard letter >= UInt8(ascii: "A"), letter <= UInt8(ascii: "Z") else { break }
            letters += 1
            guard letters <= 3 else { return nil }
            column = column * 26 + Int(letter - UInt8(ascii: "A")) + 1
        }
        return letters == 0 ? nil : column - 1
    }
}

/// The sheets that a workbook lists, and where their cells are.
struct ExcelSheetList {
    private(set) var sheets: [Workbook.Sheet] = []
    private(set) var startsIn1904 = false

    init(of archive: ZipArchive) throws(ETLError) {
        var targets: [String: String] = [:]
        try SheetXML.forEach(in: "xl/_rels/workbook.xml.rels", of: archive) { reader in
            guard reader.localName == "Relationship", let id = reader.attribute("Id"),
                let target = reader.attribute("Target")
            else { return }
            targets[id] = target.hasPrefix("/") ? String(target.dropFirst()) : "xl/\(target)"
        }
        var found: [Workbook.Sheet] = []
        var from1904 = false
        try SheetXML.forEach(in: "xl/workbook.xml", of: archive) { reader in
            switch reader.localName {
            case "workbookPr":
                from1904 = ["1", "true"].contains(reader.attribute("date1904") ?? "")
            case "sheet":
                // The id has the prefix of the relationships' namespace, usually r.
                let id = reader.attribute("r:id") ?? reader.attribute("id")
                guard let name = reader.attribute("name"), let entry = id.flatMap({ targets[$0] }),
                    archive.entry(named: entry) != nil, found.count < 1_000
                else { return }
                found.append(Workbook.Sheet(name: name, entry: entry))
            default: break
            }
        }
        (sheets, startsIn1904) = (found, from1904)
    }
}

/// Which of a workbook's styles show dates, and which show numbers with leading zeros.
struct ExcelStyles {
    private var dates: Set<Int> = []
    private var digits: [Int: Int] = [:]

    init(of archive: ZipArchive) throws(ETLError) {
        guard archive.entry(named: "xl/styles.xml") != nil else { return }
        var formats: [Int: String] = [:]
        var styles = 0
        var isInCells = false
        var (dates, digits) = (dates, digits)
        try SheetXML.forEach(in: "xl/styles.xml", of: archive) { reader in
            switch reader.localName {
            case "numFmt":
                guard let id = reader.attribute("numFmtId").flatMap(Int.init), formats.count < 10_000 else {
                    return
                }
                formats[id] = reader.attribute("formatCode")
            case "cellXfs": isInCells = true
            case "cellStyles", "dxfs", "cellStyleXfs": isInCells = false
            case "xf" where isInCells && styles < 100_000:
                let id = reader.attribute("numFmtId").flatMap(Int.init) ?? 0
                let format = formats[id]
                if format.map({ SheetValue.isDate(format: $0) }) ?? SheetValue.isDate(builtin: id) {
                    dates.insert(styles)
                } else if let format, case let shown = SheetValue.digits(format: format), shown > 0 {
                    digits[styles] = shown
                }
                styles += 1
            default: break
            }
        }
        (self.dates, self.digits) = (dates, digits)
    }

    func isDate(_ style: Int) -> Bool { dates.contains(style) }

    func digits(_ style: Int) -> Int { digits[style] ?? 0 }
}

/// Parts that a workbook's sheets share.
enum ExcelParts {
    static func sharedStrings(of archive: ZipArchive) throws(ETLError) -> SharedStrings {
        let strings = SharedStrings()
        let name = "xl/sharedStrings.xml"
        guard archive.entry(named: name) != nil else { return strings }
        let place = archive.path
        let reader = try SheetXML.reader(of: name, in: archive, place)
        while let node = try SheetXML.next(reader, place) {
            guard node == .start, reader.localName == "si" else { continue }
            try strings.append(reader.isEmptyElement ? [] : text(in: reader, until: "si", place))
        }
        return strings
    }

    /// The text of a string in pieces of different fonts, without the readings of Japanese words.
    static func text(
        in reader: borrowing XMLReader, until end: String, _ place: String
    ) throws(ETLError) -> [UInt8] {
        var text: [UInt8] = []
        var isReading = false
        while let node = try SheetXML.next(reader, place) {
            switch node {
            case .end where reader.localName == end: return unescaped(text)
            case .start where reader.localName == "rPh": isReading = !reader.isEmptyElement
            case .end where reader.localName == "rPh": isReading = false
            case .start where reader.localName == "t" && !reader.isEmptyElement:
                let piece = try SheetXML.text(of: reader, place)
                if !isReading, text.count < SheetRow.maxBytes { text += piece }
            default: break
            }
        }
        return unescaped(text)
    }

    /// Resolves characters that XML cannot contain, such as `_x000D_`.
    static func unescaped(_ bytes: [UInt8]) -> [UInt8] {
        guard bytes.firstRange(of: Array("_x".utf8)) != nil else { return bytes }
        var plain: [UInt8] = []
        var at = 0
        while at < bytes.count {
            if bytes[at] == UInt8(ascii: "_"), at + 6 < bytes.count, bytes[at + 1] == UInt8(ascii: "x"),
                bytes[at + 6] == UInt8(ascii: "_"),
                let code = UInt32(String(decoding: bytes[at + 2..<at + 6], as: UTF8.self), radix: 16),
                let scalar = Unicode.Scalar(code)
            {
                plain += Array(String(scalar).utf8)
                at += 7
            } else {
                plain.append(bytes[at])
                at += 1
            }
        }
        return plain
    }
}
