public import Foundation

/// A terminal without a window: a test reads what is written to it, and has it go away.
public final class PseudoTerminal {
    /// It could not be had.
    public struct Failed: Error {
        /// The system's `errno`.
        public var code: Int32
    }

    /// What a process gets as its standard output or standard error.
    public let terminal: FileHandle
    private let window: FileHandle

    /// Opens it.
    public init() throws {
        var (inner, outer): (Int32, Int32) = (-1, -1)
        guard openpty(&inner, &outer, nil, nil, nil) == 0 else { throw Failed(code: errno) }
        window = FileHandle(fileDescriptor: inner, closeOnDealloc: true)
        terminal = FileHandle(fileDescriptor: outer, closeOnDealloc: true)
    }

    /// Waits until something is written to it; false where nobody is left to write.
    public func isWrittenTo() -> Bool { !window.availableData.isEmpty }

    /// Takes nothing any more: whoever writes to it waits, as after Ctrl-S.
    public func stop() throws {
        guard tcflow(terminal.fileDescriptor, TCOOFF) == 0 else { throw Failed(code: errno) }
    }

    /// Its window is closed.
    public func hangUp() throws { try window.close() }
}
