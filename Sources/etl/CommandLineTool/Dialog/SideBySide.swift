import Books

/// Two or more records beside each other, a line for each field, with a mark that says where they differ.
struct SideBySide {
    /// Columns between two columns.
    private static let gap = 2
    private static let narrowest = 12

    private let titles: [String]
    private var rows: [(label: String, values: [String])] = []

    /// - Parameter titles: The headings of the records.
    init(_ titles: [String]) { self.titles = titles.map(TextWidth.printable) }

    /// Adds a field, unless no record has it.
    mutating func add(_ label: String, _ values: [String]) {
        guard values.contains(where: { !$0.isEmpty }) else { return }
        rows.append((label, values.map(TextWidth.printable)))
    }

    /// The lines, of at most `width` columns.
    func lines(width: Int, _ style: Style) -> [String] {
        let labels = rows.reduce(0) { max($0, TextWidth.columns($1.label)) }
        // The mark has a column of its own.
        let room = width - labels - 2 * Self.gap - 1 - Self.gap * (titles.count - 1)
        let column = max(Self.narrowest, room / max(1, titles.count))
        let margin = String(repeating: " ", count: labels + 2 * Self.gap + 1)
        var lines = [margin + line(titles, column) { style(.bold, $0) }]
        for (label, values) in rows {
            let pieces = values.map { TextWidth.wrap($0, at: column).map { TextWidth.cut($0, to: column) } }
            let mark = Self.mark(values)
            for number in 0..<(pieces.map(\.count).max() ?? 0) {
                let start =
                    number == 0
                    ? style(.dim, TextWidth.pad(label, to: labels)) + "  "
                        + style(mark == "≠" ? .warning : .dim, mark) + "  " : margin
                lines.append(start + line(pieces.map { number < $0.count ? $0[number] : "" }, column) { $0 })
            }
        }
        return lines.map { line in
            var line = line
            while line.last == " " { line.removeLast() }
            return line
        }
    }

    private func line(_ cells: [String], _ column: Int, look: (String) -> String) -> String {
        cells.map { cell in
            let cut = TextWidth.cut(cell, to: column)
            return look(cut) + String(repeating: " ", count: column - TextWidth.columns(cut))
        }.joined(separator: String(repeating: " ", count: Self.gap))
    }

    /// `=` if all records have the same value, `≠` if two differ; a space if only one has a value.
    private static func mark(_ values: [String]) -> String {
        let known = values.filter { !$0.isEmpty }
        guard known.count > 1 else { return " " }
        return Set(known).count == 1 ? "=" : "≠"
    }
}

extension EvidenceText {
    /// What speaks for a match, and what against it: `title same, author same`.
    static func sides(_ evidence: [String]) -> (favor: String, against: String) {
        let words = words(evidence)
        func side(_ isFor: Bool) -> String {
            words.filter { $0.isFor == isFor }.map(\.text).joined(separator: ", ")
        }
        return (side(true), side(false))
    }
}
