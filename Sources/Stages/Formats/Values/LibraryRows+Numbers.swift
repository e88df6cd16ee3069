import Books
import Bytes

/// Reading of numbers. A number that cannot be used, such as a negative page count, is noted and ignored.
/// Exporters write a dash, a zero or nothing for an unknown number; these are not noted.
extension LibraryRows {
    /// Maximum number of digits of a count.
    private static let maxDigits = 15

    /// Reads how often a book was read, or the number of copies.
    mutating func readCount(_ field: LibraryField, of row: inout LibraryRow) {
        readNumber(field, isWhole: true, of: &row) { rows, value in
            rows.arena.withBytes(value) { $0.count <= Self.maxDigits && $0.allSatisfy(\.isDigit) }
        }
    }

    /// Reads the number of pages, also from a text such as `350 p.`.
    mutating func readPages(of row: inout LibraryRow) {
        let cell = cell(.pageCount, of: row)
        let isPlain = arena.withBytes(cell) { $0.allSatisfy(\.isDigit) }
        if !isPlain, let pages = arena.withBytes(arena.trimmed(cell), { PageCount.read($0) }) {
            read(.pageCount, as: arena.append(String(pages)), of: &row)
            return
        }
        readNumber(.pageCount, isWhole: true, of: &row) { rows, value in
            ValueNormalizer.count(value, in: rows.arena) != nil
        }
    }

    /// Reads the average rating.
    mutating func readAverageRating(of row: inout LibraryRow) {
        let cell = cell(.averageRating, of: row)
        if cell.length == 4, arena.withBytes(cell, { Self.isPlain($0) }) { return }
        readNumber(.averageRating, isWhole: false, of: &row) { rows, value in
            ValueNormalizer.rating(value, in: &rows.arena) != nil
        }
    }

    /// Reads a year, or a date that contains one.
    mutating func readYear(_ field: LibraryField, of row: inout LibraryRow) {
        let cell = cell(field, of: row)
        guard !cell.isEmpty else { return }
        let isLost = arena.withBytes(cell) { bytes in
            if bytes[bytes.trimmedBlanks].elementsEqual("-".utf8) { return false }
            return switch CalendarYear.read(bytes) {
            case .absent: false
            case .year(let year) where PublicationDate.years.contains(Int(year)): false
            case .year, .damaged:
                field == .yearPublished
                    ? PublicationDate(bytes) == nil
                    : YearText.read(UnsafeRawBufferPointer(rebasing: bytes[bytes.trimmedBlanks])) == nil
            }
        }
        guard isLost else { return }
        noteUnreadable(.yearDamaged, field, cell, of: &row)
        read(field, as: .none, of: &row)
    }

    /// - Parameters:
    ///   - isWhole: Whether to remove a fraction of zero.
    ///   - isKept: Whether a number, without surrounding blanks, is stored.
    private mutating func readNumber(
        _ field: LibraryField, isWhole: Bool, of row: inout LibraryRow,
        isKept: (inout LibraryRows, Text) -> Bool
    ) {
        let cell = cell(field, of: row)
        guard !cell.isEmpty, !arena.withBytes(cell, { $0.count <= 5 && $0.allSatisfy(\.isDigit) }) else {
            return
        }
        let trimmed = arena.trimmed(cell)
        if trimmed.isEmpty { return }
        let isDash = arena.withBytes(trimmed) { $0.elementsEqual("-".utf8) }
        if !isDash {
            let whole = isWhole ? withoutFraction(trimmed) : trimmed
            if whole.length != trimmed.length { read(field, as: whole, of: &row) }
            if arena.withBytes(whole, { Self.isZero($0) }) || isKept(&self, whole) { return }
            noteUnreadable(.numberDamaged, field, cell, of: &row)
        }
        read(field, as: .none, of: &row)
    }

    /// A number without a fraction of zero: `412` for `412.0`, as a spreadsheet may write it.
    func withoutFraction(_ number: Text) -> Text {
        arena.withBytes(number) { bytes in
            guard let point = bytes.firstIndex(of: UInt8(ascii: ".")), point > 0, point + 1 < bytes.count,
                bytes[(point + 1)...].allSatisfy({ $0 == UInt8(ascii: "0") })
            else { return number }
            return number.part(0..<point)
        }
    }

    /// Whether the value has the usual form of an average: `4.17`.
    private static func isPlain(_ bytes: UnsafeRawBufferPointer) -> Bool {
        bytes[1] == UInt8(ascii: ".") && bytes[0].isDigit && bytes[2].isDigit && bytes[3].isDigit
    }

    private static func isZero(_ bytes: UnsafeRawBufferPointer) -> Bool {
        bytes.contains(UInt8(ascii: "0"))
            && bytes.allSatisfy {
                $0 == UInt8(ascii: "0") || $0 == UInt8(ascii: ".") || $0 == UInt8(ascii: ",")
            }
    }
}
