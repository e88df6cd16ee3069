package import Pipeline

/// The reader's own say on columns: `--map title=Titel,isbn13=EAN`, or the `map` of a pipeline file.
package struct ColumnOptions: Sendable, Hashable {
    /// Columns by name, or by number from 1 as `#3`.
    package var columns: [LibraryField: String]

    package init(_ columns: [LibraryField: String] = [:]) { self.columns = columns }

    /// Reads `FIELD=COLUMN,…`. A column name cannot hold a comma here; its number can stand for it.
    ///
    /// - Throws: `configuration` for a field that does not exist, or a pair without `=`.
    package init(parsing text: String) throws(StageFailure) {
        columns = [:]
        for pair in text.split(separator: ",") {
            let sides = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard sides.count == 2, !sides[1].allSatisfy(\.isWhitespace) else {
                throw StageFailure(
                    .configuration, "\u{201C}\(pair)\u{201D} maps no field to a column.",
                    advice:
                        "Write FIELD=COLUMN, as in title=Titel,isbn13=EAN. A column with a comma in its name goes "
                        + "by its number, as in author=#3, or by a mapping file.")
            }
            columns[try Self.field(sides[0])] = String(sides[1].trimmingPrefix(while: \.isWhitespace))
        }
    }

    /// The choice as ``init(parsing:)`` takes it; nil where nothing was chosen.
    package var text: String? {
        let pairs = columns.map { "\($0.key)=\($0.value)" }.sorted()
        return pairs.isEmpty ? nil : pairs.joined(separator: ",")
    }

    /// The chosen columns of a file; nil where it lacks one of them.
    package func columns(in header: HeaderNames) -> [LibraryField: Int]? {
        var found: [LibraryField: Int] = [:]
        for (field, column) in columns {
            guard let index = Self.column(column, in: header) else { return nil }
            found[field] = index
        }
        return found
    }

    /// What the columns of a header mean to a profile, and to the reader, who has the last word; nil where a column
    /// that was chosen is not there.
    package func fields(of header: HeaderNames, by format: any LibraryFormat) -> [LibraryField: Int]? {
        guard let chosen = columns(in: header) else { return nil }
        let taken = Set(chosen.values)
        return format.fields(header).filter { !taken.contains($0.value) }.merging(chosen) { $1 }
    }

    /// Columns chosen that a file does not have.
    package func missing(in header: HeaderNames) -> [String] {
        columns.values.filter { Self.column($0, in: header) == nil }.sorted()
    }

    /// The column of a name, or of a number as `#3`.
    static func column(_ name: String, in header: HeaderNames) -> Int? {
        if let index = header.column([HeaderNames.key(name)]) { return index }
        guard name.hasPrefix("#"), let number = Int(name.dropFirst()),
            number > 0, header.names.indices.contains(number - 1)
        else { return nil }
        return number - 1
    }

    /// The field of a name, in any case.
    static func field(_ name: Substring) throws(StageFailure) -> LibraryField {
        let wanted = name.filter { !$0.isWhitespace }.lowercased()
        if wanted == "isbn" { return .isbn13 }
        guard
            let field = LibraryField.allCases.first(where: { String(describing: $0).lowercased() == wanted })
        else {
            let names = LibraryField.allCases.map { String(describing: $0) }.joined(separator: ", ")
            throw StageFailure(
                .configuration, "There is no field \u{201C}\(name)\u{201D}.", advice: "Fields are \(names).")
        }
        return field
    }
}
