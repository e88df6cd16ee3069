import System

/// The cells of a sheet of an OpenDocument spreadsheet (ISO 26300), read from start to end.
///
/// Rows and cells may be repeated, and the last ones of a sheet often are, a million times. Only repetitions of
/// cells with a value make rows.
struct OpenDocumentCells: SheetRows, ~Copyable {
    private let reader: XMLReader
    private let place: String
    private let sheet: String
    /// The next row's number.
    private var number = 1
    /// Rows equal to the last one that are still to be given.
    private var repetitions = 0
    private var isOver = false
    /// Whether the sheet has begun.
    private var isInSheet = false

    init(_ sheet: Workbook.Sheet, in archive: ZipArchive) throws(ETLError) {
        let place = "\(archive.path)/\(sheet.name)"
        reader = try SheetXML.reader(of: "content.xml", in: archive, place)
        (self.place, self.sheet) = (place, sheet.name)
    }

    /// Passes the names of a document's sheets.
    static func sheetNames(of archive: ZipArchive, _ note: (String) -> Void) throws(ETLError) {
        try SheetXML.forEach(in: "content.xml", of: archive) { reader in
            if reader.localName == "table", let name = reader.attribute("table:name") { note(name) }
        }
    }

    mutating func next(into row: inout SheetRow) throws(ETLError) -> Bool {
        if repetitions > 0 {
            repetitions -= 1
            row.number = number
            number += 1
            return true
        }
        if !isInSheet { try findSheet() }
        while !isOver, let node = try SheetXML.next(reader, place) {
            if node == .end, reader.localName == "table" { break }
            guard node == .start, reader.localName == "table-row" else { continue }
            let times = Self.repetitions(reader.attribute("table:number-rows-repeated"))
            row.begin(number)
            if !reader.isEmptyElement { try readCells(of: &row) }
            // Empty ones after the last row too: the elements may go on without end.
            guard number <= SheetXML.maxRows else { break }
            guard row.count > 0 else {
                number = min(SheetXML.maxRows + 1, number + times)
                continue
            }
            repetitions = min(times - 1, SheetXML.maxRows - number)
            number += 1
            return true
        }
        isOver = true
        return false
    }

    private mutating func findSheet() throws(ETLError) {
        isInSheet = true
        while let node = try SheetXML.next(reader, place) {
            if node == .start, reader.localName == "table", reader.attribute("table:name") == sheet {
                isOver = reader.isEmptyElement
                return
            }
        }
        isOver = true
    }

    private static func repetitions(_ text: String?) -> Int {
        max(1, min(SheetXML.maxRows, text.flatMap(Int.init) ?? 1))
    }

    private mutating func readCells(of row: inout SheetRow) throws(ETLError) {
        var column = 0
        while let node = try SheetXML.next(reader, place) {
            if node == .end, reader.localName == "table-row" { return }
            guard node == .start, ["table-cell", "covered-table-cell"].contains(reader.localName) else {
                continue
            }
            let times = Self.repetitions(reader.attribute("table:number-columns-repeated"))
            let value = try readCell()
            if !value.isEmpty {
                for offset in 0..<min(times, SheetRow.maxColumns) { row.set(value, at: column + offset) }
            }
            column = min(SheetXML.maxRows, column + times)
        }
    }

    private mutating func readCell() throws(ETLError) -> [UInt8] {
        let type = reader.attribute("office:value-type") ?? reader.attribute("calcext:value-type")
        let value = reader.attribute("office:value")
        let date = reader.attribute("office:date-value")
        let truth = reader.attribute("office:boolean-value")
        let text = reader.isEmptyElement ? [] : try readText()
        switch type {
        case "date":
            return date.map { Array(($0.hasSuffix("T00:00:00") ? String($0.dropLast(9)) : $0).utf8) } ?? text
        case "boolean": return truth.map { Array($0.utf8) } ?? text
        case "float", "currency", "percentage":
            guard let value else { return text }
            // Zeros before a number are in the cell's text only.
            let shown = String(decoding: text, as: UTF8.self)
            let hasZeros = shown.hasPrefix("0") && shown.allSatisfy { ("0"..."9").contains($0) }
            return hasZeros && Double(shown) == Double(value) ? text : SheetValue.number(value)
        default: return text
        }
    }

    /// The paragraphs of a cell, without its notes.
    private mutating func readText() throws(ETLError) -> [UInt8] {
        var text: [UInt8] = []
        var paragraphs = 0
        var depth = 0
        var isInParagraph = false
        while let node = try SheetXML.next(reader, place) {
            switch node {
            case .start:
                let name = reader.localName
                if reader.isEmptyElement {
                    if depth > 0 || !isInParagraph { continue }
                    switch name {
                    case "s":
                        let count = max(1, min(1_000, reader.attribute("text:c").flatMap(Int.init) ?? 1))
                        text += [UInt8](repeating: 0x20, count: count)
                    case "tab": text.append(0x09)
                    case "line-break": text.append(0x0A)
                    default: break
                    }
                } else if depth > 0 || name == "annotation" || name == "frame" {
                    depth += 1
                } else if name == "p" || name == "h" {
                    if paragraphs > 0 { text.append(0x0A) }
                    paragraphs += 1
                    isInParagraph = true
                }
            case .end:
                let name = reader.localName
                if depth > 0 {
                    depth -= 1
                } else if name == "p" || name == "h" {
                    isInParagraph = false
                } else if name == "table-cell" || name == "covered-table-cell" {
                    return text
                }
            case .text where depth == 0 && isInParagraph:
                if text.count < SheetRow.maxBytes { reader.withText { text.append(contentsOf: $0) } }
            default: break
            }
        }
        return text
    }
}
