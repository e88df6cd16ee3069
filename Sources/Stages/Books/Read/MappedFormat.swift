import Bytes

/// The profile that a mapping file describes: its columns, and the steps that are the same for all tables.
package struct MappedFormat: LibraryFormat {
    private let mapping: ColumnMapping

    package init(_ mapping: ColumnMapping) { self.mapping = mapping }

    package var name: String { mapping.name }

    /// It is named, never guessed.
    package func score(_ header: HeaderNames) -> Double { 0 }

    package func fields(_ header: HeaderNames) -> [LibraryField: Int] {
        var fields: [LibraryField: Int] = [:]
        for (field, names) in mapping.columns {
            fields[field] = names.lazy.compactMap { ColumnOptions.column($0, in: header) }.first
        }
        return fields
    }

    package func interpret(_ row: inout LibraryRow, in rows: inout LibraryRows) {
        if mapping.bestRating != StarRating.most {
            let cell = rows.cell(.rating, of: row)
            if let stars = rows.arena.withBytes(cell, { StarRating.number($0) }), stars <= mapping.bestRating
            {
                let scaled = (stars * StarRating.most / mapping.bestRating * 4).rounded() / 4
                rows.read(.rating, as: rows.arena.append("\(scaled)"), of: &row)
            }
        }
        rows.readPlainTable(&row)
    }
}
