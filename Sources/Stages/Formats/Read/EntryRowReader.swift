package import Books
import Bytes
import System

/// Contents of a stored row, read again by the format of its file.
package struct EntryRow: Sendable {
    /// The fields' values, without those that are empty.
    package var values: [LibraryField: String] = [:]
    /// Title without its series.
    package var title = ""
    package var series: [LibraryEntry.Series] = []
    package var people: [LibraryEntry.Contributor] = []
    package var format: EditionFormat?
    /// Whether the language is that of the title's words: `Momo (German Edition)`.
    package var isLanguageInTitle = false
    /// In the order of the file, with dates as the file writes them.
    package var readings: [(started: String, finished: String)] = []

    /// An empty row.
    package init() {}

    /// Gives people the names that rules say.
    package mutating func rename(by rules: MappingRules) {
        var named: [LibraryEntry.Contributor] = []
        for person in people {
            let name = rules.name(of: person.name)
            if named.contains(where: { $0.name == name }) { continue }
            named.append(LibraryEntry.Contributor(name: name, role: person.role))
        }
        people = named
    }
}

/// Reads the stored cells of entries again, as an import read them. Only the text itself is not decoded again.
package struct EntryRowReader {
    private let format: any LibraryFormat
    private let columns: ColumnMap
    /// The key of each column, and the field that uses it.
    package let cells: [(key: String, field: LibraryField?)]
    /// Keys of columns without data of the user.
    package var ownColumns: Set<String> { format.ownColumns }

    /// - Parameters:
    ///   - formatName: The format that read the row.
    ///   - names: The names of the row's columns.
    /// - Returns: Nil if the format is not built in: then only the file of its mapping knows the columns.
    package init?(formatName: String, names: [String]) {
        guard let format = try? LibraryFormats.named(formatName) else { return nil }
        let header = HeaderNames(names)
        let fields = format.fields(header)
        self.format = format
        columns = ColumnMap(formatName: format.name, names: names, fields: fields)
        let byColumn = Dictionary(fields.map { ($1, $0) }) { first, _ in first }
        cells = header.keys.enumerated().map { ($1, byColumn[$0] ?? format.second($1)) }
    }

    private func interpret(_ texts: [String], _ order: DateOrder) -> (LibraryRows, LibraryRow) {
        var columns = columns
        columns.dateOrder = order
        var rows = LibraryRows(columns: columns)
        for text in texts { rows.cells.append(rows.arena.append(text)) }
        var row = LibraryRow(position: .start, raw: .none, cells: 0..<rows.cells.count)
        format.interpret(&row, in: &rows)
        return (rows, row)
    }

    /// Changes by rules to a row.
    package func uses(of rules: MappingRules, in texts: [String]) -> [RuleUse] {
        var (rows, row) = interpret(texts, .dayFirst)
        var uses: [RuleUse] = []
        rows.apply(rules, to: &row) { uses.append($0) }
        return uses
    }

    /// Reads a row.
    ///
    /// - Parameter order: Order of day and month in dates that end with the year.
    package func read(_ texts: [String], _ order: DateOrder) -> EntryRow {
        let (rows, row) = interpret(texts, order)
        var stored = EntryRow()
        for field in LibraryField.allCases {
            let text = rows.arena.trimmed(rows.cell(field, of: row))
            if !text.isEmpty { stored.values[field] = rows.arena[text] }
        }
        let language = columns[.language].map { rows.cell(column: $0, of: row) } ?? .none
        stored.isLanguageInTitle = rows.arena.trimmed(language).isEmpty && stored.values[.language] != nil
        stored.title = rows.arena[row.title]
        stored.series = row.series.map { index in
            let mention = rows.series[index]
            return LibraryEntry.Series(name: rows.arena[mention.name], number: rows.arena[mention.number])
        }
        stored.people = row.people.map { index in
            LibraryEntry.Contributor(name: rows.arena[rows.people[index].name], role: rows.people[index].role)
        }
        stored.format = row.format
        stored.readings = format.readings(of: row, in: rows)
        return stored
    }
}
