import System

/// Runs a ``Dialog`` on the terminal of the process.
enum DialogSession {
    /// Runs it until the user ends it, or SIGTERM or SIGHUP does. The terminal is restored in any case.
    ///
    /// - Parameter perform: Does what a key asks for. Its failure ends the dialog.
    /// - Returns: Whether a signal ended it.
    static func run<D: Dialog>(
        _ dialog: inout D, on console: Console,
        _ perform: (D.Effect) throws(CommandFailure) -> Void
    ) throws(CommandFailure) -> Bool {
        guard let terminal = RawTerminal() else {
            throw CommandFailure(.inputOutput, "The terminal's mode cannot be changed.")
        }
        defer { terminal.close() }
        let stop = StopSignal()
        Signals.process.raise(stop) {}
        Signals.process.reload { stop.raise() }
        var shown: (lines: [String], size: ScreenSize)?
        while !dialog.isOver, !stop.isRaised {
            let size = terminal.size
            let lines = dialog.screen(size, console.style)
            if shown?.size != size || shown?.lines != lines { terminal.show(lines) }
            shown = (lines, size)
            for key in terminal.keys() where !dialog.isOver {
                if let effect = dialog.press(key) { try perform(effect) }
            }
        }
        return stop.isRaised
    }
}
