/// The columns of an exporter's files: what each means, and which of them tell its files from others'.
package struct ProfileColumns: Sendable {
    /// A column in all its spellings.
    struct Column: Sendable {
        /// Nil for one that is carried along.
        var field: LibraryField?
        /// Its names in all dialects as ``HeaderNames`` compares them, the first that a file has counting.
        var names: [String]
        /// Whether it counts for the score.
        var isDistinctive: Bool

        /// A column that every dialect has, or that nobody else has.
        static func distinctive(_ field: LibraryField?, _ names: String...) -> Column {
            Column(field: field, names: names, isDistinctive: true)
        }

        /// A column that tells nothing: some dialects lack it, or everybody has it.
        static func common(_ field: LibraryField, _ names: String...) -> Column {
            Column(field: field, names: names, isDistinctive: false)
        }
    }

    private let columns: [Column]

    init(_ columns: [Column]) { self.columns = columns }

    /// The share of the telling columns that a header has.
    func score(_ header: HeaderNames) -> Double {
        let keys = Set(header.keys)
        let distinctive = columns.filter(\.isDistinctive)
        let found = distinctive.count { $0.names.contains(where: keys.contains) }
        return Double(found) / Double(max(1, distinctive.count))
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

/// The column names of a file, as it spells them and as they are compared.
package struct HeaderNames: Sendable, Hashable {
    /// Names as the file spells them, without blanks at either end or a byte order mark.
    package let names: [String]
    /// Names as they are compared: see ``key(_:)``.
    package let keys: [String]

    /// Takes the cells of a header, in their order.
    package init(_ cells: [String]) {
        names = cells.map { Self.cleaned($0) }
        keys = names.map { Self.key($0) }
    }

    package var count: Int { names.count }

    /// The first column of one of the names, which are tried in their order.
    package func column(_ candidates: [String]) -> Int? {
        for candidate in candidates {
            if let column = keys.firstIndex(of: candidate) { return column }
        }
        return nil
    }

    /// How a name is compared: lower-case, without quotes around it (LibraryThing writes `'TITLE'`), with
    /// `_`, `-` and runs of blanks as one space: `Author l-f` is `author l f`.
    package static func key(_ name: String) -> String {
        var bare = Substring(cleaned(name))
        while let first = bare.first, bare.count > 1, first == bare.last, first == "'" || first == "\"" {
            bare = bare.dropFirst().dropLast()
        }
        return bare.lowercased().split { $0.isWhitespace || $0 == "_" || $0 == "-" }.joined(separator: " ")
    }

    private static func cleaned(_ name: String) -> String {
        var bare = Substring(name)
        while let first = bare.unicodeScalars.first, first == "\u{FEFF}" || first.properties.isWhitespace {
            bare.unicodeScalars.removeFirst()
        }
        while let last = bare.unicodeScalars.last, last.properties.isWhitespace {
            bare.unicodeScalars.removeLast()
        }
        return String(bare)
    }

    /// Names of columns that nobody named: `Column 1`.
    package static func numbered(_ count: Int) -> [String] { (0..<count).map { "Column \($0 + 1)" } }
}
