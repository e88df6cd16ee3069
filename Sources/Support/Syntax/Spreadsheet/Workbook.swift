package import System

/// A spreadsheet document: an Excel workbook (`.xlsx`) or an OpenDocument spreadsheet (`.ods`).
///
/// A sheet is read as a table of text (``SheetBytes``), so that everything that is true of tables is true of
/// sheets too: formats, headers, positions, resuming. Values are written as a program would export them, not as the
/// sheet shows them: dates as `2026-04-02`, whole numbers with all their digits.
package struct Workbook: Sendable, Hashable {
    /// The kinds of documents.
    package enum Kind: String, Sendable, Hashable {
        case excel = "Excel"
        case openDocument = "OpenDocument"
    }

    /// A sheet.
    package struct Sheet: Sendable, Hashable {
        /// As shown on its tab.
        package var name: String
        /// The file in the archive that has its cells.
        var entry: String
    }

    package let path: String
    package let kind: Kind
    /// The sheets in the order of their tabs.
    package let sheets: [Sheet]
    /// Whether dates are counted from 1904 and not from 1900.
    let startsIn1904: Bool

    /// Maximum number of sheets of a workbook.
    private static let maxSheets = 1_000

    /// - Returns: Nil if the archive is not a spreadsheet document.
    /// - Throws: `unusableInput` for a document that is damaged or has no sheet.
    package init?(_ archive: ZipArchive) throws(ETLError) {
        path = archive.path
        if archive.entry(named: "xl/workbook.xml") != nil {
            kind = .excel
            let list = try ExcelSheetList(of: archive)
            (sheets, startsIn1904) = (list.sheets, list.startsIn1904)
        } else if let type = archive.entry(named: "mimetype"), archive.entry(named: "content.xml") != nil {
            var source = try archive.bytes(of: type)
            var bytes = [UInt8](repeating: 0, count: 128)
            let count = try bytes.readAll(from: &source)
            guard bytes[..<count].starts(with: "application/vnd.oasis.opendocument.spreadsheet".utf8) else {
                return nil
            }
            kind = .openDocument
            startsIn1904 = false
            var names: [String] = []
            try OpenDocumentCells.sheetNames(of: archive) {
                if names.count < Self.maxSheets { names.append($0) }
            }
            sheets = names.map { Sheet(name: $0, entry: "content.xml") }
        } else {
            return nil
        }
        guard !sheets.isEmpty else {
            throw ETLError(
                .unusableInput, "`\(path)` has no sheets.", advice: "Save the table as CSV in UTF-8.")
        }
    }

    /// The cells of a sheet as a table of text, from the first row on.
    ///
    /// - Parameter stop: If it is raised, reading fails.
    /// - Throws: Errors from reading the archive; `tooLarge` for more rows without cells than a sheet can have.
    package func bytes(
        of sheet: Sheet, counter: ExpansionCounter? = nil, stop: StopSignal? = nil
    ) throws(ETLError) -> any ByteSource {
        let archive = try ZipArchive(path, counter: counter, stop: stop)
        switch kind {
        case .excel: return SheetBytes(try ExcelCells(sheet, of: self, in: archive))
        case .openDocument: return SheetBytes(try OpenDocumentCells(sheet, in: archive))
        }
    }
}

/// The rows of a sheet, one after the other.
protocol SheetRows: ~Copyable {
    /// Passes the cells of the next row that has any, with its number from 1.
    ///
    /// - Returns: False at the end.
    mutating func next(into row: inout SheetRow) throws(ETLError) -> Bool
}

/// The cells of one row of a sheet, reused for each row.
struct SheetRow {
    /// Columns kept of a row: more than a table may have, so that the row is rejected.
    static let maxColumns = 1_100
    /// Bytes kept of a cell: more than a record may have, so that the record is rejected.
    static let maxBytes = 5 << 20

    /// From 1.
    var number = 0
    private(set) var cells: [[UInt8]] = []
    private(set) var count = 0
    private var bytes = 0

    mutating func begin(_ number: Int) {
        self.number = number
        count = 0
        bytes = 0
    }

    /// Sets a cell. Columns before it that were not set are empty.
    mutating func set(_ value: [UInt8], at column: Int) {
        guard column < Self.maxColumns, !value.isEmpty else { return }
        while count <= column {
            if count < cells.count { cells[count].removeAll(keepingCapacity: true) } else { cells.append([]) }
            count += 1
        }
        let room = max(0, Self.maxBytes - bytes)
        cells[column] = value.count <= room ? value : Array(value.prefix(room))
        bytes += cells[column].count
    }
}

/// A sheet as comma-separated text: every row a line, so that numbers of records are those of rows.
final class SheetBytes<Rows: SheetRows & ~Copyable>: ByteSource {
    private var rows: Rows
    private var row = SheetRow()
    private var line = 0
    /// Cells of the header, the first row that the next one is not longer than. Programs leave out empty cells at the
    /// end of a row; in a table they would be missing.
    private var width = 0
    private var isHeaderRead = false
    private var isAtEnd = false
    private var held: [UInt8] = []
    private var given = 0

    /// Bytes made at a time.
    private static var pieceBytes: Int { 64 << 10 }

    init(_ rows: consuming Rows) { self.rows = rows }

    func read(into buffer: UnsafeMutableRawBufferPointer) throws(ETLError) -> Int {
        guard !buffer.isEmpty else { return 0 }
        while given == held.count {
            guard !isAtEnd else { return 0 }
            try make()
        }
        let count = min(buffer.count, held.count - given)
        held.withUnsafeBytes { bytes in
            buffer.copyMemory(from: UnsafeRawBufferPointer(rebasing: bytes[given..<given + count]))
        }
        given += count
        return count
    }

    /// Makes the next lines.
    private func make() throws(ETLError) {
        held.removeAll(keepingCapacity: true)
        given = 0
        while held.count < Self.pieceBytes {
            if line + 1 >= row.number {
                if line < row.number { write() }
                guard try rows.next(into: &row) else {
                    isAtEnd = true
                    return
                }
            } else {
                // A row without cells.
                held.append(UInt8(ascii: "\n"))
                line += 1
            }
        }
    }

    private func write() {
        if !isHeaderRead { isHeaderRead = row.count <= width }
        if !isHeaderRead { width = row.count }
        for column in 0..<row.count {
            if column > 0 { held.append(UInt8(ascii: ",")) }
            let cell = row.cells[column]
            let isPlain = !cell.contains { $0 == UInt8(ascii: ",") || $0 == UInt8(ascii: "\"") || $0 < 0x20 }
            if isPlain {
                held.append(contentsOf: cell)
            } else {
                held.append(UInt8(ascii: "\""))
                for byte in cell {
                    if byte == UInt8(ascii: "\"") { held.append(byte) }
                    held.append(byte)
                }
                held.append(UInt8(ascii: "\""))
            }
        }
        for _ in row.count..<max(row.count, width) { held.append(UInt8(ascii: ",")) }
        held.append(UInt8(ascii: "\n"))
        line += 1
    }
}

extension [UInt8] {
    /// Fills the array from a source as far as possible.
    fileprivate mutating func readAll(from source: inout some ByteSource) throws(ETLError) -> Int {
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: count, alignment: 1)
        defer { buffer.deallocate() }
        var end = 0
        while end < count {
            let read = try source.read(into: UnsafeMutableRawBufferPointer(rebasing: buffer[end...]))
            if read == 0 { break }
            end += read
        }
        replaceSubrange(0..<end, with: buffer[..<end])
        return end
    }
}
