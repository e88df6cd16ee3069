/// A row of a table of two numbers, of which the first is its id.
struct NumberRow: AppendedRow {
    var id: Int64
    var value: Int64

    func put<Row: RowValues & ~Copyable>(into row: inout Row, from source: Void) { row.add(value) }
}
