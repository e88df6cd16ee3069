package import Books
import Bytes
package import Pipeline
package import System

/// A mapping file (`Pipelines/mappings/`): which column of a table is which field.
package struct ColumnMapping: Sendable, Hashable {
    /// The path it was read from, or its name.
    package var path: String
    /// The format's name in the store: letters, digits, `.`, `_` and `-`.
    package var name: String
    /// For each field the possible names of its column, tried in order; `#3` is the third column.
    package var columns: [LibraryField: [String]]
    /// The rating that equals five stars.
    package var bestRating: Double
    /// Order of day and month in dates that end with the year; nil to determine it from the table.
    package var dateOrder: DateOrder?
    /// Options for the text itself.
    package var text: TextOptions
}

/// A mapping file:
///
/// ```yaml
/// name: bookcase                    # required: letters, digits, . _ -
/// description: My spreadsheet.
/// columns:                          # required: FIELD: COLUMN, or a list of names tried in order
///   title: Titel
///   isbn13: [EAN, ISBN]
///   author: "#3"                    # the third column
/// rating: 10                        # the rating that equals five stars; default 5
/// dates: month-first                # how 2/4/2026 is read, or day-first; default: determined from the dates
/// text:                             # overrides the guesses
///   encoding: windows-1252          # UTF-8, UTF-16LE, UTF-16BE, windows-1250, -1251, -1252, macintosh
///   delimiter: ";"                  # one character, or tab
///   quote: none                     # one character, or none
///   header: 3                       # number of its record, or none
/// ```
extension ColumnMapping {
    private static let keys = ["name", "description", "columns", "rating", "dates", "text"]
    private static let textKeys = ["encoding", "delimiter", "quote", "header"]

    /// Reads a mapping file.
    ///
    /// - Throws: `missing` if the file cannot be read; `configuration` with all problems in it, each with
    ///   line and column.
    package init(file path: String) throws(ETLError) {
        do throws(DefinitionError) {
            try self.init(try DefinitionFile.load(path), named: path)
        } catch {
            throw error.failure
        }
    }

    /// Reads the bytes of a mapping file.
    ///
    /// - Parameter file: Its name in errors.
    package init(_ bytes: [UInt8], named file: String) throws(DefinitionError) {
        let root =
            try YAMLReader.read(bytes, named: file)
            ?? DefinitionNode(.mapping([]), at: .file(file, line: 1, column: 1))
        var reader = MappingReader(root, "a mapping file", keys: Self.keys)
        reader.refuseUnknownKeys()
        reader.demand("name", example: "name: bookcase")
        reader.demand("columns", example: "columns: { title: Name }")
        let name = reader.name("name", signs: "._-")
        _ = reader.text("description")
        var problems: [DefinitionProblem] = []
        let columns = Self.columns(reader.node("columns"), &problems)
        let rating = Self.rating(reader.text("rating"), &problems)
        let order = Self.dateOrder(reader.text("dates"), &problems)
        let text = reader.node("text").map { Self.text($0, &problems) } ?? TextOptions()
        problems += reader.problems
        guard problems.isEmpty, let name else { throw DefinitionError(problems) }
        self.init(
            path: file, name: name.text, columns: columns, bestRating: rating, dateOrder: order, text: text)
    }

    private static func columns(
        _ node: DefinitionNode?, _ problems: inout [DefinitionProblem]
    ) -> [LibraryField: [String]] {
        var columns: [LibraryField: [String]] = [:]
        for entry in node?.entries ?? [] {
            guard let field = try? ColumnOptions.field(entry.key[...]) else {
                let names = LibraryField.allCases.map { String(describing: $0) }
                problems.append(
                    DefinitionProblem(
                        .unknownKey, at: entry.origin, "There is no field `\(entry.key)`.",
                        advice: Spelling.advice(for: entry.key, among: names, called: "Fields are")))
                continue
            }
            let items: [DefinitionNode] =
                if case .sequence(let items) = entry.value.content { items } else { [entry.value] }
            let names = items.compactMap(\.text)
            guard names.count == items.count, !names.isEmpty else {
                problems.append(
                    DefinitionProblem(
                        .wrongValue, at: entry.value.origin,
                        "A column must be a name or a list of names, not \(entry.value.words)."))
                continue
            }
            columns[field] = names
        }
        if let node, node.entries == nil {
            problems.append(
                DefinitionProblem(
                    .wrongValue, at: node.origin, "`columns` must be a mapping, not \(node.words).",
                    advice: "Write `FIELD: COLUMN` lines."))
        }
        return columns
    }

    private static func rating(
        _ given: (text: String, origin: ValueOrigin)?, _ problems: inout [DefinitionProblem]
    ) -> Double {
        guard let given else { return StarRating.most }
        if let rating = Double(given.text), (1...100).contains(rating) { return rating }
        problems.append(
            DefinitionProblem(
                .outOfBounds, at: given.origin,
                "`rating` must be a number from 1 to 100, not `\(given.text)`.")
        )
        return StarRating.most
    }

    private static func dateOrder(
        _ given: (text: String, origin: ValueOrigin)?, _ problems: inout [DefinitionProblem]
    ) -> DateOrder? {
        guard let given else { return nil }
        if let order = DateOrder(rawValue: given.text) { return order }
        problems.append(
            DefinitionProblem(
                .wrongValue, at: given.origin,
                "`dates` must be \(DateOrder.requirement), not `\(given.text)`."))
        return nil
    }

    private static func text(_ node: DefinitionNode, _ problems: inout [DefinitionProblem]) -> TextOptions {
        var reader = MappingReader(node, "`text`", keys: textKeys)
        reader.refuseUnknownKeys()
        var choice = TextOptions()
        for key in textKeys {
            guard let given = reader.text(key) else { continue }
            if !choice.take(key, given.text) {
                problems.append(
                    DefinitionProblem(
                        .wrongValue, at: given.origin,
                        "`\(key)` must be \(TextOptions.requirement(key)), not `\(given.text)`."))
            }
        }
        problems += reader.problems
        return choice
    }
}

/// The format that a mapping file describes: its columns, with the reading steps common to all tables.
package struct MappedFormat: LibraryFormat {
    private let mapping: ColumnMapping

    package init(_ mapping: ColumnMapping) { self.mapping = mapping }

    package var name: String { mapping.name }

    /// It is used only if named, never guessed.
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
