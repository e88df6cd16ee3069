/// Rows in aligned columns.
struct Table: Sendable {
    enum Alignment: Sendable, Hashable { case left, right }

    /// A column's heading and the side its values keep to.
    struct Column: Sendable {
        let title: String
        let alignment: Alignment
        /// Whether its values are of no use when they are cut.
        let isWhole: Bool

        init(_ title: String, _ alignment: Alignment = .left, isWhole: Bool = false) {
            // It may be a file's name.
            self.title = TextWidth.printable(title)
            self.alignment = alignment
            // Numbers are never cut: half a number is a wrong one.
            self.isWhole = isWhole || alignment == .right
        }
    }

    /// Columns between two columns.
    private static let gap = 2
    /// No column is cut below this.
    private static let narrowest = 8

    private let columns: [Column]
    private var rows: [[String]] = []

    init(_ columns: Column...) { self.init(columns) }

    init(_ columns: [Column]) { self.columns = columns }

    var isEmpty: Bool { rows.isEmpty }

    /// Adds a row; cells that are missing are empty.
    mutating func add(_ cells: String...) { add(cells) }

    /// Adds a row; cells that are missing are empty.
    mutating func add(_ cells: [String]) {
        rows.append(
            columns.indices.map { $0 < cells.count ? TextWidth.printable(cells[$0]) : "" })
    }

    /// The table as lines, each ended; nothing where it has no rows.
    ///
    /// - Parameter width: Columns to keep within, by cutting the widest text columns, and where that does not suffice by
    ///   giving each value a line of its own; nil to cut nothing, which is right wherever a program may read it.
    func render(width: Int? = nil, style: Style = .plain) -> String {
        guard !isEmpty else { return "" }
        let widths = widths(within: width)
        if let width, Self.sum(widths) > width { return renderUpright(width, style) }
        var text = line(columns.map(\.title), widths) { style(.bold, $0) }
        for row in rows { text += line(row, widths) { $0 } }
        return text
    }

    /// Each row as a block of lines, a value a line behind its column's title; empty values are left out.
    private func renderUpright(_ width: Int, _ style: Style) -> String {
        let indent = Self.gap + columns.reduce(0) { max($0, TextWidth.columns($1.title)) }
        let room = max(Self.narrowest, width - indent)
        return rows.map { row in
            var text = ""
            for (column, cell) in zip(columns, row) where !cell.isEmpty {
                let pieces = column.isWhole ? [cell] : DefinitionList.wrap(cell, at: room)
                for (number, piece) in pieces.enumerated() {
                    let title = TextWidth.pad(number == 0 ? column.title : "", to: indent)
                    text += style(.bold, title) + piece + "\n"
                }
            }
            return text
        }.joined(separator: "\n")
    }

    /// Columns that a line of such columns takes.
    private static func sum(_ widths: [Int]) -> Int { widths.reduce(0, +) + gap * (widths.count - 1) }

    private func widths(within width: Int?) -> [Int] {
        var widths = columns.indices.map { column in
            rows.reduce(TextWidth.columns(columns[column].title)) { max($0, TextWidth.columns($1[column])) }
        }
        guard let width else { return widths }
        var excess = Self.sum(widths) - width
        while excess > 0 {
            let cuttable = widths.indices.filter { !columns[$0].isWhole && widths[$0] > Self.narrowest }
            guard let widest = cuttable.max(by: { widths[$0] < widths[$1] }) else { break }
            let cut = min(excess, max(1, (widths[widest] - Self.narrowest) / 2))
            widths[widest] -= cut
            excess -= cut
        }
        return widths
    }

    private func line(_ cells: [String], _ widths: [Int], look: (String) -> String) -> String {
        var line = ""
        for (index, cell) in cells.enumerated() {
            let cut = TextWidth.cut(cell, to: widths[index])
            let isLast = index == cells.count - 1
            let isRight = columns[index].alignment == .right
            // Blanks at a line's end help nobody.
            let padding = String(
                repeating: " ", count: isLast && !isRight ? 0 : max(0, widths[index] - TextWidth.columns(cut))
            )
            line += isRight ? padding + look(cut) : look(cut) + padding
            if !isLast { line += String(repeating: " ", count: Self.gap) }
        }
        while line.last == " " { line.removeLast() }
        return line + "\n"
    }
}
