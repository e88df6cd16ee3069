import Books
import Syntax

/// Recognizes the exports of known programs that have lost their header, by their number of columns and what is in
/// them.
enum LostHeader {
    /// Fewer records, or columns, could be anything.
    private static let fewestRecords = 2
    private static let fewestColumns = 10
    /// Fields whose cells show what they are: at least this many must have a value.
    private static let fewestKinds = 4

    /// The format and its column names; nil if the records are of no known layout, or of several.
    ///
    /// - Parameter records: The first records that are not blank.
    static func find(_ records: [[String]]) -> (format: any LibraryFormat, names: [String])? {
        guard records.count >= fewestRecords, let width = records.first?.count, width >= fewestColumns,
            records.allSatisfy({ $0.count == width })
        else { return nil }
        var found: (format: any LibraryFormat, names: [String])?
        for case let layout as TableLayout in LibraryFormats.layouts {
            guard let format = LibraryFormats.all.first(where: { $0.name == layout.name }) else { continue }
            let variants = [layout.columns, layout.columns.filter { $0.group == nil }].map { $0.map(\.name) }
            for names in Set(variants) where names.count == width && fits(records, format, names) {
                guard found == nil else { return nil }
                found = (format, names)
            }
        }
        return found
    }

    private static func fits(_ records: [[String]], _ format: any LibraryFormat, _ names: [String]) -> Bool {
        let fields = format.fields(HeaderNames(names))
        var kinds = 0
        for (field, column) in fields {
            guard let isValue = tests[field] else { continue }
            let cells = records.map { $0[column].filter { !"=\"[]".contains($0) } }.filter { !$0.isEmpty }
            guard cells.allSatisfy(isValue) else { return false }
            if !cells.isEmpty { kinds += 1 }
        }
        let titles = fields[.title].map { column in records.map { $0[column] } } ?? []
        return kinds >= fewestKinds && titles.contains { $0.contains(where: \.isLetter) }
    }

    private static let tests: [LibraryField: @Sendable (String) -> Bool] = [
        .isbn13: isISBN, .isbn10: isISBN, .rating: isRating, .averageRating: isRating, .dateRead: isDate,
        .dateAdded: isDate, .pageCount: isCount, .readCount: isCount, .ownedCopies: isCount,
        .yearPublished: isYear,
    ]

    @Sendable private static func isISBN(_ text: String) -> Bool { ISBNReader.read(text).isbn != nil }

    @Sendable private static func isRating(_ text: String) -> Bool {
        Double(text).map { (0...5).contains($0) } ?? false
    }

    @Sendable private static func isCount(_ text: String) -> Bool {
        text.utf8.count <= 6 && Double(text) != nil
    }

    @Sendable private static func isYear(_ text: String) -> Bool {
        CalendarDate(text) != nil || isCount(text)
    }

    @Sendable private static func isDate(_ text: String) -> Bool {
        text.split { $0 == "," || $0 == ";" }.allSatisfy { part in
            CalendarDate(String(part)) != nil || Array(part.utf8).withUnsafeBytes { DateSpan($0) != nil }
        }
    }
}
