import Bytes

/// The interpretation of records of MARC, whichever syntax they came in.
extension LibraryRows {
    /// Fills a row whose cells are those of ``MARCColumn``.
    mutating func readMARC(_ row: inout LibraryRow) {
        let material = cells[row.cells.lowerBound + MARCColumn.material.rawValue]
        if !material.isEmpty, ["film", "music recording", "object"].contains(arena[material]) {
            row.refusal = .notABook
        }
        row.title = arena.folded(cell(.title, of: row))
        readSeriesColumn(of: &row)
        readPeople(of: &row, names: MARCColumn.people.rawValue, roles: MARCColumn.roles.rawValue)
        readFormat(of: &row)
    }
}
