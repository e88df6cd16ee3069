package import Books
import Syntax

/// A layout that is a table: its columns in the order in which the program writes them.
package struct TableLayout: ExportLayout {
    package let name: String
    package let title: String
    package let columns: [LayoutColumn]
    /// Separates the cells.
    let delimiter: UInt8
    let lineEnd: CSVWriter.LineEnd

    init(
        _ name: String, _ title: String, delimiter: UInt8 = UInt8(ascii: ","),
        lineEnd: CSVWriter.LineEnd = .lf, _ columns: [LayoutColumn]
    ) {
        self.name = name
        self.title = title
        self.columns = columns
        self.delimiter = delimiter
        self.lineEnd = lineEnd
    }

    package var fields: Set<EntryField> { Set(columns.flatMap(\.fields)) }

    package func makeWriter() -> any LayoutWriter { TableWriter(self) }

    /// The text of a column for an entry. An entry of the same format gets its own cell back while the cell
    /// matches the entry; then nothing is lost.
    func cell(_ column: LayoutColumn, of entry: LibraryEntry, losses: inout EntryLosses) -> String {
        if entry.formatName == name, let own = entry.cells[column.key], own.isCurrent,
            column.companions.allSatisfy({ entry.cells[$0]?.isCurrent ?? true })
        {
            return own.text
        }
        return column.compose(entry, &losses)
    }
}

/// A column of a layout.
package struct LayoutColumn: Sendable {
    package typealias Compose = @Sendable (LibraryEntry, inout EntryLosses) -> String

    /// As the program spells it.
    let name: String
    /// As ``HeaderNames`` compares it.
    let key: String
    /// Fields that the column expresses, at least in part.
    let fields: [EntryField]
    /// Columns of the same group are written only if an entry has a value in one of them.
    var group: Int?
    /// The keys of columns that say the same thing together with this one. Its own cell is out of date with theirs.
    private(set) var companions: [String] = []
    let compose: Compose

    init(_ name: String, _ fields: [EntryField], _ compose: @escaping Compose) {
        self.name = name
        key = HeaderNames.key(name)
        self.fields = fields
        self.compose = compose
    }

    /// A column that has the text of a field.
    static func text(_ name: String, _ field: EntryField) -> LayoutColumn {
        LayoutColumn(name, [field]) { entry, _ in entry[field] }
    }

    /// A column that only the program itself fills: it is empty unless the entry has its cell.
    static func kept(_ name: String) -> LayoutColumn { LayoutColumn(name, []) { _, _ in "" } }

    /// A column with a date.
    static func date(
        _ name: String, _ field: EntryField, _ style: LayoutDate,
        of date: @escaping @Sendable (LibraryEntry) -> String
    ) -> LayoutColumn {
        LayoutColumn(name, [field]) { entry, losses in
            let value = date(entry)
            guard !value.isEmpty else { return "" }
            let written = style.text(value)
            if written.isEmpty { losses.lose(field, value) }
            return written
        }
    }

    /// The same column, which is only right together with others.
    func together(with names: String...) -> LayoutColumn {
        var column = self
        column.companions = names.map(HeaderNames.key)
        return column
    }

    /// The same column as part of a group.
    func inGroup(_ group: Int) -> LayoutColumn {
        var column = self
        column.group = group
        return column
    }
}

/// A program's date format.
enum LayoutDate: Sendable {
    /// `2025/05/18`
    case slashes
    /// `2025-05-18`
    case dashes
    /// `[2025-05-18]`
    case brackets
    /// `2025-05-18T00:00:00.000`. Days only.
    case startOfDay

    /// A stored date in this style; empty if it is not a date.
    func text(_ stored: String) -> String {
        guard let date = CalendarDate(stored) else { return "" }
        return switch self {
        case .slashes: date.description.replacing("-", with: "/")
        case .dashes: date.description
        case .brackets: "[\(date.description)]"
        case .startOfDay: date.day > 0 ? "\(date.description)T00:00:00.000" : ""
        }
    }
}

/// Writes a ``TableLayout``.
final class TableWriter: LayoutWriter {
    private let layout: TableLayout
    private var out: CSVWriter
    private var groups: Set<Int> = []
    private var isWritten: [Bool] = []
    private var unread = EntryLosses()
    private let keys: Set<String>

    init(_ layout: TableLayout) {
        self.layout = layout
        keys = Set(layout.columns.map(\.key))
        out = CSVWriter(delimiter: layout.delimiter, lineEnd: layout.lineEnd)
    }

    func survey(_ entry: LibraryEntry, losses: inout EntryLosses) {
        for column in layout.columns {
            let cell = layout.cell(column, of: entry, losses: &losses)
            if let group = column.group, !cell.isEmpty { groups.insert(group) }
        }
        layout.noteMissing(
            in: entry, keeping: entry.formatName == layout.name ? keys : [], losses: &losses)
    }

    func begin() {
        isWritten = layout.columns.map { column in column.group.map(groups.contains) ?? true }
        out.record(zip(layout.columns, isWritten).filter(\.1).map(\.0.name))
    }

    func write(_ entry: LibraryEntry) {
        unread.removeAll()
        for (column, isWritten) in zip(layout.columns, isWritten) where isWritten {
            out.cell(layout.cell(column, of: entry, losses: &unread))
        }
        out.endRecord()
    }

    func end() {}

    func take() -> [UInt8] {
        var bytes: [UInt8] = []
        out.drain { bytes = Array($0) }
        return bytes
    }
}
