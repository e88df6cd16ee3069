/// Colour and weight of text on a terminal; plain text elsewhere.
struct Style: Sendable, Hashable {
    /// The SGR codes in use.
    enum Look: String, Sendable, CaseIterable {
        case bold = "1"
        case dim = "2"
        case error = "1;31"
        case warning = "1;33"
        case good = "32"
    }

    let isColored: Bool

    static let plain = Style(isColored: false)

    init(isColored: Bool) { self.isColored = isColored }

    /// Decides whether a stream is coloured: by the user's choice, else by whether it is a terminal that
    /// supports colour and `NO_COLOR` (no-color.org) is not set.
    init(_ choice: ColorChoice, isTerminal: Bool, environment: [String: String]) {
        switch choice {
        case .always: isColored = true
        case .never: isColored = false
        case .auto:
            let refused = environment["NO_COLOR"].map { !$0.isEmpty } ?? false
            let terminal = environment["TERM"] ?? ""
            isColored = isTerminal && !refused && terminal != "dumb" && !terminal.isEmpty
        }
    }

    /// The text in a look.
    func callAsFunction(_ look: Look, _ text: String) -> String {
        isColored && !text.isEmpty ? "\u{1B}[\(look.rawValue)m\(text)\u{1B}[0m" : text
    }
}
