import Books
import Bytes
import Pipeline

/// Names of columns in tables without a known format, in seven languages. The table is `column_names.tsv`.
struct ColumnNames: Sendable {
    /// The built-in table.
    static let standard = PackageResources.column_names_tsv.withUnsafeBytes { ColumnNames($0) }

    /// The names of each field, in the order in which fields and names are tried.
    private let fields: [(field: LibraryField, names: [String])]

    init(_ table: UnsafeRawBufferPointer) {
        let byName = Dictionary(
            uniqueKeysWithValues: LibraryField.allCases.map { (String(describing: $0), $0) })
        fields = TableLines(table).compactMap { line in
            guard let field = byName[String(decoding: line.field(0), as: UTF8.self)] else { return nil }
            return (field, line.items(1).map { HeaderNames.folded(String(decoding: $0, as: UTF8.self)) })
        }
    }

    /// Meaning of the names, for the documentation.
    var described: [DescribedColumn] { fields.map { DescribedColumn(names: $0.names, field: $0.field) } }

    /// The column of each field. A column is used for the first field that has its name: a plain `ISBN` is the
    /// ISBN-13 unless there is a better column.
    func fields(_ header: HeaderNames) -> [LibraryField: Int] {
        // A name can be written as in programs: `dateRead`.
        let columns = Dictionary((header.folded + header.spaced).enumerated().map { ($1, $0 % header.count) })
        {
            first, _ in first
        }
        var found: [LibraryField: Int] = [:]
        var taken: Set<Int> = []
        for (field, names) in fields {
            guard let column = names.lazy.compactMap({ columns[$0] }).first, taken.insert(column).inserted
            else {
                continue
            }
            found[field] = column
        }
        return found
    }

    /// Likeness of a column's folded name to a field whose column was not recognized; 0 for none.
    func likeness(of name: String, to field: LibraryField) -> Int {
        guard let names = fields.first(where: { $0.field == field })?.names else { return 0 }
        let words = Set(name.split(separator: " ").map(String.init))
        if names.contains(where: { words.contains($0) }) { return 3 }
        let long = names.filter { $0.count >= 4 }
        if long.contains(where: { name.contains($0) }) { return 2 }
        return Spelling.nearest(to: name, among: long) == nil ? 0 : 1
    }
}
