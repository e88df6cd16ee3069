import Bytes

/// Readings of numbers: one that cannot be, as of pages below zero, is noted, and says nothing more. A dash, a zero and
/// nothing at all are what exporters write where they know nothing: they are no damage.
extension LibraryRows {
    /// Digits of a count that is stored at the most.
    private static let mostDigits = 15

    /// Reads how often a book was read, or how many copies there are.
    mutating func readCount(_ field: LibraryField, of row: inout LibraryRow) {
        readNumber(field, isWhole: true, of: &row) { rows, value in
            rows.arena.withBytes(value) { $0.count <= Self.mostDigits && $0.allSatisfy(\.isDigit) }
        }
    }

    /// Reads the number of pages.
    mutating func readPages(of row: inout LibraryRow) {
        readNumber(.pageCount, isWhole: true, of: &row) { rows, value in
            ValueNormalizer.count(value, in: rows.arena) != nil
        }
    }

    /// Reads what other readers think of a book.
    mutating func readAverageRating(of row: inout LibraryRow) {
        let cell = cell(.averageRating, of: row)
        if cell.length == 4, arena.withBytes(cell, { Self.isPlain($0) }) { return }
        readNumber(.averageRating, isWhole: false, of: &row) { rows, value in
            ValueNormalizer.rating(value, in: &rows.arena) != nil
        }
    }

    /// Reads a year, or a date that has one.
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
    ///   - isWhole: Whether a fraction of zero is nothing.
    ///   - isKept: Whether a number, without blanks around it, is stored.
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

    /// A number without a fraction of zero: `412` of `412.0`, which a table of numbers makes of it.
    func withoutFraction(_ number: Text) -> Text {
        arena.withBytes(number) { bytes in
            guard let point = bytes.firstIndex(of: UInt8(ascii: ".")), point > 0, point + 1 < bytes.count,
                bytes[(point + 1)...].allSatisfy({ $0 == UInt8(ascii: "0") })
            else { return number }
            return number.part(0..<point)
        }
    }

    /// Whether it is as nearly all averages are: `4.17`.
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
