import Pipeline

/// Something to tell the user on standard error: what, where, what to do.
struct Diagnostic: Sendable, Hashable {
    enum Severity: Sendable, Hashable {
        case error, warning, note, detail

        /// The priority under which the system's journal files it (sd-daemon(3)).
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
    /// What happened. Several lines where several things did.
    let message: UserText
    /// Where in an input.
    let place: String?
    /// What to do.
    let advice: UserText?

    init(_ severity: Severity, _ message: UserText, place: String? = nil, advice: UserText? = nil) {
        self.severity = severity
        self.message = message
        self.place = place
        self.advice = advice
    }

    init(_ failure: CommandFailure) {
        self.init(.error, UserText(failure.message), place: failure.place, advice: failure.advice)
    }

    /// The lines, each ended.
    ///
    /// - Parameters:
    ///   - words: How commands and options are spelled.
    ///   - forJournal: Each line begins with its priority, `<3>`, which the journal takes off again.
    func render(_ words: CommandSpelling, style: Style = .plain, forJournal: Bool = false) -> String {
        let lead =
            switch severity {
            case .error: style(.error, "etl: error: ")
            case .warning: style(.warning, "etl: warning: ")
            case .note, .detail: ""
            }
        var lines = words.spelled(message).split(separator: "\n", omittingEmptySubsequences: false)
            .map { TextWidth.printable(String($0)) }
        lines[0] = lead + lines[0]
        if let place { lines.append("  where: \(TextWidth.printable(place))") }
        if let advice { lines.append("  advice: \(TextWidth.printable(words.spelled(advice)))") }
        let prefix = forJournal ? "<\(severity.journalPriority)>" : ""
        return lines.map { prefix + $0 + "\n" }.joined()
    }
}
