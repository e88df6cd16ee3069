import Pipeline

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// The only way to the user: data to standard output, everything else to standard error.
///
/// The two streams are judged apart: a terminal gets colour, cut tables and a progress line, a file or a pipe
/// gets plain text and nothing that a program would have to take off again.
final class Console: Sendable {
    /// How much is said on standard error.
    enum Verbosity: Int, Sendable { case quiet, normal, verbose }

    private struct ErrorState {
        var meter: ProgressMeter
        /// The progress line that stands on the terminal, without line end.
        var shown = ""
    }

    private let output: BufferedOutput
    private let errors: any ByteOutlet
    private let outputFacts: StreamProperties
    private let errorFacts: StreamProperties
    private let verbosity: Verbosity
    private let showsProgress: Bool
    private let clock: any RunClock
    private let state: Guarded<ErrorState>
    /// How commands and options are spelled for the store that the command is about.
    let words: CommandSpelling
    /// How text on standard output is made to stand out.
    let style: Style
    private let errorStyle: Style

    /// - Parameters:
    ///   - arguments: Where ``GlobalOptions`` are read from.
    ///   - output: Standard output, and what is at its end.
    ///   - errors: Standard error, and what is at its end.
    init(
        _ arguments: ParsedArguments, environment: [String: String],
        output: any ByteOutlet, _ outputFacts: StreamProperties, errors: any ByteOutlet,
        _ errorFacts: StreamProperties,
        clock: any RunClock = SystemClock()
    ) {
        self.output = BufferedOutput(output, isTerminal: outputFacts.isTerminal)
        self.errors = errors
        self.outputFacts = outputFacts
        self.errorFacts = errorFacts
        self.clock = clock
        words = CommandSpelling(store: DefaultPaths.store(arguments))
        verbosity =
            arguments[GlobalOptions.quiet] ? .quiet : arguments[GlobalOptions.verbose] ? .verbose : .normal
        showsProgress = verbosity != .quiet && !arguments[GlobalOptions.noProgress]
        let choice = arguments[GlobalOptions.colour]
        style = Style(choice, isTerminal: outputFacts.isTerminal, environment: environment)
        errorStyle = Style(choice, isTerminal: errorFacts.isTerminal, environment: environment)
        state = Guarded(ErrorState(meter: ProgressMeter(isTerminal: errorFacts.isTerminal)))
    }

    /// The process's own streams. From here on a reader who goes away is an error of `write`, not a signal.
    static func standard(_ arguments: ParsedArguments, environment: [String: String]) -> Console {
        signal(SIGPIPE, SIG_IGN)
        // A file that may grow no further is an error of `write` too (setrlimit(2)).
        signal(SIGXFSZ, SIG_IGN)
        return Console(
            arguments, environment: environment,
            output: DescriptorOutlet(descriptor: STDOUT_FILENO),
            StreamProperties(descriptor: STDOUT_FILENO, environment: environment),
            errors: DescriptorOutlet(descriptor: STDERR_FILENO),
            StreamProperties(descriptor: STDERR_FILENO, environment: environment))
    }

    /// Columns of standard output: of its terminal, else those of `COLUMNS`; nil where there is neither: then nothing is
    /// cut.
    var width: Int? { outputFacts.columns ?? (outputFacts.isTerminal ? 80 : nil) }

    // MARK: Data

    /// Writes data to standard output, in large pieces: ``finish()`` writes the last.
    func write(_ text: String) throws(CommandFailure) { try write(Array(text.utf8)) }

    /// Writes data to standard output.
    func write(_ bytes: [UInt8]) throws(CommandFailure) {
        guard outputFacts.isTerminal else { return try output.write(bytes) }
        // Somebody is looking: the line of progress must not stand in the middle of it, and waiting helps
        // nobody.
        clearProgress()
        try output.write(bytes)
        try output.flush()
    }

    /// Writes a table to standard output, within the terminal's width if it is one.
    func write(_ table: Table) throws(CommandFailure) {
        try write(table.render(width: width, style: style))
    }

    /// Writes a list of terms to standard output, within the terminal's width if it is one.
    func write(_ list: DefinitionList) throws(CommandFailure) {
        try write(list.render(width: width, style: style))
    }

    /// Writes what is pending to standard output: after each message of a stream that somebody follows.
    func flush() throws(CommandFailure) { try output.flush() }

    /// Ends the run's output: the progress line goes, the last data comes.
    func finish() throws(CommandFailure) {
        clearProgress()
        try output.flush()
    }

    // MARK: Everything else

    /// Tells something on standard error, unless the user asked for quiet. A standard error that cannot be
    /// written has nobody to be told of it.
    func tell(_ diagnostic: Diagnostic) {
        let needed: Verbosity =
            switch diagnostic.severity {
            case .error: .quiet
            case .warning, .note: .normal
            case .detail: .verbose
            }
        guard verbosity.rawValue >= needed.rawValue else { return }
        let text = SpoolName.replaced(
            in: diagnostic.render(words, style: errorStyle, forJournal: errorFacts.isJournal))
        state.withLock { state in
            // The line is drawn again after the message, so that it stays the last one.
            send(Self.erasing(state.shown) + text + state.shown)
        }
    }

    /// Tells a table on standard error, unless the user asked for quiet.
    func tell(_ table: Table) {
        guard verbosity != .quiet else { return }
        let width = errorFacts.columns ?? (errorFacts.isTerminal ? 80 : nil)
        let text = table.render(width: width, style: errorStyle)
        state.withLock { state in send(Self.erasing(state.shown) + text + state.shown) }
    }

    func note(_ message: UserText) { tell(Diagnostic(.note, message)) }
    func warn(_ message: UserText, place: String? = nil, advice: UserText? = nil) {
        tell(Diagnostic(.warning, message, place: place, advice: advice))
    }

    /// Reports why the command ends.
    func report(_ failure: CommandFailure) {
        clearProgress()
        if !failure.isQuiet { tell(Diagnostic(failure)) }
    }

    /// Notes how far the run is; shows it when it is time.
    func progress(_ progress: ProgressState) {
        guard showsProgress else { return }
        let time = clock.nanoseconds()
        state.withLock { state in
            guard let line = state.meter.note(progress, at: time) else { return }
            if errorFacts.isTerminal {
                // The last column stays free: some terminals break the line when it is written to.
                let text = line.render(width: (errorFacts.columns ?? 80) - 1)
                send(Self.erasing(state.shown) + text)
                state.shown = text
            } else {
                send(
                    Diagnostic(.note, UserText(line.render()))
                        .render(words, forJournal: errorFacts.isJournal))
            }
        }
    }

    /// Takes the progress line away.
    private func clearProgress() {
        state.withLock { state in
            guard !state.shown.isEmpty else { return }
            send(Self.erasing(state.shown))
            state.shown = ""
        }
    }

    private static func erasing(_ shown: String) -> String { shown.isEmpty ? "" : "\r\u{1B}[K" }

    private func send(_ text: String) {
        _ = Array(text.utf8).withUnsafeBytes { errors.write($0) }
    }
}
