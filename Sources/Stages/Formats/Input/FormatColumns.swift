package import Books
import Bytes
import Syntax

/// The columns of an export format, their meaning, and those that distinguish it from other formats.
package struct FormatColumns: Sendable {
    /// A column with all its names.
    struct Column: Sendable {
        /// Nil if the column is not mapped.
        var field: LibraryField?
        /// Its names in all layouts, as ``HeaderNames`` compares them. The first one that a file has counts.
        var names: [String]
        /// Whether it counts for the score.
        var isDistinctive: Bool
        /// Whether the format itself reads it, in addition to the field's own column or in its place.
        var isAdditional = false
        /// Whether the format reads all of an additional column, so that nothing else of it needs to be kept.
        var isWhole = false

        /// A column that every layout has, or that no other format has.
        static func distinctive(_ field: LibraryField?, _ names: String...) -> Column {
            Column(field: field, names: names, isDistinctive: true)
        }

        /// A column that does not count for the score, because some layouts lack it or most formats have it.
        static func common(_ field: LibraryField, _ names: String...) -> Column {
            Column(field: field, names: names, isDistinctive: false)
        }

        /// A column that the format reads into a field with its own column.
        static func additional(_ field: LibraryField, _ names: String...) -> Column {
            Column(field: field, names: names, isDistinctive: false, isAdditional: true)
        }

        /// A second column of a field, which the format reads completely.
        static func second(_ field: LibraryField, _ names: String...) -> Column {
            Column(field: field, names: names, isDistinctive: false, isAdditional: true, isWhole: true)
        }
    }

    private let columns: [Column]
    private let unmapped: [String]
    private let combined: [String]

    /// Both lists are for the documentation.
    ///
    /// - Parameters:
    ///   - unmapped: Names of columns that its files have and no field uses.
    ///   - combined: Names of columns without a field of their own that the format reads together with others.
    init(_ columns: [Column], unmapped: [String] = [], combined: [String] = []) {
        self.columns = columns
        self.unmapped = unmapped
        self.combined = combined
    }

    /// Meaning of each column, for the documentation.
    var described: [DescribedColumn] {
        var described: [DescribedColumn] = []
        for column in columns where column.field != nil {
            let known = described.contains { one in
                one.field == column.field && column.names.allSatisfy(one.names.contains)
            }
            if !known { described.append(DescribedColumn(names: column.names, field: column.field)) }
        }
        let used = Set(described.flatMap(\.names))
        let others = columns.filter { $0.field == nil }.flatMap(\.names) + unmapped
        return described
            + combined.map { DescribedColumn(names: [$0], field: nil, isCombined: true) }
            + others.filter { !used.contains($0) && !combined.contains($0) }.map {
                DescribedColumn(names: [$0], field: nil)
            }
    }

    /// The columns that distinguish the format and hold what a reader would miss. Some programs let their users leave
    /// out others.
    var expected: [DescribedColumn] {
        columns.filter { $0.isDistinctive && $0.field.map(LibraryField.ofReaders.contains) ?? false }.map {
            DescribedColumn(names: $0.names, field: $0.field)
        }
    }

    /// The share of the distinctive columns that a header has.
    func score(_ header: HeaderNames) -> Double {
        let keys = Set(header.keys)
        let distinctive = columns.filter(\.isDistinctive)
        let found = distinctive.count { $0.names.contains(where: keys.contains) }
        return Double(found) / Double(max(1, distinctive.count))
    }

    /// The field that a format reads a column into, besides that field's own column.
    ///
    /// - Parameter key: The column's name as compared.
    func additional(_ key: String) -> LibraryField? {
        columns.first { $0.isAdditional && $0.names.contains(key) }?.field
    }

    /// The field for which a column is a second one.
    ///
    /// - Parameter key: The column's name as compared.
    func second(_ key: String) -> LibraryField? {
        columns.first { $0.isWhole && $0.names.contains(key) }?.field
    }

    /// The fields of a header's columns. A column is used for the first field that matches it.
    func fields(_ header: HeaderNames) -> [LibraryField: Int] {
        var fields: [LibraryField: Int] = [:]
        var taken: Set<Int> = []
        for column in columns where !column.isAdditional {
            guard let field = column.field, fields[field] == nil, let index = header.column(column.names),
                taken.insert(index).inserted
            else { continue }
            fields[field] = index
        }
        return fields
    }
}

/// A format whose score and mapping follow from its columns.
package protocol TabularFormat: LibraryFormat {
    static var columns: FormatColumns { get }
}

extension TabularFormat {
    package func score(_ header: HeaderNames) -> Double { Self.columns.score(header) }

    package func fields(_ header: HeaderNames) -> [LibraryField: Int] { Self.columns.fields(header) }

    package func additional(_ key: String) -> LibraryField? { Self.columns.additional(key) }

    package func second(_ key: String) -> LibraryField? { Self.columns.second(key) }

    package var described: [DescribedColumn] { Self.columns.described }

    package func expected(_ header: HeaderNames) -> [DescribedColumn] { Self.columns.expected }
}

/// Meaning of a column of a format.
package struct DescribedColumn: Sendable, Hashable {
    /// Its names, as ``HeaderNames`` compares them.
    package var names: [String]
    /// Nil if it has no field. Its cells are kept.
    package var field: LibraryField?
    /// Whether the format reads it together with other columns.
    package var isCombined = false
}

/// The column names of a file, as spelled and as compared.
package struct HeaderNames: Sendable, Hashable {
    /// Names as the file spells them, without surrounding whitespace and byte order mark.
    package let names: [String]
    /// Names as they are compared: see ``key(_:)``.
    package let keys: [String]
    /// Names as ``ColumnNames`` compares them.
    var folded: [String] { keys.map { Self.folded($0) } }

    /// The same with a space before each capital letter within a word: `dateRead` becomes `date read`.
    var spaced: [String] {
        names.map { name in
            var spaced = ""
            for character in name {
                if character.isUppercase, spaced.last?.isLowercase == true { spaced.append(" ") }
                spaced.append(character)
            }
            return Self.folded(Self.key(spaced))
        }
    }

    /// Creates names from the cells of a header.
    package init(_ cells: [String]) {
        names = cells.map { Self.cleaned(Self.decoded($0)) }
        keys = names.map { Self.key($0) }
    }

    /// A name that was encoded in UTF-8 twice, as it was meant: `TÃ\u{AD}tulo`.
    private static func decoded(_ cell: String) -> String {
        guard !cell.utf8.allSatisfy({ $0 < 0x80 }) else { return cell }
        var cell = cell
        let text = cell.withUTF8 { DoubleEncoding.decoded(UnsafeRawBufferPointer($0)) }
        return text.map { String(decoding: $0.text, as: UTF8.self) } ?? cell
    }

    package var count: Int { names.count }

    /// The first column with one of the names, which are tried in order.
    package func column(_ candidates: [String]) -> Int? {
        for candidate in candidates {
            if let column = keys.firstIndex(of: candidate) { return column }
        }
        return nil
    }

    /// A name as it is compared: lower case, without enclosing quotes (LibraryThing writes `'TITLE'`), and
    /// with `_`, `-` and whitespace as one space. `Author l-f` becomes `author l f`.
    package static func key(_ name: String) -> String {
        var bare = Substring(cleaned(name))
        while let first = bare.first, bare.count > 1, first == bare.last, first == "'" || first == "\"" {
            bare = bare.dropFirst().dropLast()
        }
        return bare.lowercased().split { $0.isWhitespace || $0 == "_" || $0 == "-" }.joined(separator: " ")
    }

    /// A name as ``ColumnNames`` compares it: without accents and punctuation, and without an ending in brackets.
    /// `Autor(en)` becomes `autor`.
    static func folded(_ name: String) -> String {
        var bare = Substring(name)
        if bare.last == ")", let open = bare.lastIndex(of: "("), open > bare.startIndex,
            bare.distance(from: open, to: bare.endIndex) <= 8, !bare[open...].contains(where: \.isNumber)
        {
            bare = bare[..<open]
        }
        return Folding.fold(String(bare))
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

    /// Names for columns without a header: `Column 1`.
    package static func numbered(_ count: Int) -> [String] { (0..<count).map { "Column \($0 + 1)" } }
}

extension LibraryField {
    /// What a reader would miss.
    static let ofReaders: Set<LibraryField> = [
        .title, .author, .additionalAuthors, .rating, .exclusiveShelf, .shelves, .dateRead, .dateAdded,
        .review,
        .privateNotes, .isbn13,
    ]
}
