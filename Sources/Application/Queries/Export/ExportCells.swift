import Books
import Bytes
import Syntax

/// Destination of a row's cells, one after the other.
protocol ExportCells: ~Copyable {
    /// Adds stored text. Bytes that are no UTF-8 are kept in the store as the file had them; in an export they would make
    /// the whole table unreadable.
    mutating func add(text bytes: UnsafeRawBufferPointer)
    /// Adds a stored date, which may be less than a day: `2026-04`.
    mutating func add(date bytes: UnsafeRawBufferPointer)
    mutating func add(_ text: String)
    mutating func add(_ integer: Int64)
    mutating func add(_ number: Double)
    mutating func add(_ flag: Bool)
}

extension CSVWriter: ExportCells {
    mutating func add(text bytes: UnsafeRawBufferPointer) {
        if bytes.isUTF8 { cell(utf8: bytes) } else { cell(String(decoding: bytes, as: UTF8.self)) }
    }

    mutating func add(date bytes: UnsafeRawBufferPointer) { add(text: bytes) }
    mutating func add(_ text: String) { cell(text) }
    mutating func add(_ integer: Int64) { cell(String(integer)) }
    mutating func add(_ number: Double) { cell(LibraryEntry.spelled(number)) }
    mutating func add(_ flag: Bool) { cell(flag ? "true" : "false") }
}

extension WorkbookWriter: ExportCells {
    mutating func add(text bytes: UnsafeRawBufferPointer) { text(bytes) }

    mutating func add(date bytes: UnsafeRawBufferPointer) {
        // Dates that a sheet would show differently stay text.
        guard bytes.count == 10, let date = CalendarDate(bytes), date.day > 0,
            date.description.utf8.elementsEqual(bytes),
            self.date(year: date.year, month: date.month, day: date.day)
        else { return text(bytes) }
    }

    mutating func add(_ text: String) { self.text(text) }

    /// A sheet has the digits of a floating-point number: more than fifteen are text.
    mutating func add(_ integer: Int64) {
        if integer.magnitude < 1_000_000_000_000_000 {
            number(Double(integer))
        } else {
            text(String(integer))
        }
    }

    mutating func add(_ number: Double) { self.number(number) }
    mutating func add(_ flag: Bool) { self.flag(flag) }
}
