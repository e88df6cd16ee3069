package import Foundation

/// A terminal without a window: a test reads its output and can close it.
package final class PseudoTerminal {
    /// It could not be opened.
    package struct Failed: Error {
        /// The system's `errno`.
        package var code: Int32
    }

    /// The end to use as a process's standard output or standard error.
    package let terminal: FileHandle
    /// The end from which a test reads what is written.
    package let window: FileHandle

    /// Opens it.
    package init() throws {
        var (inner, outer): (Int32, Int32) = (-1, -1)
        guard openpty(&inner, &outer, nil, nil, nil) == 0 else { throw Failed(code: errno) }
        window = FileHandle(fileDescriptor: inner, closeOnDealloc: true)
        terminal = FileHandle(fileDescriptor: outer, closeOnDealloc: true)
    }

    /// Stops accepting output, as Ctrl-S does: writers block.
    package func stop() throws {
        guard tcflow(terminal.fileDescriptor, TCOOFF) == 0 else { throw Failed(code: errno) }
    }

    /// Closes its window.
    package func hangUp() throws { try window.close() }
}
