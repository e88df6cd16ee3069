/// Compression of a file, recognized by its first bytes and not by its name.
package enum Compression: String, Sendable, Hashable, CaseIterable {
    case gzip, zstd, xz

    /// The compression of a file; nil if it is not compressed in a known way.
    ///
    /// - Parameter head: Its first bytes, at least six unless the file is shorter.
    package init?(head: some Collection<UInt8>) {
        guard let known = Self.allCases.first(where: { head.starts(with: $0.magic) }) else { return nil }
        self = known
    }

    /// The bytes that its files begin with (RFC 1952, RFC 8878, the .xz file format).
    package var magic: [UInt8] {
        switch self {
        case .gzip: [0x1F, 0x8B]
        case .zstd: [0x28, 0xB5, 0x2F, 0xFD]
        case .xz: [0xFD, 0x37, 0x7A, 0x58, 0x5A, 0x00]
        }
    }
}

/// Maximum expansion of data before it is treated as a decompression bomb.
package struct InflateLimit: Sendable, Hashable {
    /// Output bytes per input byte.
    package var ratio: Int
    /// Output bytes up to which the ratio is not checked.
    package var allowance: Int

    package init(ratio: Int, allowance: Int) {
        self.ratio = ratio
        self.allowance = allowance
    }

    /// Text dumps expand five- to tenfold; deflate can reach a factor of a thousand.
    package static let text = InflateLimit(ratio: 200, allowance: 10 << 20)
    /// The XML of a spreadsheet consists mostly of tags.
    package static let sheet = InflateLimit(ratio: 1_000, allowance: 64 << 20)

    /// Whether this much output from this much input is beyond the limit.
    func isExceeded(by made: Int, from taken: Int) -> Bool {
        made > allowance && made / max(taken, 1) > ratio
    }
}

/// Why compressed data could not be decompressed.
package enum InflateError: Error, Sendable, Hashable {
    /// The data does not begin as its compression requires.
    case notCompressed
    /// The data ends too early.
    case truncated
    /// The data, a checksum or a length is wrong.
    case damaged
    /// The data expands beyond the limit.
    case bomb
    /// The data was compressed so that decompressing it needs more memory than is allowed.
    case needsMemory
    /// The library could not get memory.
    case outOfMemory

    /// The problem, as the rest of a sentence that begins with the file's name.
    package func sentence(of compression: Compression) -> String {
        let name = compression.rawValue
        return switch self {
        case .notCompressed: "is not \(name) data."
        case .truncated: "is truncated: the \(name) data ends too early."
        case .damaged: "is damaged: its \(name) checksum or structure is wrong."
        case .bomb: "expands far more than normal \(name) data; it may be a decompression bomb."
        case .needsMemory:
            "needs too much memory to decompress: it was compressed with an extreme \(name) level."
        case .outOfMemory: "could not be decompressed: there is not enough memory."
        }
    }
}

/// Decompresses a stream piece by piece. It cannot be copied, so its output can be read only once.
protocol StreamInflater: AnyObject {
    /// Decompresses as much of `input` as fits into `output`. Without input, it outputs the bytes it holds.
    ///
    /// - Returns: The number of bytes taken and made.
    func inflate(
        _ input: UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer
    ) throws(InflateError) -> (taken: Int, made: Int)

    /// Call it at the end of the input, when nothing is held.
    func finish() throws(InflateError)

    /// Whether the data is followed by other bytes.
    var hasTrailingGarbage: Bool { get }
}
