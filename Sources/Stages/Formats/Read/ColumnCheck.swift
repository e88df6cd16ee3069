import Books
import Syntax
import System

/// Compares the columns of a file with those of its format. A column that was renamed would otherwise be missed without
/// a word.
struct ColumnCheck {
    /// Columns shown in a warning.
    private static let mostShown = 5

    private let format: String
    /// Whether the file has no header and was recognized by what its columns contain.
    private let isHeaderLost: Bool
    /// Columns that exports of the format have and this file does not.
    private let missing: [DescribedColumn]
    /// Columns that the format does not know, as spelled in the file.
    private let unknown: [String]

    init(_ file: LibraryFile) {
        format = file.format.name
        isHeaderLost = file.isHeaderLost
        let expected = file.format.expected(file.header)
        guard !expected.isEmpty, file.text != nil else {
            (missing, unknown) = ([], [])
            return
        }
        let described = file.format.described
        let known = Set(described.flatMap(\.names))
        let read = Set(file.columns.fields.values)
        let unknown = file.header.keys.enumerated().filter { number, key in
            !key.isEmpty && !known.contains(key) && !read.contains(number) && !key.hasPrefix("#")
                && !key.hasPrefix("column ") && !file.format.ownColumns.contains(key)
        }.map { file.header.names[$0.offset] }
        func isMissing(_ column: DescribedColumn) -> Bool {
            guard let field = column.field, file.columns[field] == nil else { return false }
            return !file.header.keys.contains {
                file.format.additional($0) == field || column.names.contains($0)
            }
        }
        var missing = expected.filter(isMissing)
        if !unknown.isEmpty {
            let optional = described.filter { column in
                column.field.map(LibraryField.ofReaders.contains) ?? false && isMissing(column)
            }
            for column in optional where !missing.contains(where: { $0.field == column.field }) {
                missing.append(column)
            }
        }
        (self.missing, self.unknown) = (missing, unknown)
    }

    /// Warnings for the user before the import.
    func warnings(of file: String) -> [UserWarning] {
        if isHeaderLost {
            return [
                UserWarning(
                    "`\(file)` has no header: by what its columns contain, it is read as an export of \(format).",
                    advice:
                        "If that is wrong, name the columns: \(UserSetting.header("none")) \(UserSetting.columns("title=#1,author=#2"))."
                )
            ]
        }
        guard !missing.isEmpty else {
            guard !unknown.isEmpty else { return [] }
            return [
                UserWarning(
                    "The format \(format) does not know \(Self.listed(unknown)) of `\(file)`: the cells are kept, but not read.",
                    advice:
                        "To read a column, map it: \(UserSetting.columns("rating=\(Self.place(unknown[0]))"))."
                )
            ]
        }
        let absent =
            "`\(file)` has no \(Self.listed(missing.compactMap(\.names.first))), which exports of \(format) have."
        guard let first = unknown.first, let field = missing.first?.field else {
            return [UserWarning(absent, advice: "If that is not on purpose, export the library again.")]
        }
        return [
            UserWarning(
                absent + " It has \(Self.listed(unknown)), which the format does not know.",
                advice:
                    "If a column was renamed, map it: \(UserSetting.columns("\(field)=\(Self.place(first))"))."
            )
        ]
    }

    /// A column in a mapping.
    private static func place(_ name: String) -> String { name.contains(",") ? "#NUMBER" : name }

    private static func listed(_ names: [String]) -> String {
        "column\(names.count == 1 ? "" : "s") \(names.map { "`\($0)`" }.listed(most: mostShown))"
    }
}

extension [String] {
    /// The first ones, separated by commas, and how many others there are: `a, b and 1 other`.
    func listed(most: Int) -> String {
        let shown = prefix(most).joined(separator: ", ")
        guard count > most else { return shown }
        return "\(shown) and \(count - most) \(count - most == 1 ? "other" : "others")"
    }
}
