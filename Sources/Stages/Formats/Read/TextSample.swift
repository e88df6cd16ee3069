import Books
import Bytes
import Syntax
import System

/// Sample of a table's first records, whose findings hold for all. It depends on the file alone, so a resumed run
/// and a survey see the same.
struct TextSample {
    /// Records and bytes that are examined.
    private static let most = (records: 2_000, bytes: 1 << 20)

    private(set) var nameOrder = NameOrder.unknown
    private(set) var areTextsEscaped = false
    private(set) var areTextsDoublyEncoded = false

    /// - Parameter reader: The table's records from the first one on.
    init(_ reader: consuming RecordReader, _ columns: ColumnMap) throws(ETLError) {
        var arena = Arena()
        var cells: [Text] = []
        var records: [Record] = []
        _ = try reader.fill(
            arena: &arena, cells: &cells, records: &records, maxRecords: Self.most.records,
            maxBytes: Self.most.bytes)
        let names = [LibraryField.author, .additionalAuthors].compactMap { columns[$0] }
        let texts = Self.texts.compactMap { columns[$0] }
        var (inverted, full, escaped, bare) = (0, 0, 0, 0)
        var (doubled, single) = (0, 0)
        for record in records {
            switch DoubledText(cells[record.cells], in: arena) {
            case .none: break
            case .once: single += 1
            case .twice(_, let isCertain): doubled += isCertain ? 1 : 0
            }
            for column in texts where column < record.cells.count {
                switch arena.withBytes(
                    cells[record.cells.lowerBound + column], { HTMLReferences.use(in: $0) })
                {
                case .none: break
                case .escaped: escaped += 1
                case .bare: bare += 1
                }
            }
            for column in names where column < record.cells.count {
                let cell = cells[record.cells.lowerBound + column]
                guard cell.length < 200, let parts = arena.withBytes(cell, { Self.twoParts($0) }) else {
                    continue
                }
                let hasOneWord = NameWords(parts.0).count == 1 || NameWords(parts.1).count == 1
                if hasOneWord { inverted += 1 } else { full += 1 }
            }
        }
        if inverted > full { nameOrder = .familyFirst }
        areTextsEscaped = escaped > 0 && bare == 0
        areTextsDoublyEncoded = doubled > 1 && single == 0
    }

    /// Fields that are read without characters written as in HTML. Reviews keep their markup.
    static let texts: [LibraryField] = [
        .title, .subtitle, .author, .authorLastFirst, .additionalAuthors, .contributors, .publisher, .series,
        .subjects,
        .shelves,
    ]

    /// The two parts of a cell with one comma and no other separator.
    private static func twoParts(_ cell: UnsafeRawBufferPointer) -> (String, String)? {
        // Most cells have no comma, and need no string.
        var hasComma = false
        for byte in cell {
            switch byte {
            case UInt8(ascii: ","): hasComma = true
            case UInt8(ascii: ";"), UInt8(ascii: "|"), UInt8(ascii: "&"), UInt8(ascii: "/"),
                UInt8(ascii: "["),
                UInt8(ascii: "("):
                return nil
            default: break
            }
        }
        guard hasComma else { return nil }
        // A suffix is no part: Bob Nelson, Ph.D.
        return PersonName.twoParts(cell)
    }
}

extension LibraryRows {
    /// Reads the texts of a row whose file writes characters as in HTML: `Dombey &amp; Son`.
    mutating func readEscapedTexts(of row: inout LibraryRow) {
        for field in TextSample.texts {
            let cell = cell(field, of: row)
            guard !cell.isEmpty, let plain = arena.withBytes(cell, { HTMLReferences.resolved($0) }) else {
                continue
            }
            read(field, as: arena.append(plain), of: &row)
        }
    }
}
