package import System

/// The number of bytes that files may expand to when they are decompressed or made tables. Set one to read untrusted
/// files; ``InflateLimit`` alone allows two hundred times the size of a file.
package struct ExpansionLimit: Sendable, Hashable {
    /// Maximum number of parts of an archive. To find out which of them are libraries, each is opened.
    package static let mostParts = 1_000
    /// Maximum size of all files together in bytes.
    package let bytes: Int
    /// Expanded size of the files that were read before.
    private var spent = 0

    package init(bytes: Int) { self.bytes = bytes }

    /// Leaves less to the next files.
    package mutating func spend(_ count: Int) { spent += count }

    func allows(_ count: Int) -> Bool { count <= bytes - spent }
}

/// Counts what a file expands to while it is read once. A spreadsheet expands to the XML of its sheet and to a table,
/// and both count.
package final class ExpansionCounter: Sendable {
    private let limit: ExpansionLimit
    private let path: String
    private let count = Guarded(0)
    /// Highest count of any pass over the file.
    private let most: Guarded<Int>

    package init(_ limit: ExpansionLimit, of path: String, most: Guarded<Int>) {
        self.limit = limit
        self.path = path
        self.most = most
    }

    /// - Throws: `tooLarge` if the file has expanded to more than is allowed.
    package func add(_ bytes: Int) throws(ETLError) {
        let total = count.withLock { count in
            count += bytes
            return count
        }
        most.withLock { $0 = max($0, total) }
        guard limit.allows(total) else {
            throw ETLError(
                .tooLarge,
                "`\(path)` expands to more than \(limit.bytes) bytes, which is the limit; import it in smaller parts.",
                advice: "Split it into smaller files.")
        }
    }
}

/// Bytes that are counted while they are read.
package struct CountedBytes: ByteSource {
    private var source: any ByteSource
    private let counter: ExpansionCounter

    package init(_ source: any ByteSource, _ counter: ExpansionCounter) {
        self.source = source
        self.counter = counter
    }

    package mutating func read(into buffer: UnsafeMutableRawBufferPointer) throws(ETLError) -> Int {
        let count = try source.read(into: buffer)
        try counter.add(count)
        return count
    }

    package func ahead() throws(ETLError) -> (any ByteSource)? { try source.ahead() }
}
