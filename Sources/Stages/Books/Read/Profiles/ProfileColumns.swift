/// The columns of an exporter's files: what each means, and which of them tell its files from others'.
package struct ProfileColumns: Sendable {
    /// A column in all its spellings.
    struct Column: Sendable {
        /// Nil for one that is carried along.
        var field: LibraryField?
        /// Its names in all dialects as ``HeaderNames`` compares them, the first that a file has counting.
        var names: [String]
        /// Whether it counts for the score.
        var isTelling: Bool

        /// A column that every dialect has, or that nobody else has.
        static func telling(_ field: LibraryField?, _ names: String...) -> Column {
            Column(field: field, names: names, isTelling: true)
        }

        /// A column that tells nothing: some dialects lack it, or everybody has it.
        static func usual(_ field: LibraryField, _ names: String...) -> Column {
            Column(field: field, names: names, isTelling: false)
        }
    }

    private let columns: [Column]

    init(_ columns: [Column]) { self.columns = columns }

    /// The share of the telling columns that a header has.
    func score(_ header: HeaderNames) -> Double {
        let keys = Set(header.keys)
        let telling = columns.filter(\.isTelling)
        let found = telling.count { $0.names.contains(where: keys.contains) }
        return Double(found) / Double(max(1, telling.count))
    }

    /// What a header's columns mean. A column serves the first field that asks for it.
    func fields(_ header: HeaderNames) -> [LibraryField: Int] {
        var fields: [LibraryField: Int] = [:]
        var taken: Set<Int> = []
        for column in columns {
            guard let field = column.field, fields[field] == nil, let index = header.column(column.names),
                taken.insert(index).inserted
            else { continue }
            fields[field] = index
        }
        return fields
    }
}

/// A profile whose score and mapping are its columns'.
package protocol TabularFormat: LibraryFormat {
    /// Its columns.
    static var columns: ProfileColumns { get }
}

extension TabularFormat {
    package func score(_ header: HeaderNames) -> Double { Self.columns.score(header) }

    package func fields(_ header: HeaderNames) -> [LibraryField: Int] { Self.columns.fields(header) }
}
