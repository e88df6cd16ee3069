package import System

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// The only way to the user: data goes to standard output, everything else to standard error.
///
/// Each stream is treated by its target. A terminal gets colour, tables that fit its width, and a progress
/// line. A file or a pipe gets plain text.
package final class Console: Sendable {
    /// Amount of output on standard error.
    enum Verbosity: Int, Sendable { case quiet, normal, verbose }

    private struct ErrorState {
        var schedule: ProgressSchedule
        /// The progress line now on the terminal, without line end.
        var shown = ""
        /// Messages that wait until the pager has ended.
        var waiting = ""
    }

    private let output: BufferedOutput
    /// The same as the outlet of `output`, if long output can be paged.
    private let paged: PagedOutlet?
    private let errors: any ByteOutlet
    private let outputFacts: StreamProperties
    private let errorFacts: StreamProperties
    private let verbosity: Verbosity
    private let showsProgress: Bool
    private let clock: any RunClock
    private let state: Guarded<ErrorState>
    /// The file that gets all messages too; nil without `--log`.
    private let log = Guarded<RunLog?>(nil)
    /// Spelling of commands and options for the store of the command.
    let words: CommandSpelling
    /// The style of text on standard output.
    let style: Style
    private let errorStyle: Style

    /// - Parameters:
    ///   - arguments: Source of ``GlobalOptions``.
    ///   - output: Standard output, and its properties.
    ///   - errors: Standard error, and its properties.
    init(
        _ arguments: ParsedArguments, environment: [String: String],
        output: any ByteOutlet, _ outputFacts: StreamProperties, errors: any ByteOutlet,
        _ errorFacts: StreamProperties,
        clock: any RunClock = SystemClock()
    ) {
        self.output = BufferedOutput(output, isTerminal: outputFacts.isTerminal)
        paged = output as? PagedOutlet
        self.errors = errors
        self.outputFacts = outputFacts
        self.errorFacts = errorFacts
        self.clock = clock
        words = CommandSpelling(store: DefaultPaths.store(arguments))
        verbosity =
            arguments[GlobalOptions.quiet] ? .quiet : arguments[GlobalOptions.verbose] ? .verbose : .normal
        showsProgress = verbosity != .quiet && !arguments[GlobalOptions.noProgress]
        let choice = arguments[GlobalOptions.color]
        style = Style(choice, isTerminal: outputFacts.isTerminal, environment: environment)
        errorStyle = Style(choice, isTerminal: errorFacts.isTerminal, environment: environment)
        state = Guarded(ErrorState(schedule: ProgressSchedule(isTerminal: errorFacts.isTerminal)))
    }

    /// The process's own streams. From here on a closed pipe is an error of `write`, not a signal.
    package static func standard(_ arguments: ParsedArguments, environment: [String: String]) -> Console {
        signal(SIGPIPE, SIG_IGN)
        // The same for a file at its size limit (setrlimit(2)).
        signal(SIGXFSZ, SIG_IGN)
        let facts = StreamProperties(descriptor: STDOUT_FILENO, environment: environment)
        let stream = DescriptorOutlet(descriptor: STDOUT_FILENO)
        let pager = arguments[ListingOptions.noPager] ? nil : Pager(environment: environment)
        let paged = pager.flatMap { pager in
            facts.isTerminal
                ? facts.rows.map { PagedOutlet(stream, rows: $0) { Pager.Running(pager) } } : nil
        }
        return Console(
            arguments, environment: environment, output: paged ?? stream, facts,
            errors: DescriptorOutlet(descriptor: STDERR_FILENO),
            StreamProperties(descriptor: STDERR_FILENO, environment: environment))
    }

    /// Columns of standard output: of its terminal, else of `$COLUMNS`; nil if there is neither. Then nothing
    /// is cut or wrapped.
    var width: Int? { outputFacts.columns ?? (outputFacts.isTerminal ? 80 : nil) }

    // MARK: Data

    /// Writes text of ours to standard output, in large pieces. ``finish()`` writes the rest.
    package func write(_ text: String) throws(CommandFailure) { try put(Array(text.utf8)) }

    /// Writes data to standard output. On a terminal its control characters are made visible.
    func write(_ bytes: [UInt8]) throws(CommandFailure) {
        try put(outputFacts.isTerminal ? VisibleControls.escape(bytes) : bytes)
    }

    private func put(_ bytes: [UInt8]) throws(CommandFailure) {
        guard outputFacts.isTerminal else { return try output.write(bytes) }
        // The progress line must not be in the middle of the data, and the data is shown at once.
        clearProgress()
        try output.write(bytes)
        try output.flush()
    }

    /// Writes a line of prose to standard output, wrapped at the terminal's width.
    func writeText(_ text: String, _ look: (String) -> String = { $0 }) throws(CommandFailure) {
        try write(look(TextWidth.wrap(TextWidth.printable(text), at: width).joined(separator: "\n")) + "\n")
    }

    /// Writes a table to standard output, within the terminal's width.
    package func write(_ table: Table) throws(CommandFailure) {
        try write(table.render(width: width, style: style))
    }

    /// Writes a table that lists things to standard output: aligned on a terminal, and separated by tabs, each value in
    /// full, for a program.
    package func write(listing table: Table) throws(CommandFailure) {
        guard width == nil else { return try write(table) }
        try write(table.tabSeparated)
    }

    /// Writes a list of terms to standard output, within the terminal's width.
    func write(_ list: DefinitionList) throws(CommandFailure) {
        try write(list.render(width: width, style: style))
    }

    /// Whether no data was written to standard output.
    var isUnused: Bool { output.isUnused }

    /// Writes buffered data to standard output, for example after each message of a stream that a program
    /// follows.
    func flush() throws(CommandFailure) { try output.flush() }

    /// Lets the user page through all output of the command if it is longer than the screen.
    func page() { paged?.begin() }

    /// Ends the output: removes the progress line, writes the buffered data, and waits for the pager.
    func finish() throws(CommandFailure) {
        clearProgress()
        defer { tellWaiting() }
        do throws(CommandFailure) {
            try output.flush()
        } catch {
            _ = paged?.end()
            throw error
        }
        guard paged?.end() ?? 0 == 0 else { throw .readerGone }
    }

    /// Writes the messages that waited for the end of the pager.
    private func tellWaiting() {
        state.withLock { state in
            send(state.waiting)
            state.waiting = ""
        }
    }

    // MARK: Everything else

    /// Writes a message to standard error, unless it is less important than the verbosity asks for. A failure
    /// to write is ignored, because there is no other place to report it.
    func tell(_ diagnostic: Diagnostic) {
        log.withLock { $0 }?.add(diagnostic, words)
        let needed: Verbosity =
            switch diagnostic.severity {
            case .error: .quiet
            case .warning, .note: .normal
            case .detail: .verbose
            }
        guard verbosity.rawValue >= needed.rawValue else { return }
        let text = diagnostic.render(
            words, style: errorStyle, width: errorFacts.isTerminal ? errorFacts.columns ?? 80 : nil,
            forJournal: errorFacts.isJournal)
        show(text)
    }

    /// Writes text to standard error, before the progress line and after the output.
    private func show(_ text: String) {
        let waits = errorFacts.isTerminal && paged?.isBusy ?? false
        state.withLock { state in
            if waits {
                state.waiting += text
            } else {
                // The progress line is drawn again after the message, so that it stays the last line.
                send(Self.erasing(state.shown) + text + state.shown)
            }
        }
    }

    /// Writes all later messages to a file too.
    func write(to log: RunLog) { self.log.withLock { $0 = log } }

    /// Writes a table to standard error, unless the verbosity is quiet.
    func tell(_ table: Table) {
        guard verbosity != .quiet else { return }
        let width = errorFacts.columns ?? (errorFacts.isTerminal ? 80 : nil)
        show(table.render(width: width, style: errorStyle))
    }

    package func note(_ message: UserText) { tell(Diagnostic(.note, message)) }
    func warn(_ message: UserText, place: String? = nil, advice: UserText? = nil) {
        tell(Diagnostic(.warning, message, place: place, advice: advice))
    }

    /// Reports why the command ends.
    package func report(_ failure: CommandFailure) {
        clearProgress()
        if !failure.isQuiet { tell(Diagnostic(failure)) }
        for further in failure.further { report(further) }
    }

    /// Records how far the run is, and shows it if it is time.
    func progress(_ progress: ProgressState) {
        guard showsProgress else { return }
        let time = clock.nanoseconds()
        state.withLock { state in
            guard let line = state.schedule.note(progress, at: time) else { return }
            if errorFacts.isTerminal {
                // The last column stays free, because some terminals break the line after it.
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

    /// Removes the progress line.
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
