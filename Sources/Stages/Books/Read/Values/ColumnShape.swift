import Bytes
import Pipeline

/// What the cells of a column look like, where that can be told: enough to see that a record's cells stand under the
/// wrong names. Exporters' own spellings pass; words where a number belongs do not, be it that they were put there.
enum ColumnShape {
    /// A number or a date: whatever it is written like, it has digits.
    case number
    /// Stars, on whatever scale.
    case rating
    /// A book's number.
    case identifier

    /// Nil for a field whose cells may be any text.
    init?(_ field: LibraryField) {
        switch field {
        case .isbn10, .isbn13: self = .identifier
        case .rating, .averageRating: self = .rating
        case .pageCount, .yearPublished, .originalYear, .readCount, .dateRead, .dateStarted, .dateAdded,
            .purchaseDate:
            self = .number
        default: return nil
        }
    }

    /// Digits in a row at the most in a number or a date: `20260402` is one, an ISBN is none.
    private static let mostDigits = 8
    /// The largest rating on any scale.
    private static let bestRating = 100.0

    /// Whether a cell may stand in such a column. One without letters and digits may stand anywhere.
    func allows(_ cell: [UInt8]) -> Bool { !Self.saysSomething(cell) || isLike(cell) }

    private static func saysSomething(_ cell: [UInt8]) -> Bool {
        cell.contains { $0.isDigit || $0.isLetter || $0 >= 0x80 }
    }

    /// Whether a cell says what such a column says.
    func isLike(_ cell: [UInt8]) -> Bool {
        guard Self.saysSomething(cell) else { return false }
        let hasDigit = cell.contains(where: \.isDigit)
        let hasLetter = cell.contains { $0.isLetter || $0 >= 0x80 }
        return switch self {
        case .number: hasDigit && cell.split { !$0.isDigit }.allSatisfy { $0.count <= Self.mostDigits }
        case .rating: Self.isRating(cell)
        case .identifier: hasDigit && !(hasLetter && cell.contains(UInt8(ascii: " ")))
        }
    }

    private static func isRating(_ cell: [UInt8]) -> Bool {
        cell.withUnsafeBytes { bytes in
            StarRating.read(bytes) != .damaged || StarRating.number(bytes).map { $0 <= bestRating } ?? false
        }
    }
}
