package import Books
import Pipeline
package import System

/// The user's column mapping: `--map title=Name,isbn13=EAN`, or `map` in a pipeline file.
package struct ColumnOptions: Sendable, Hashable {
    /// Columns by name, or by number counted from 1, as in `#3`.
    package var columns: [LibraryField: String]

    package init(_ columns: [LibraryField: String] = [:]) { self.columns = columns }

    /// Parses `FIELD=COLUMN,…`. A column name with a comma cannot be written here; use the column's number.
    ///
    /// - Throws: `configuration` for an unknown field, or a pair without `=`.
    package init(parsing text: String) throws(ETLError) {
        columns = [:]
        for pair in text.split(separator: ",") {
            let sides = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard sides.count == 2, !sides[1].allSatisfy(\.isWhitespace) else {
                throw ETLError(
                    .configuration, "`\(pair)` does not map a field to a column.",
                    advice: """
                        Write FIELD=COLUMN, as in title=Name,isbn13=EAN. If a column name contains a comma, use the \
                        column's number, as in author=#3, or a mapping file.
                        """)
            }
            columns[try Self.field(sides[0])] = String(sides[1].trimmingPrefix(while: \.isWhitespace))
        }
    }

    /// The mapping in the form that ``init(parsing:)`` accepts; nil if it is empty.
    package var text: String? {
        let pairs = columns.map { "\($0.key)=\($0.value)" }.sorted()
        return pairs.isEmpty ? nil : pairs.joined(separator: ",")
    }

    /// The mapped columns in a file; nil if the file lacks one of them.
    package func columns(in header: HeaderNames) -> [LibraryField: Int]? {
        var found: [LibraryField: Int] = [:]
        for (field, column) in columns {
            guard let index = Self.column(column, in: header) else { return nil }
            found[field] = index
        }
        return found
    }

    /// The fields of a header: the format's, overridden by the user's; nil if the file lacks a mapped
    /// column.
    package func fields(of header: HeaderNames, by format: any LibraryFormat) -> [LibraryField: Int]? {
        guard let chosen = columns(in: header) else { return nil }
        let taken = Set(chosen.values)
        var fields = format.fields(header).filter { !taken.contains($0.value) }.merging(chosen) { $1 }
        // A layout of a known exporter may have authors in a column that its format does not know.
        let authors: [LibraryField] = [.author, .authorLastFirst, .additionalAuthors]
        if !authors.contains(where: { fields[$0] != nil }) {
            let used = Set(fields.values)
            for (field, column) in ColumnNames.standard.fields(header)
            where authors.contains(field) && !used.contains(column) { fields[field] = column }
        }
        return fields
    }

    /// Mapped columns that a file does not have.
    package func missing(in header: HeaderNames) -> [String] {
        columns.values.filter { Self.column($0, in: header) == nil }.sorted()
    }

    /// The column with this name, or with this number as in `#3`.
    static func column(_ name: String, in header: HeaderNames) -> Int? {
        if let index = header.column([HeaderNames.key(name)]) { return index }
        guard name.hasPrefix("#"), let number = Int(name.dropFirst()),
            number > 0, header.names.indices.contains(number - 1)
        else { return nil }
        return number - 1
    }

    /// The field with this name, ignoring case and whitespace.
    static func field(_ name: Substring) throws(ETLError) -> LibraryField {
        let wanted = name.filter { !$0.isWhitespace }.lowercased()
        if wanted == "isbn" { return .isbn13 }
        guard
            let field = LibraryField.allCases.first(where: { String(describing: $0).lowercased() == wanted })
        else {
            let names = LibraryField.allCases.map { String(describing: $0) }
            throw ETLError(
                .configuration, "There is no field `\(name)`.",
                advice: Spelling.advice(for: String(name), among: names.sorted(), called: "Fields")
                    .map { UserText($0) })
        }
        return field
    }
}
