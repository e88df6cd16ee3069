#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// Target of standard output or standard error.
struct StreamProperties: Sendable, Hashable {
    var isTerminal: Bool
    /// Columns of the terminal, or of `$COLUMNS`; nil if neither is known.
    var columns: Int?
    /// Lines of the terminal; nil if they are not known.
    var rows: Int?
    /// Whether the systemd journal reads it. The journal expects a priority in front of each line.
    var isJournal: Bool

    init(isTerminal: Bool, columns: Int? = nil, rows: Int? = nil, isJournal: Bool = false) {
        self.isTerminal = isTerminal
        self.columns = columns
        self.rows = rows
        self.isJournal = isJournal
    }

    /// The properties of an open descriptor.
    init(descriptor: Int32, environment: [String: String]) {
        isTerminal = isatty(descriptor) == 1
        isJournal = Self.isJournal(descriptor, environment)
        var size = winsize()
        if isTerminal, ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 {
            columns = Int(size.ws_col)
            rows = size.ws_row > 0 ? Int(size.ws_row) : nil
        } else {
            // Shells do not export COLUMNS by default: a user who sets it expects output of that width.
            columns = environment["COLUMNS"].flatMap { Int($0) }.flatMap { $0 > 0 ? $0 : nil }
        }
    }

    /// Whether the descriptor is the stream that `JOURNAL_STREAM` names by device and inode. A child process
    /// inherits the variable even if its output goes elsewhere (systemd.exec(5)).
    private static func isJournal(_ descriptor: Int32, _ environment: [String: String]) -> Bool {
        guard let stream = environment["JOURNAL_STREAM"] else { return false }
        var facts = stat()
        return fstat(descriptor, &facts) == 0 && stream == "\(facts.st_dev):\(facts.st_ino)"
    }
}
