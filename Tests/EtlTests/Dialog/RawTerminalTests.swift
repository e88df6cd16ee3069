import Glibc
import Testing

@testable import CommandLineTool

/// A pseudo-terminal. The test is the window, the code under test has the other end.
private final class Window {
    let window: Int32
    let terminal: Int32

    init() throws {
        // posix_openpt and the like are not imported.
        window = open("/dev/ptmx", O_RDWR | O_NOCTTY)
        var (lock, number): (Int32, UInt32) = (0, 0)
        try #require(ioctl(window, 0x4004_5431, &lock) == 0 && ioctl(window, 0x8004_5430, &number) == 0)
        terminal = open("/dev/pts/\(number)", O_RDWR | O_NOCTTY)
        try #require(terminal >= 0)
        var size = winsize(ws_row: 5, ws_col: 100, ws_xpixel: 0, ws_ypixel: 0)
        _ = ioctl(window, UInt(TIOCSWINSZ), &size)
    }

    deinit {
        close(terminal)
        close(window)
    }

    /// What the terminal shows since the last call.
    var shown: String {
        var bytes = [UInt8](repeating: 0, count: 4_096)
        let count = read(window, &bytes, bytes.count)
        return String(decoding: bytes.prefix(max(0, count)), as: UTF8.self)
    }

    func type(_ text: String) {
        _ = Array(text.utf8).withUnsafeBytes { write(window, $0.baseAddress, $0.count) }
    }

    var localMode: tcflag_t {
        var mode = termios()
        tcgetattr(terminal, &mode)
        return mode.c_lflag
    }
}

@Suite struct RawTerminalTests {
    @Test func `keys arrive at once, and the terminal is restored`() throws {
        let window = try Window()
        let mode = window.localMode
        #expect(
            RawTerminal.isAvailable(
                input: window.terminal, output: window.terminal, environment: ["TERM": "xterm"]))
        do {
            let terminal = try #require(RawTerminal(input: window.terminal, output: window.terminal))
            #expect(window.shown == "\u{1B}[?1049h\u{1B}[?25l")
            #expect(window.localMode & tcflag_t(ICANON | ECHO | ISIG) == 0)
            #expect(terminal.size == ScreenSize(columns: 100, rows: ScreenSize.smallest.rows))
            window.type("a\u{3}")
            #expect(terminal.keys() == [.character("a"), .interrupt])
            #expect(terminal.keys().isEmpty)
            terminal.show(["one", "two"])
            // The terminal's own line ends come on top.
            #expect(
                window.shown.replacing("\r\r\n", with: "\r\n") == "\u{1B}[Hone\u{1B}[K\r\ntwo\u{1B}[K\u{1B}[J"
            )
        }
        // Also without a call of close().
        #expect(window.shown == "\u{1B}[?25h\u{1B}[?1049l")
        #expect(window.localMode == mode)
    }

    @Test(arguments: [[:], ["TERM": "dumb"], ["TERM": ""]])
    func `a terminal that cannot show screens is not used`(environment: [String: String]) throws {
        let window = try Window()
        let (input, output) = (window.terminal, window.terminal)
        #expect(!RawTerminal.isAvailable(input: input, output: output, environment: environment))
    }
}
