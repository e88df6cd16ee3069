package import Bytes

/// The columns of a format whose files have none of their own: an enumeration, each case a column, in the order of
/// the cells. Names are stable: entries of the store keep their cells under them.
package protocol FormatColumn: CaseIterable, RawRepresentable, Sendable where RawValue == Int {
    /// The column's name, as people read it.
    var name: String { get }
    /// What the column means; nil for one that is carried along.
    var field: LibraryField? { get }
}

extension FormatColumn {
    /// All names, in the order of the cells.
    package static var names: [String] { allCases.map(\.name) }

    /// Which column holds which field.
    package static var fields: [LibraryField: Int] {
        var fields: [LibraryField: Int] = [:]
        for column in allCases {
            if let field = column.field { fields[field] = column.rawValue }
        }
        return fields
    }
}

/// The cells of one record, filled in any order.
package struct CellRow<ColumnName: FormatColumn> {
    private var cells: [Text]

    package init() {
        cells = Array(repeating: .none, count: ColumnName.allCases.count)
    }

    package subscript(_ column: ColumnName) -> Text {
        get { cells[column.rawValue] }
        set { cells[column.rawValue] = newValue }
    }

    /// Forgets the record before.
    package mutating func clear() {
        for index in cells.indices { cells[index] = .none }
    }

    /// Appends all cells and returns where they are.
    package func append(to all: inout [Text]) -> Range<Int> {
        let start = all.count
        all.append(contentsOf: cells)
        return start..<all.count
    }
}
