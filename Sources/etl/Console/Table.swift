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
            self.title = title
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

    init(_ columns: Column...) { self.columns = columns }

    var isEmpty: Bool { rows.isEmpty }

    /// Adds a row; cells that are missing are empty.
    mutating func add(_ cells: String...) {
        rows.append(
            columns.indices.map { $0 < cells.count ? TextWidth.printable(cells[$0]) : "" })
    }

    /// The table as lines, each ended.
    ///
    /// - Parameter width: Columns to keep within, by cutting the widest text columns; nil to cut nothing,
    ///   which is
    ///   right wherever a program may read it.
    func render(width: Int? = nil, style: Style = .plain) -> String {
        let widths = widths(within: width)
        var text = line(columns.map(\.title), widths) { style(.bold, $0) }
        for row in rows { text += line(row, widths) { $0 } }
        return text
    }

    private func widths(within width: Int?) -> [Int] {
        var widths = columns.indices.map { column in
            rows.reduce(TextWidth.columns(columns[column].title)) { max($0, TextWidth.columns($1[column])) }
        }
        guard let width else { return widths }
        var excess = widths.reduce(0, +) + Self.gap * (widths.count - 1) - width
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
