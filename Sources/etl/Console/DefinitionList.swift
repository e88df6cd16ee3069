/// Terms with what is said of each, wrapped at the width of the terminal: for what a table would have to cut.
///
///     publisher   Ace
///                 openlibrary OL99000002M: It is the first in the order of the providers.
struct DefinitionList: Sendable {
    /// A paragraph of a definition.
    struct Line: Sendable {
        let text: String
        /// Said beside the point: shown faint where that is possible.
        let isNote: Bool
    }

    /// Columns between term and definition.
    private static let gap = 2
    /// No definition is squeezed into fewer columns than this.
    private static let narrowest = 24

    private var items: [(term: String, lines: [Line])] = []

    /// Adds a term with its definition and remarks on it, each a paragraph.
    mutating func add(_ term: String, _ definition: String, remarks: [String]) {
        let lines = [Line(text: definition, isNote: false)] + remarks.map { Line(text: $0, isNote: true) }
        items.append((TextWidth.printable(term), lines))
    }

    /// The list as lines, each ended.
    ///
    /// - Parameter width: Columns to keep within, by wrapping between words; nil to wrap nothing.
    func render(width: Int? = nil, style: Style = .plain) -> String {
        let indent = Self.gap + items.reduce(0) { max($0, TextWidth.columns($1.term)) }
        let room = width.map { max(Self.narrowest, $0 - indent) }
        var text = ""
        for item in items {
            var head = TextWidth.pad(item.term, to: indent)
            for line in item.lines {
                for piece in Self.wrap(TextWidth.printable(line.text), at: room) {
                    text += head + (line.isNote ? style(.dim, piece) : piece) + "\n"
                    head = String(repeating: " ", count: indent)
                }
            }
        }
        return text
    }

    /// The words of a text in lines of so many columns; a word that is longer stands alone on its line.
    static func wrap(_ text: String, at width: Int?) -> [String] {
        guard let width, TextWidth.columns(text) > width else { return [text] }
        var lines: [String] = []
        var line = ""
        var used = 0
        for word in text.split(separator: " ") {
            let columns = TextWidth.columns(String(word))
            if used > 0, used + 1 + columns > width {
                lines.append(line)
                (line, used) = ("", 0)
            }
            line += used > 0 ? " " + word : String(word)
            used += (used > 0 ? 1 : 0) + columns
        }
        if used > 0 { lines.append(line) }
        return lines
    }
}
