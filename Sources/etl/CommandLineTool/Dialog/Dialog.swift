/// A conversation with the user on a terminal, as a value: keys go in, effects and a screen come out. It does no input or
/// output; ``DialogSession`` does.
protocol Dialog: Sendable {
    /// What the session has to do after a key.
    associatedtype Effect: Sendable

    /// Whether the user has ended it.
    var isOver: Bool { get }

    /// Takes a key. Returns what has to be done; nil if only the screen changes.
    mutating func press(_ key: Key) -> Effect?

    /// What the screen shows: at most `size.rows` lines of at most `size.columns` columns.
    func screen(_ size: ScreenSize, _ style: Style) -> [String]
}

/// The size of a terminal.
struct ScreenSize: Sendable, Hashable {
    var columns: Int
    var rows: Int

    /// A terminal is never treated as smaller.
    static let smallest = ScreenSize(columns: 40, rows: 10)
}

/// Keys and what they do, for the last lines of a screen.
struct KeyHints: Sendable {
    private let hints: [(key: String, does: String)]

    init(_ hints: KeyValuePairs<String, String>) { self.hints = hints.map { ($0.key, $0.value) } }

    /// The hints in as many lines as needed; one is never broken.
    func lines(width: Int, _ style: Style) -> [String] {
        var lines: [String] = []
        var (line, used) = ("", 0)
        for (key, does) in hints {
            let columns = TextWidth.columns(key) + 1 + TextWidth.columns(does)
            if used > 0, used + 3 + columns > width {
                lines.append(line)
                (line, used) = ("", 0)
            }
            line += (used > 0 ? "   " : "") + style(.bold, key) + " " + does
            used += (used > 0 ? 3 : 0) + columns
        }
        return lines + [line]
    }
}

/// A screen with a head, a body that is cut if there is no room, and keys at the bottom.
struct ScreenLayout {
    var head: [String]
    var body: [String]
    var foot: [String]

    /// The lines; the foot is at the bottom if `rows` leaves room.
    func lines(rows: Int) -> [String] {
        let room = max(0, rows - head.count - foot.count - 1)
        let isCut = body.count > room
        let shown = isCut ? body.prefix(max(0, room - 1)) + ["…"] : body[...]
        return head + shown
            + Array(repeating: "", count: max(1, rows - head.count - shown.count - foot.count))
            + foot
    }
}
