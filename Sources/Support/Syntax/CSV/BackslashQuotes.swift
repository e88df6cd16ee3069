import System

/// Bytes of text in which a quote inside a cell has a backslash before it. The backslash becomes a quote, so that the
/// quote is doubled, as everywhere else. No byte moves: positions stay the same.
struct BackslashQuotes: ByteSource {
    private var source: any ByteSource
    private let quote: UInt8
    /// The byte after a backslash that was the last one of a buffer.
    private var next: UInt8?

    init(_ source: any ByteSource, quote: UInt8, next: UInt8? = nil) {
        (self.source, self.quote, self.next) = (source, quote, next)
    }

    mutating func read(into buffer: UnsafeMutableRawBufferPointer) throws(ETLError) -> Int {
        guard !buffer.isEmpty else { return 0 }
        var count = 0
        if let next {
            buffer[0] = next
            count = 1
            self.next = nil
        }
        let start = count
        if count < buffer.count {
            count += try source.read(into: UnsafeMutableRawBufferPointer(rebasing: buffer[count...]))
        }
        if Self.replace(in: buffer, start..<count, quote) {
            // The byte after the last one decides what that is.
            next = try oneMore()
            if next == quote { buffer[count - 1] = quote }
        }
        return count
    }

    /// Replaces backslashes before quotes.
    ///
    /// - Returns: Whether the last byte is a backslash that escapes what follows.
    private static func replace(
        in buffer: UnsafeMutableRawBufferPointer, _ range: Range<Int>, _ quote: UInt8
    ) -> Bool {
        var at = range.lowerBound
        while at < range.upperBound {
            guard buffer[at] == UInt8(ascii: "\\") else {
                at += 1
                continue
            }
            guard at + 1 < range.upperBound else { return true }
            if buffer[at + 1] == quote { buffer[at] = quote }
            at += 2
        }
        return false
    }

    private mutating func oneMore() throws(ETLError) -> UInt8? {
        let byte = UnsafeMutableRawBufferPointer.allocate(byteCount: 1, alignment: 1)
        defer { byte.deallocate() }
        return try source.read(into: byte) == 1 ? byte[0] : nil
    }

    func ahead() throws(ETLError) -> (any ByteSource)? {
        guard let ahead = try source.ahead() else { return nil }
        return BackslashQuotes(ahead, quote: quote, next: next)
    }

    /// Text with its quotes doubled.
    static func replaced(in text: [UInt8], quote: UInt8) -> [UInt8] {
        var text = text
        text.withUnsafeMutableBytes { bytes in _ = replace(in: bytes, 0..<bytes.count, quote) }
        return text
    }
}
