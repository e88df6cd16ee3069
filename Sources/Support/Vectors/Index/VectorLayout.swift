/// Where the rows of a file of vectors are. Rows are in blocks; a block has its columns one after the other, so that a
/// search reads the int8 numbers of all its rows in one piece and nothing else.
///
///     header │ block: ids, keys, texts (8 bytes each) │ factors (4) │ int8 numbers │ halves │ block …
struct VectorLayout: Sendable {
    /// Rows of a block.
    static let blockRows = 1_024

    let dimension: Int

    /// Numbers of a row of int8 numbers: the dimension, filled up to a whole number of processor registers.
    var stride: Int { (dimension + 31) & ~31 }

    var blockBytes: Int { Self.blockRows * (28 + stride + dimension * 2) }

    /// The columns of a block.
    enum Column: CaseIterable {
        case ids, keys, texts, factors, bytes, halves
    }

    /// Bytes of a row in a column.
    func width(of column: Column) -> Int {
        switch column {
        case .ids, .keys, .texts: 8
        case .factors: 4
        case .bytes: stride
        case .halves: dimension * 2
        }
    }

    /// Offset of a row's value in the file.
    func offset(of column: Column, row: Int) -> Int {
        var offset = VectorHeader.byteCount + row / Self.blockRows * blockBytes
        for other in Column.allCases {
            if other == column { break }
            offset += Self.blockRows * width(of: other)
        }
        return offset + row % Self.blockRows * width(of: column)
    }

    /// Length of a file with some rows: whole blocks.
    func fileSize(rows: Int) -> Int {
        VectorHeader.byteCount + (rows + Self.blockRows - 1) / Self.blockRows * blockBytes
    }
}

/// What a vector belongs to.
package struct VectorItem: Sendable, Hashable {
    /// A number that is not 0.
    package var id: Int64
    /// Distinguishes things that had the same number at different times.
    package var key: UInt64
    /// The hash of the text that was embedded.
    package var text: UInt64

    package init(id: Int64, key: UInt64, text: UInt64) {
        self.id = id
        self.key = key
        self.text = text
    }
}
