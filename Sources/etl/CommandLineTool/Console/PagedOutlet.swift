import System

/// Standard output on a terminal. Output that is longer than the screen goes to a pager, everything else directly to the
/// terminal. Nothing is paged before ``begin()``.
final class PagedOutlet: ByteOutlet {
    /// Where output goes.
    private enum Target {
        case terminal
        /// Output that fits the screen so far.
        case screenful(Screenful)
        case pager(Pager.Running)
    }

    private let terminal: any ByteOutlet
    private let rows: Int
    private let start: @Sendable () -> Pager.Running?
    private let target = Guarded(Target.terminal)

    /// - Parameters:
    ///   - rows: Lines of the screen.
    ///   - start: Starts the pager.
    init(_ terminal: any ByteOutlet, rows: Int, starting start: @escaping @Sendable () -> Pager.Running?) {
        self.terminal = terminal
        self.rows = rows
        self.start = start
    }

    /// From here on output is kept until it is complete, or longer than the screen.
    func begin() {
        target.withLock { target in
            guard case .terminal = target else { return }
            target = .screenful(Screenful(rows: rows))
        }
    }

    /// Whether output is kept or in the pager, so that a message must wait.
    var isBusy: Bool {
        target.withLock { target in
            switch target {
            case .terminal: false
            case .screenful(let screenful): !screenful.bytes.isEmpty
            case .pager: true
            }
        }
    }

    func write(_ bytes: UnsafeRawBufferPointer) -> Int32 {
        target.withLock { target in
            switch target {
            case .terminal: return terminal.write(bytes)
            case .pager(let pager): return pager.write(bytes)
            case .screenful(var screenful):
                screenful.add(bytes)
                guard screenful.isExceeded else {
                    target = .screenful(screenful)
                    return 0
                }
                guard let pager = start() else {
                    target = .terminal
                    return terminal.write(screenful.bytes)
                }
                target = .pager(pager)
                return pager.write(screenful.bytes)
            }
        }
    }

    /// Writes what is kept, or waits for the pager. Returns 0, or the `errno` of the failure.
    func end() -> Int32 {
        let former = target.withLock { target in
            defer { target = .terminal }
            return target
        }
        switch former {
        case .terminal: return 0
        case .screenful(let screenful): return screenful.bytes.isEmpty ? 0 : terminal.write(screenful.bytes)
        case .pager(let pager):
            pager.end()
            return 0
        }
    }
}

/// Output that is kept as long as it fits a screen.
struct Screenful: Sendable, Hashable {
    private(set) var bytes: [UInt8] = []
    private var lines = 0
    private let rows: Int

    /// - Parameter rows: Lines of the screen; the last one is for the prompt.
    init(rows: Int) { self.rows = rows }

    /// Adds output.
    mutating func add(_ more: some Sequence<UInt8>) {
        for byte in more {
            bytes.append(byte)
            if byte == UInt8(ascii: "\n") { lines += 1 }
        }
    }

    /// Whether it is longer than the screen.
    var isExceeded: Bool { lines >= rows }
}
