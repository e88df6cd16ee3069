import Books
import Bytes

/// Reading of numbers and dates in the digits of other scripts.
extension LibraryRows {
    /// Fields whose values are digits.
    static let numericFields: [LibraryField] = [
        .isbn13, .isbn10, .rating, .averageRating, .pageCount, .yearPublished, .originalYear, .dateRead,
        .dateStarted, .dateAdded, .purchaseDate, .readCount, .ownedCopies, .seriesNumber,
    ]

    /// Reads the numbers of a row that are in the digits of another script with ASCII digits: `٢٠٢٠` as `2020`.
    ///
    /// - Parameter fields: The fields with their columns.
    mutating func readDigits(of row: inout LibraryRow, _ fields: [(field: LibraryField, column: Int)]) {
        for (field, column) in fields where column < row.cells.count {
            let cell = cells[row.cells.lowerBound + column]
            guard !cell.isEmpty, arena.withBytes(cell, { DigitText.mayBeForeign($0) }),
                let plain = arena.withBytes(cell, { DigitText.plain($0) })
            else { continue }
            read(field, as: arena.append(plain), of: &row)
        }
    }
}

/// Digits of all scripts.
enum DigitText {
    /// Longer cells are texts.
    private static let longest = 200

    /// Whether a text may have digits that are not ASCII: it begins with another character, or has the word for year
    /// after four digits.
    @inline(__always)
    static func mayBeForeign(_ bytes: UnsafeRawBufferPointer) -> Bool {
        bytes[0] >= 0x80 || (bytes.count > 4 && bytes[4] >= 0x80)
    }

    /// The text with ASCII digits; nil if it has no others and no word for a part of a date.
    static func plain(_ bytes: UnsafeRawBufferPointer) -> String? {
        guard bytes.count <= longest, let text = String(validating: bytes, as: UTF8.self) else { return nil }
        var plain = ""
        var isChanged = false
        for scalar in text.unicodeScalars {
            if !scalar.isASCII, scalar.properties.numericType == .decimal,
                let digit = scalar.properties.numericValue
            {
                plain += String(Int(digit))
                isChanged = true
            } else if let sign = signs[scalar] {
                plain += sign
                isChanged = true
            } else {
                plain.unicodeScalars.append(scalar)
            }
        }
        return isChanged ? plain.filter { !isDateWithWords(text) || $0 != " " } : nil
    }

    private static func isDateWithWords(_ text: String) -> Bool {
        text.unicodeScalars.contains { $0 == "年" || $0 == "년" }
    }

    /// Signs of other scripts in numbers and dates, among them year, month and day: `2023年3月1日`.
    private static let signs: [Unicode.Scalar: String] = [
        "年": "-", "月": "-", "日": "", "년": "-", "월": "-", "일": "", "٫": ".", "٬": "", "／": "/", "－": "-",
        "．": ".", "：": ":", "\u{200E}": "", "\u{200F}": "",
    ]
}
