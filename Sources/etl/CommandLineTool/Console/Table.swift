/// Rows in aligned columns.
package struct Table: Sendable {
    /// The side to which values are moved.
    package enum Alignment: Sendable, Hashable { case left, right }

    /// A column's heading, alignment, and behavior on a narrow terminal.
    package struct Column: Sendable {
        let title: String
        let alignment: Alignment
        /// Whether its values are always shown in full, on one line: values that users copy, and numbers.
        let isNeverCut: Bool
        /// Whether its values are wrapped between words; otherwise they are cut.
        let wraps: Bool
        /// Values up to this width are never cut.
        fileprivate let narrowest: Int
        /// Whether it is left out of a table that is too wide.
        fileprivate let isOptional: Bool

        package init(
            _ title: String, _ alignment: Alignment = .left, isNeverCut: Bool = false, wraps: Bool = false,
            narrowest: Int = 8, isOptional: Bool = false
        ) {
            // It may be the name of a file.
            self.title = TextWidth.printable(title)
            self.alignment = alignment
            // Half a number is a wrong number.
            self.isNeverCut = isNeverCut || alignment == .right
            self.wraps = wraps
            self.narrowest = narrowest
            self.isOptional = isOptional
        }
    }

    /// Columns between two columns.
    private static let gap = 2
    /// Wrapped columns are at least this wide.
    private static let narrowestWrapped = 16
    /// Values in the upright form have at least this many columns.
    private static let narrowestUpright = 8
    /// A word up to this width fits its wrapped column. A longer one, such as a path, sticks out.
    private static let widestWord = 40

    private let columns: [Column]
    private var rows: [[String]] = []

    package init(_ columns: Column...) { self.init(columns) }

    init(_ columns: [Column]) { self.columns = columns }

    var isEmpty: Bool { rows.isEmpty }

    /// Adds a row; missing cells are empty.
    package mutating func add(_ cells: String...) { add(cells) }

    /// Adds a row; missing cells are empty.
    mutating func add(_ cells: [String]) {
        rows.append(
            columns.indices.map { $0 < cells.count ? TextWidth.printable(cells[$0]) : "" })
    }

    /// The table as lines, each with a line end; empty if it has no rows.
    ///
    /// - Parameter width: The columns available. To fit, the widest text columns are wrapped or cut, and optional
    ///   ones are left out, the last one first. If that is not enough, each value gets its own line. nil changes
    ///   nothing; use it wherever a program may read the table.
    func render(width: Int? = nil, style: Style = .plain) -> String {
        guard !isEmpty else { return "" }
        guard let width else { return render(widths(within: nil), style) }
        return renderAcross(width, style) ?? renderUpright(width, style)
    }

    /// The table for programs: a line for the titles and for each row, with tabs between the values.
    var tabSeparated: String {
        guard !isEmpty else { return "" }
        return ([columns.map(\.title)] + rows).map { $0.joined(separator: "\t") + "\n" }.joined()
    }

    /// The table with as many of its optional columns as fit; nil if none of them helps.
    private func renderAcross(_ width: Int, _ style: Style) -> String? {
        let widths = widths(within: width)
        return Self.sum(widths) > width ? narrower?.renderAcross(width, style) : render(widths, style)
    }

    /// The table without its last optional column; nil if it has none.
    private var narrower: Table? {
        guard let last = columns.lastIndex(where: \.isOptional) else { return nil }
        var table = Table(columns.indices.filter { $0 != last }.map { columns[$0] })
        for row in rows { table.rows.append(row.indices.filter { $0 != last }.map { row[$0] }) }
        return table
    }

    private func render(_ widths: [Int], _ style: Style) -> String {
        var text = lines(columns.map(\.title), widths) { style(.bold, $0) }
        for row in rows { text += lines(row, widths) { $0 } }
        return text
    }

    /// Each row as a block of lines: the column's title, then the value. Empty values are left out.
    private func renderUpright(_ width: Int, _ style: Style) -> String {
        let indent = Self.gap + columns.reduce(0) { max($0, TextWidth.columns($1.title)) }
        let room = max(Self.narrowestUpright, width - indent)
        return rows.map { row in
            var text = ""
            for (column, cell) in zip(columns, row) where !cell.isEmpty {
                let pieces = column.isNeverCut ? [cell] : TextWidth.wrap(cell, at: room)
                for (number, piece) in pieces.enumerated() {
                    let title = TextWidth.pad(number == 0 ? column.title : "", to: indent)
                    text += style(.bold, title) + piece + "\n"
                }
            }
            return text
        }.joined(separator: "\n")
    }

    /// The width of a line with columns of these widths.
    private static func sum(_ widths: [Int]) -> Int { widths.reduce(0, +) + gap * (widths.count - 1) }

    private func widths(within width: Int?) -> [Int] {
        var widths = columns.indices.map { column in
            rows.reduce(TextWidth.columns(columns[column].title)) { max($0, TextWidth.columns($1[column])) }
        }
        guard let width, Self.sum(widths) > width else { return widths }
        let least = columns.indices.map { leastWidth($0, widths[$0]) }
        var excess = Self.sum(widths) - width
        while excess > 0 {
            let reducible = widths.indices.filter { widths[$0] > least[$0] }
            guard let widest = reducible.max(by: { widths[$0] < widths[$1] }) else { break }
            let cut = min(excess, max(1, (widths[widest] - least[widest]) / 2))
            widths[widest] -= cut
            excess -= cut
        }
        return widths
    }

    /// The width below which a column is not reduced.
    private func leastWidth(_ index: Int, _ widest: Int) -> Int {
        let column = columns[index]
        if column.isNeverCut { return widest }
        // A heading is never cut.
        guard column.wraps else { return min(widest, max(column.narrowest, TextWidth.columns(column.title))) }
        let words = rows.flatMap { TextWidth.unbreakable($0[index]) }
        let longest = words.reduce(0) { max($0, min(Self.widestWord, TextWidth.columns($1))) }
        return min(widest, max(Self.narrowestWrapped, TextWidth.columns(column.title), longest))
    }

    /// A row as one or more lines.
    private func lines(_ cells: [String], _ widths: [Int], look: (String) -> String) -> String {
        let pieces = columns.indices.map { index in
            columns[index].wraps
                ? TextWidth.wrap(cells[index], at: widths[index])
                : [TextWidth.cut(cells[index], to: widths[index])]
        }
        return (0..<(pieces.map(\.count).max() ?? 0)).map { number in
            line(pieces.map { number < $0.count ? $0[number] : "" }, widths, look: look)
        }.joined()
    }

    private func line(_ cells: [String], _ widths: [Int], look: (String) -> String) -> String {
        var line = ""
        for (index, cell) in cells.enumerated() {
            let isLast = index == cells.count - 1
            let isRight = columns[index].alignment == .right
            // No spaces at the end of a line.
            let padding = String(
                repeating: " ",
                count: isLast && !isRight ? 0 : max(0, widths[index] - TextWidth.columns(cell)))
            line += isRight ? padding + look(cell) : look(cell) + padding
            if !isLast { line += String(repeating: " ", count: Self.gap) }
        }
        while line.last == " " { line.removeLast() }
        return line + "\n"
    }
}
