import Books
import Bytes
import Syntax
import System

/// Which columns of a file hold titles and authors, and how many records have any. A column that should hold
/// them and does not is a wrong mapping more often than an empty column, and would lose them silently.
struct ColumnUse: Sendable {
    private let names: [String]
    private let titles: [Int]
    private let authors: [Int]
    /// Columns without a field, the number of examined records in which each holds words, and whether any of them
    /// has several words.
    private var words: [(column: Int, records: Int, hasBlank: Bool)]
    private var examined = 0
    private(set) var records = 0
    private(set) var titled = 0
    private(set) var authored = 0
    /// Whether every kind of record of the format has titles and authors.
    private let isExpected: Bool

    /// Of fewer records some may be without a title.
    private static let fewest = 3
    /// A single record may be without a title or an author.
    private static let fewestForNone = 2
    /// Records in which other columns are examined.
    private static let mostExamined = 200

    init(_ file: LibraryFile) {
        names = file.header.names
        let own = file.columns[.title].map { [$0] } ?? []
        titles = own + file.format.userTitles(file.header).filter { !own.contains($0) }
        authors = [.author, .authorLastFirst, .additionalAuthors, .contributors].compactMap {
            file.columns[$0]
        }
        words = file.columns.unmapped.filter { file.header.names[$0] != JSONTable.moreColumn }.map {
            ($0, 0, false)
        }
        isExpected =
            file.format.identifying == ColumnMap.identifying && !(file.format is any HeaderlessFormat)
    }

    /// Takes in a record.
    ///
    /// - Parameter cell: The bytes of a column's cell; empty if the record is too short.
    @inline(__always)
    mutating func note(_ cell: (Int) -> UnsafeRawBufferPointer) {
        records += 1
        if titles.contains(where: { !cell($0).isEmpty }) { titled += 1 }
        if authors.contains(where: { !cell($0).isEmpty }) { authored += 1 }
        guard examined < Self.mostExamined else { return }
        examined += 1
        for index in words.indices {
            let bytes = cell(words[index].column)
            if bytes.count <= 200, bytes.contains(where: { $0.isLetter || $0 >= 0x80 }) {
                words[index].records += 1
                words[index].hasBlank = words[index].hasBlank || bytes.contains(UInt8(ascii: " "))
            }
        }
    }

    /// Warnings for the user before the import.
    func warnings(of file: String) -> [UserWarning] {
        guard isExpected, records > 0 else { return [] }
        let areMany = records >= Self.fewest
        let areSome = records >= Self.fewestForNone
        var warnings: [UserWarning] = []
        let lacksTitles = titled == 0 ? areSome : areMany && records - titled > 1
        // A list of ISBNs and other numbers needs no titles and no authors.
        let isList = titles.isEmpty && !words.contains(where: \.hasBlank)
        if lacksTitles, !isList, titled * 10 <= records * 9 {
            warnings.append(missing("title", in: titles, field: .title, file: file, having: titled))
        }
        if authors.isEmpty {
            if !isList {
                warnings.append(missing("author", in: [], field: .author, file: file, having: 0))
            }
        } else if authored == 0, areSome {
            warnings.append(missing("author", in: authors, field: .author, file: file, having: 0))
        }
        return warnings
    }

    private func missing(
        _ noun: String, in columns: [Int], field: LibraryField, file: String, having count: Int
    ) -> UserWarning {
        let shown = columns.map { "`\(names[$0])`" }.joined(separator: ", ")
        let sentence =
            if columns.isEmpty {
                "No column of `\(file)` is recognized as \(noun)s, so its books are imported without \(noun)s."
            } else if count == 0 {
                "No record of `\(file)` has \(noun == "title" ? "a title" : "an author"): \(shown) \(columns.count == 1 ? "is" : "are") empty."
            } else {
                "\(records - count) of \(records) records of `\(file)` have no title: \(shown) \(columns.count == 1 ? "is" : "are") empty."
            }
        let titleColumn = field == .author && titled == 0 ? self.nearest(to: .title).first : nil
        let nearest = nearest(to: field).filter { $0 != titleColumn }
        guard let first = nearest.first else {
            return UserWarning(
                sentence,
                advice: columns.isEmpty ? nil : "See what etl reads: \(UserCommand.inspect(file: file)).")
        }
        let places = nearest.map { "`\(names[$0])`" }.joined(separator: ", ")
        let place = names[first].contains(",") || names[first].isEmpty ? "#\(first + 1)" : names[first]
        return UserWarning(
            sentence,
            advice:
                "The nearest \(nearest.count == 1 ? "column is" : "columns are") \(places). To use one: \(UserSetting.columns("\(field)=\(place)"))."
        )
    }

    /// The columns without a field that most likely hold it, at most three, the likeliest first.
    private func nearest(to field: LibraryField) -> [Int] {
        let likely = words.filter { $0.records * 2 >= examined || $0.records > 0 && examined < 3 }.map {
            word in
            (
                column: word.column,
                likeness: ColumnNames.standard.likeness(of: HeaderNames.folded(names[word.column]), to: field)
            )
        }
        return likely.sorted { ($1.likeness, $0.column) < ($0.likeness, $1.column) }.prefix(3).map(\.column)
    }
}
