import Bytes

extension LibraryRows {
    /// Decodes the cells of a row that are no UTF-8, each for itself, and says of the first what it became.
    mutating func decodeMixedText(of row: inout LibraryRow) {
        for index in row.cells {
            guard let decoded = arena.withBytes(cells[index], { MixedEncoding.decoded($0) }) else { continue }
            let text = arena.append(decoded)
            cells[index] = text
            guard row.notices.isEmpty else { continue }
            let column = index - row.cells.lowerBound
            let name = columns.names.indices.contains(column) ? columns.names[column] : nil
            let shown = arena[text.part(0..<min(Int(text.length), Self.shownBytes))]
            row.notices.append(Notice(.textDecoded, field: name, value: shown))
        }
    }
}
