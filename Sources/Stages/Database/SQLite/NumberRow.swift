/// A row of a table of two numbers, of which the first is its id.
package struct NumberRow: AppendedRow {
    package var id: Int64
    package var value: Int64

    package init(id: Int64, value: Int64) {
        self.id = id
        self.value = value
    }

    package func put<Row: RowValues & ~Copyable>(into row: inout Row, from source: Void) { row.add(value) }
}
