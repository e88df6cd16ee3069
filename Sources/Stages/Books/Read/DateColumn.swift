/// A column that holds dates.
package struct DateColumn {
    package var column: Int
    /// Whether they tell how old an export is.
    var tellsAge: Bool

    package static func all(of columns: ColumnMap) -> [DateColumn] {
        let fields: [LibraryField] = [.dateAdded, .dateRead, .dateStarted, .purchaseDate]
        return fields.compactMap { field in
            columns[field].map {
                DateColumn(column: $0, tellsAge: field == .dateAdded || field == .dateRead)
            }
        }
    }
}
