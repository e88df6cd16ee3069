/// The items of a file with vectors, ascending by id. Takes 16 bytes of memory for each.
package struct VectorItems: Sendable {
    let rows: [(id: Int64, row: UInt32)]
    private let file: MappedFile?
    private let layout: VectorLayout

    /// No items.
    package init() {
        (rows, file) = ([], nil)
        layout = VectorLayout(dimension: 1)
    }

    /// The items of the first rows of a file.
    init(_ file: MappedFile, _ layout: VectorLayout, _ count: Int) {
        self.file = file
        self.layout = layout
        var rows: [(id: Int64, row: UInt32)] = []
        rows.reserveCapacity(count)
        for row in 0..<count {
            let id = file.bytes.loadUnaligned(
                fromByteOffset: layout.offset(of: .ids, row: row), as: Int64.self)
            if id != 0 { rows.append((id, UInt32(row))) }
        }
        rows.sort { ($0.id, $0.row) < ($1.id, $1.row) }
        self.rows = rows
    }

    /// Number of items.
    package var count: Int { rows.count }

    /// The row and content of an item.
    package subscript(_ index: Int) -> (row: Int, item: VectorItem) {
        let row = Int(rows[index].row)
        func load(_ column: VectorLayout.Column) -> UInt64 {
            file?.bytes.loadUnaligned(fromByteOffset: layout.offset(of: column, row: row), as: UInt64.self)
                ?? 0
        }
        return (row, VectorItem(id: rows[index].id, key: load(.keys), text: load(.texts)))
    }
}
