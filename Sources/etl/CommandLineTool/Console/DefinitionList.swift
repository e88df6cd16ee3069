/// Terms with their definitions, wrapped at the width of the terminal. Nothing is cut.
///
///     publisher   Ace
///                 openlibrary OL99000002M: It is the only value.
struct DefinitionList: Sendable {
    /// A paragraph of a definition.
    struct Line: Sendable {
        let text: String
        /// Whether it is of minor importance, and dim on a terminal.
        let isNote: Bool
    }

    /// Columns between term and definition.
    private static let gap = 2
    /// A definition gets at least this many columns.
    private static let narrowest = 24

    /// Terms wider than this get a line of their own, and do not widen the column of terms.
    private let widestTerm: Int
    private var items: [(term: String, lines: [Line])] = []

    init(widestTerm: Int = .max) { self.widestTerm = widestTerm }

    var isEmpty: Bool { items.isEmpty }

    /// Adds a term with its definition and remarks, each a paragraph.
    mutating func add(_ term: String, _ definition: String, remarks: [String] = []) {
        let lines = [Line(text: definition, isNote: false)] + remarks.map { Line(text: $0, isNote: true) }
        items.append((TextWidth.printable(term), lines))
    }

    /// Adds a term with paragraphs of equal importance.
    mutating func add(_ term: String, paragraphs: [String]) {
        items.append((TextWidth.printable(term), paragraphs.map { Line(text: $0, isNote: false) }))
    }

    /// The list as lines, each with a line end.
    ///
    /// - Parameter width: The columns available; nil to wrap nothing. Only a word or a command in backquotes
    ///   that does not fit makes a line wider.
    func render(width: Int? = nil, style: Style = .plain) -> String {
        let widths = items.map { TextWidth.columns($0.term) }
        let indent = Self.gap + (widths.filter { $0 <= widestTerm }.max() ?? 0)
        let room = width.map { max(Self.narrowest, $0 - indent) }
        var text = ""
        for item in items {
            var head = TextWidth.pad(item.term, to: indent)
            if TextWidth.columns(item.term) > widestTerm {
                text += item.term + "\n"
                head = TextWidth.pad("", to: indent)
            }
            for line in item.lines {
                for piece in TextWidth.wrap(TextWidth.printable(line.text), at: room) {
                    text += head + (line.isNote ? style(.dim, piece) : piece) + "\n"
                    head = TextWidth.pad("", to: indent)
                }
            }
        }
        return text
    }
}
