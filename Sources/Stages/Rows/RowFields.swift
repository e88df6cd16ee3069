package import Books
import Bytes
package import Pipeline
import System

/// The fields that expressions over rows can use: all fields that a column can mean, and a few computed ones.
///
/// A field has the value that its format read, otherwise the text of its cell without blanks around it. Dates
/// are written as `2024-05-18`. A rating of 0 is missing, because it means "not rated".
package enum RowFields {
    /// Fields that are computed and cannot be set.
    enum Computed: String, CaseIterable {
        /// The title without series and subtitle in brackets.
        case bareTitle
        /// All people, separated by `; `.
        case authors
        /// The format of the edition: `hardcover`, `paperback`, …
        case format
        /// The number of the row in its file, as a spreadsheet counts.
        case row
    }

    /// The fields in the order of their indexes.
    package static let schema = ExpressionSchema(
        LibraryField.allCases.map { .init(name(of: $0), numbers.contains($0) ? .number : .text) }
            + Computed.allCases.map { .init($0.rawValue, $0 == .row ? .number : .text) }, hasColumns: true)

    /// The name of a field in expressions: `pageCount`.
    package static func name(of field: LibraryField) -> String { String(describing: field) }

    /// Whether a field can be set, by its index.
    @Sendable package static func isSettable(_ index: Int) -> Bool { index < LibraryField.allCases.count }

    /// The field with an index; nil if it is computed.
    static func field(_ index: Int) -> LibraryField? {
        LibraryField.allCases.indices.contains(index) ? LibraryField.allCases[index] : nil
    }

    private static let numbers: Set<LibraryField> = [
        .rating, .averageRating, .pageCount, .yearPublished, .originalYear, .readCount, .ownedCopies,
    ]

    fileprivate static let fields = LibraryField.allCases.map { field in
        (field: field, isNumber: numbers.contains(field))
    }
    fileprivate static let computed = Computed.allCases
}

/// A row as the record of an expression.
struct RowRecord: ExpressionRecord {
    let rows: LibraryRows
    let number: Int
    /// For each column of the expression its index in the file; nil if the file has none.
    let columns: [Int?]

    func value(ofField index: Int) -> ExpressionValue {
        guard index < RowFields.fields.count else { return computed(index - RowFields.fields.count) }
        let (field, isNumber) = RowFields.fields[index]
        let cell = rows.cell(field, ofRow: number)
        guard !cell.isEmpty else { return .missing }
        switch field {
        case .dateRead, .dateStarted, .dateAdded, .purchaseDate: return date(cell)
        case .isbn10, .isbn13: return isbn(cell)
        default: break
        }
        guard isNumber else { return text(cell) }
        guard let value = text(cell).number, field != .rating || value != 0 else { return .missing }
        return .number(value)
    }

    func value(ofColumn index: Int) -> ExpressionValue {
        guard let column = columns[index] else { return .missing }
        return text(rows.cell(column: column, of: rows.rows[number]))
    }

    private func computed(_ index: Int) -> ExpressionValue {
        let row = rows.rows[number]
        switch RowFields.computed[index] {
        case .bareTitle: return text(row.title)
        case .authors:
            return ExpressionValue(
                text: row.people.map { rows.arena[rows.people[$0].name] }.joined(separator: "; "))
        case .format: return row.format.map { .text(String(describing: $0)) } ?? .missing
        case .row: return .number(Double(row.position.record))
        }
    }

    private func text(_ text: Text) -> ExpressionValue {
        let trimmed = rows.arena.withBytes(text) { $0.trimmedBlanks }
        return ExpressionValue(text: rows.arena[text.part(trimmed)])
    }

    private func date(_ cell: Text) -> ExpressionValue {
        guard let written = rows.arena.withBytes(cell, { DateText($0) }),
            let date = written.date(rows.columns.dateOrder)
        else { return text(cell) }
        var bytes: [UInt8] = []
        date.append(to: &bytes)
        return .text(String(decoding: bytes, as: UTF8.self))
    }

    /// The number without the `="…"` by which spreadsheets keep it a text.
    private func isbn(_ cell: Text) -> ExpressionValue {
        guard case .text(let value) = text(cell), value.hasPrefix("=\""), value.hasSuffix("\""),
            value.utf8.count >= 3
        else { return text(cell) }
        return ExpressionValue(text: String(value.dropFirst(2).dropLast()))
    }
}

extension LibraryRows {
    /// The values of an expression for all rows.
    func values(of expression: RecordExpression) -> [ExpressionValue] {
        let names = columns.names
        let places = expression.columns.map { names.firstIndex(of: $0) }
        return rows.indices.map {
            expression.value(of: RowRecord(rows: self, number: $0, columns: places))
        }
    }

    /// The rows for which a condition is not true, ascending.
    func rows(without condition: RecordExpression) -> [Int] {
        values(of: condition).enumerated().filter { !$0.element.isTrue }.map(\.offset)
    }
}
