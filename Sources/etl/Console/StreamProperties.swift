#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// What is at the other end of standard output or standard error.
struct StreamProperties: Sendable, Hashable {
    var isTerminal: Bool
    /// Columns of the terminal, or those that the environment asks for; nil where neither says.
    var columns: Int?
    /// The system's journal reads it, and takes a priority in front of each line.
    var isJournal: Bool

    init(isTerminal: Bool, columns: Int? = nil, isJournal: Bool = false) {
        self.isTerminal = isTerminal
        self.columns = columns
        self.isJournal = isJournal
    }

    /// Looks at an open descriptor.
    init(descriptor: Int32, environment: [String: String]) {
        isTerminal = isatty(descriptor) == 1
        isJournal = Self.isJournal(descriptor, environment)
        var size = winsize()
        if isTerminal, ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 {
            columns = Int(size.ws_col)
        } else {
            // A shell exports it to nobody unless it is told to: who sets it means a pager, or a file of that width.
            columns = environment["COLUMNS"].flatMap { Int($0) }.flatMap { $0 > 0 ? $0 : nil }
        }
    }

    /// `JOURNAL_STREAM` names device and inode of the journal's stream: inherited by a child whose output
    /// goes elsewhere, it says nothing (systemd.exec(5)).
    private static func isJournal(_ descriptor: Int32, _ environment: [String: String]) -> Bool {
        guard let stream = environment["JOURNAL_STREAM"] else { return false }
        var facts = stat()
        return fstat(descriptor, &facts) == 0 && stream == "\(facts.st_dev):\(facts.st_ino)"
    }
}
