import System

/// A message for standard error: what happened, where, what to do.
struct Diagnostic: Sendable, Hashable {
    enum Severity: Sendable, Hashable {
        case error, warning, note, detail

        /// The priority of the message in the systemd journal (sd-daemon(3)).
        var journalPriority: Int {
            switch self {
            case .error: 3
            case .warning: 4
            case .note: 6
            case .detail: 7
            }
        }
    }

    let severity: Severity
    /// The problem or event. It has several lines if there are several problems.
    let message: UserText
    /// The place in an input; precedes the message.
    let place: String?
    /// The remedy.
    let advice: UserText?
    /// The usage line of the command, if its arguments are wrong.
    let usage: String?

    init(
        _ severity: Severity, _ message: UserText, place: String? = nil, advice: UserText? = nil,
        usage: String? = nil
    ) {
        self.severity = severity
        self.message = message
        self.place = place
        self.advice = advice
        self.usage = usage
    }

    init(_ failure: CommandFailure) {
        self.init(
            .error, UserText(failure.message), place: failure.place, advice: failure.advice,
            usage: failure.usage)
    }

    /// The message as lines, each with a line end.
    ///
    /// - Parameters:
    ///   - words: Spelling of commands and options.
    ///   - width: Columns of the terminal, to wrap long lines between words; nil to wrap nothing.
    ///   - forJournal: Whether each line begins with its priority, such as `<3>`, which the journal removes.
    func render(
        _ words: CommandSpelling, style: Style = .plain, width: Int? = nil, forJournal: Bool = false
    ) -> String {
        let lead =
            switch severity {
            case .error: "etl: error: "
            case .warning: "etl: warning: "
            case .note, .detail: ""
            }
        var lines: [String] = []
        let text = (place.map { "\($0): " } ?? "") + words.spelled(message)
        for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
            lines += Self.wrapped(lines.isEmpty ? lead : "", String(line), width)
        }
        if !lead.isEmpty {
            lines[0] = style(severity == .error ? .error : .warning, lead) + lines[0].dropFirst(lead.count)
        }
        if let usage { lines += Self.wrapped("  usage: ", usage, width) }
        if let advice { lines += Self.wrapped("  advice: ", words.spelled(advice), width) }
        let prefix = forJournal ? "<\(severity.journalPriority)>" : ""
        return lines.map { prefix + $0 + "\n" }.joined()
    }

    /// A label and a text in lines of at most `width` columns. Further lines are indented.
    private static func wrapped(_ label: String, _ text: String, _ width: Int?) -> [String] {
        let text = TextWidth.printable(SpoolName.replaced(in: text))
        let indent = max(2, label.count)
        let pieces = TextWidth.wrap(text, at: width.map { max(20, $0 - indent) })
        return pieces.enumerated().map { number, piece in
            (number == 0 ? label : String(repeating: " ", count: indent)) + piece
        }
    }
}
