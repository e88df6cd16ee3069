import System

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// A terminal that sends each key at once and shows whole screens. It is as it was before when ``close()`` has returned.
///
/// The other screen of the terminal is used, so that the lines above the command stay.
final class RawTerminal {
    /// How long a read waits, in milliseconds, so that a signal and a changed size of the window are noticed.
    private static let timeout: Int32 = 200

    private let input: Int32
    private let output: DescriptorOutlet
    private var former: termios
    private var isOpen = true

    /// Whether both descriptors are a terminal that can show screens.
    static func isAvailable(
        input: Int32 = STDIN_FILENO, output: Int32 = STDOUT_FILENO, environment: [String: String]
    ) -> Bool {
        let kind = environment["TERM"] ?? ""
        return isatty(input) == 1 && isatty(output) == 1 && !kind.isEmpty && kind != "dumb"
    }

    /// - Returns: nil if its mode cannot be changed.
    init?(input: Int32 = STDIN_FILENO, output: Int32 = STDOUT_FILENO) {
        self.input = input
        self.output = DescriptorOutlet(descriptor: output)
        former = termios()
        guard tcgetattr(input, &former) == 0 else { return nil }
        var raw = former
        raw.c_lflag &= ~tcflag_t(ICANON | ECHO | ISIG | IEXTEN)
        raw.c_iflag &= ~tcflag_t(IXON | ICRNL)
        guard tcsetattr(input, TCSAFLUSH, &raw) == 0 else { return nil }
        // The other screen, without a cursor.
        send("\u{1B}[?1049h\u{1B}[?25l")
    }

    deinit { close() }

    /// Shows the former screen, and restores the mode.
    func close() {
        guard isOpen else { return }
        isOpen = false
        send("\u{1B}[?25h\u{1B}[?1049l")
        tcsetattr(input, TCSAFLUSH, &former)
    }

    /// The current size of the window.
    var size: ScreenSize {
        var size = winsize()
        guard ioctl(output.descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0, size.ws_row > 0 else {
            return ScreenSize(columns: 80, rows: 24)
        }
        return ScreenSize(
            columns: max(Int(size.ws_col), ScreenSize.smallest.columns),
            rows: max(Int(size.ws_row), ScreenSize.smallest.rows))
    }

    /// Shows lines from the top of the screen on.
    func show(_ lines: [String]) {
        // Each line is erased behind its text: erasing the screen first would flicker.
        send("\u{1B}[H" + lines.map { $0 + "\u{1B}[K" }.joined(separator: "\r\n") + "\u{1B}[J")
    }

    /// The keys that were pressed; empty if there were none for a moment.
    func keys() -> [Key] {
        var request = pollfd(fd: input, events: Int16(POLLIN), revents: 0)
        guard poll(&request, 1, Self.timeout) > 0 else { return [] }
        var bytes = [UInt8](repeating: 0, count: 256)
        let count = read(input, &bytes, bytes.count)
        if count < 0, errno == EINTR || errno == EAGAIN { return [] }
        // The terminal was closed.
        guard count > 0 else { return [.end] }
        return Key.keys(in: Array(bytes.prefix(count)))
    }

    private func send(_ text: String) {
        _ = Array(text.utf8).withUnsafeBytes { output.write($0) }
    }
}
