import Books
import Bytes

/// Distinguishing features of an edition within its work, in one integer: enough to leave out most editions
/// without reading them.
///
///     ISBN without check digit (31 bits)   year − 1400 (10)   pages (11)   format (3)   language (8)
///
/// A value of 0 means unknown. Sketches of a work are in ascending order of their ISBNs.
struct EditionSketch: Hashable {
    /// The key of the edition in the table `edition`: its ISBN-13 as a number.
    var isbn: Int64
    var year: Int?
    var pages: Int?
    var format: EditionFormat?
    /// A hash of the language.
    var language = 0

    private static let firstISBN: Int64 = 978_000_000_000
    private static let firstYear = 1_400

    init(isbn: Int64) { self.isbn = isbn }

    /// Reads the values of an edition's record.
    init(isbn: Int64, record: UnsafeRawBufferPointer) {
        self.isbn = isbn
        _ = PackedRecord.forEachValue(record) { field, _, range in
            let value = UnsafeRawBufferPointer(rebasing: record[range])
            switch field {
            case .publicationDate: year = PublicationDate(value)?.year
            case .pageCount: pages = Int(String(decoding: value, as: UTF8.self))
            case .format:
                format = EditionFormat.allCases.first { $0.contractName.utf8.elementsEqual(value) }
            case .language: language = Self.hash(ofLanguage: value)
            default: break
            }
        }
    }

    /// A number from 1 to 255; 0 unless the text has two letters.
    static func hash(ofLanguage text: UnsafeRawBufferPointer) -> Int {
        guard text.count == 2, text[0].isLetter, text[1].isLetter else { return 0 }
        return (Int(text[0] | 0x20) &* 26 &+ Int(text[1] | 0x20)) % 255 + 1
    }

    var packed: Int64 {
        let year = year.map { $0 - Self.firstYear } ?? 0
        let pages = pages ?? 0
        var packed = (isbn / 10 - Self.firstISBN) << 32
        packed |= Int64((1..<1 << 10).contains(year) ? year : 0) << 22
        packed |= Int64((1..<1 << 11).contains(pages) ? pages : 0) << 11
        packed |= Int64(format.map { Int($0.rawValue) + 1 } ?? 0) << 8
        return packed | Int64(language)
    }

    init(packed: Int64) {
        let twelve = (packed >> 32) + Self.firstISBN
        isbn = twelve * 10 + Int64(ISBNCheckDigit.ofThirteen(twelve))
        let year = Int(packed >> 22 & 0x3FF)
        let pages = Int(packed >> 11 & 0x7FF)
        self.year = year == 0 ? nil : year + Self.firstYear
        self.pages = pages == 0 ? nil : pages
        format = EditionFormat(rawValue: UInt8(packed >> 8 & 0x7) &- 1)
        language = Int(packed & 0xFF)
    }
}
