import CXLSXWriter
package import System

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// Writes a table as an Excel workbook (`.xlsx`) of one sheet, cell after cell, with libxlsxwriter.
///
/// Cells have types, so a program that opens the workbook guesses nothing: digits that were written as text stay text, and
/// text that begins with `=` is never a formula. The header is bold, stays in sight, and filters the rows. Rows go to a
/// temporary file, so memory does not grow with them. The bytes depend on the cells alone, not on the clock.
package struct WorkbookWriter: ~Copyable {
    /// A column: its name in the header, and its width in characters.
    package struct Column: Sendable {
        package var name: String
        package var width: Double

        package init(_ name: String, width: Double) {
            self.name = name
            self.width = width
        }
    }

    /// Maximum number of rows of a sheet below the header.
    package static let mostRows = SheetXML.maxRows - 1
    /// Maximum number of UTF-16 units of a cell. Excel repairs a workbook with longer ones by dropping them.
    package static let longestText = 32_767

    private let path: String
    /// Nil after it was closed.
    private var workbook: UnsafeMutablePointer<lxw_workbook>?
    private let sheet: UnsafeMutablePointer<lxw_worksheet>
    private let dateFormat: UnsafeMutablePointer<lxw_format>?
    private let width: Int
    private var row: UInt32 = 1
    private var column: UInt16 = 0
    /// The first error of the library.
    private var error = LXW_NO_ERROR
    /// Cells that were cut to ``longestText``.
    package private(set) var shortened = 0

    /// Begins a workbook with its header.
    ///
    /// - Parameters:
    ///   - path: The file, which is written by ``close()``.
    ///   - name: The name of the sheet: at most 31 letters.
    /// - Throws: `cannotCreate` without a temporary file.
    package init(_ path: String, sheet name: String, columns: [Column]) throws(ETLError) {
        self.path = path
        width = columns.count
        var options = lxw_workbook_options(constant_memory: 1, tmpdir: getenv("TMPDIR"), use_zip64: 1)
        guard let workbook = path.withFileName({ workbook_new_opt($0, &options) }) else {
            throw Self.failure(path, LXW_ERROR_MEMORY_MALLOC_FAILED)
        }
        guard let sheet = workbook_add_worksheet(workbook, name) else {
            lxw_workbook_free(workbook)
            throw Self.failure(path, LXW_ERROR_CREATING_TMPFILE)
        }
        (self.workbook, self.sheet) = (workbook, sheet)
        var properties = lxw_doc_properties()
        properties.created = Self.created
        workbook_set_properties(workbook, &properties)
        let bold = workbook_add_format(workbook)
        format_set_bold(bold)
        dateFormat = workbook_add_format(workbook)
        format_set_num_format(dateFormat, "yyyy-mm-dd")
        worksheet_freeze_panes(sheet, 1, 0)
        // Otherwise each cell with digits would be marked as a mistake.
        worksheet_ignore_errors(sheet, UInt8(LXW_IGNORE_NUMBER_STORED_AS_TEXT.rawValue), "A1:XFD1048576")
        for (index, column) in columns.enumerated() {
            let index = UInt16(clamping: index)
            note(worksheet_set_column(sheet, index, index, column.width, nil))
            note(worksheet_write_string(sheet, 0, index, column.name, bold))
        }
    }

    deinit { if let workbook { lxw_workbook_free(workbook) } }

    /// The time at which every workbook was created: that of the files in its archive, 1 January 1980.
    private static let created: time_t = 315_532_800

    // MARK: Cells

    /// Writes the next cell of the row. An empty text is an empty cell.
    package mutating func text(_ bytes: UnsafeRawBufferPointer) {
        defer { column += 1 }
        guard !bytes.isEmpty else { return }
        var text = String(decoding: bytes, as: UTF8.self)
        if text.utf16.count > Self.longestText {
            shortened += 1
            text = text.prefix(utf16: Self.longestText)
        }
        note(worksheet_write_string(sheet, row, column, Self.escaped(text), nil))
    }

    package mutating func text(_ text: String) {
        var text = text
        text.withUTF8 { self.text(UnsafeRawBufferPointer($0)) }
    }

    package mutating func number(_ value: Double) {
        note(worksheet_write_number(sheet, row, column, value, nil))
        column += 1
    }

    package mutating func flag(_ isOn: Bool) {
        note(worksheet_write_boolean(sheet, row, column, isOn ? 1 : 0, nil))
        column += 1
    }

    /// Writes a day of the Gregorian calendar.
    ///
    /// - Returns: False for a day before 1 March 1900, which sheets do not agree about. Then nothing is written.
    package mutating func date(year: Int, month: Int, day: Int) -> Bool {
        guard let serial = SheetValue.serial(year: year, month: month, day: day) else { return false }
        note(worksheet_write_number(sheet, row, column, Double(serial), dateFormat))
        column += 1
        return true
    }

    /// Ends the row.
    ///
    /// - Throws: `configuration` if the sheet is full.
    package mutating func endRow() throws(ETLError) {
        guard error == LXW_NO_ERROR else { throw Self.failure(path, error) }
        column = 0
        row += 1
    }

    /// Whether the sheet has no room for a further row.
    package var isFull: Bool { row > UInt32(Self.mostRows) }

    /// Writes the file.
    ///
    /// - Throws: `cannotCreate` or `inputOutput` if it cannot be written.
    package mutating func close() throws(ETLError) {
        guard let open = workbook else { return }
        if width > 0 {
            note(worksheet_autofilter(sheet, 0, 0, row - 1, UInt16(clamping: width - 1)))
        }
        // The library does not look whether the disk of the temporary file was full.
        if let rows = sheet.pointee.optimize_tmpfile, fflush(rows) != 0 || ferror(rows) != 0 {
            note(LXW_ERROR_CREATING_TMPFILE)
        }
        guard error == LXW_NO_ERROR else { throw Self.failure(path, error) }
        workbook = nil
        let code = workbook_close(open)
        guard code == LXW_NO_ERROR else { throw Self.failure(path, code) }
    }

    private mutating func note(_ code: lxw_error) { if error == LXW_NO_ERROR { error = code } }

    private static func failure(_ path: String, _ code: lxw_error) -> ETLError {
        let isTemporary = code == LXW_ERROR_CREATING_TMPFILE
        let reason =
            isTemporary ? "there is no room for temporary files" : String(cString: lxw_strerror(code))
        let bare = reason.hasSuffix(".") ? String(reason.dropLast()) : reason
        return ETLError(
            .cannotCreate, "`\(path)` cannot be written: \(bare).",
            advice: isTemporary ? "Set TMPDIR to another folder." : nil)
    }

    /// A text in which nothing is taken for an escape: in a workbook, `_x0041_` is an A. The library escapes control
    /// characters in this way, but not what looks like it. A null character would end the text.
    private static func escaped(_ text: String) -> String {
        var text = text.contains("\0") ? text.replacing("\0", with: "\u{FFFD}") : text
        guard text.contains("_x") else { return text }
        text = text.replacing(#/_(?=x[0-9A-Fa-f]{4}_)/#, with: "_x005F_")
        return text
    }
}

extension String {
    /// The beginning, of at most a number of UTF-16 units.
    fileprivate func prefix(utf16 count: Int) -> String {
        var end = utf16.index(startIndex, offsetBy: count)
        while end.samePosition(in: self) == nil { end = utf16.index(before: end) }
        return String(self[..<end])
    }
}
