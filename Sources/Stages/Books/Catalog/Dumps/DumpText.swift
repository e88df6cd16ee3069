import Syntax

/// A string of a dump's record made fit for the catalog: escapes decoded, NUL and blanks at the ends taken
/// off, cut at a bound. One buffer serves all.
struct DumpText {
    /// Bytes of a title, a name or any other short value.
    static let shortLimit = 2_000
    /// Bytes of a description.
    static let longLimit = 32_768

    private var buffer: [UInt8] = []
    private var range = 0..<0
    /// Values that were cut so far.
    private(set) var cuts = 0

    /// Takes a string; what it was before is gone.
    mutating func read(_ string: JSONString, limit: Int = shortLimit) {
        buffer.removeAll(keepingCapacity: true)
        string.append(to: &buffer)
        // Dumps hold NUL escapes, which no text needs and some databases refuse.
        if buffer.contains(0) { buffer.removeAll { $0 == 0 } }
        range = 0..<buffer.count
        while let first = range.first, buffer[first] <= 0x20 { range.removeFirst() }
        while let last = range.last, buffer[last] <= 0x20 { range.removeLast() }
        guard range.count > limit else { return }
        cuts += 1
        var end = range.lowerBound + limit
        // Not inside a letter: back over continuation bytes.
        while end > range.lowerBound, buffer[end] & 0xC0 == 0x80 { end -= 1 }
        range = range.lowerBound..<end
    }

    /// Lends the text; empty where nothing is left.
    func withBytes<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
        buffer.withUnsafeBytes { body(UnsafeRawBufferPointer(rebasing: $0[range])) }
    }

    var bytes: [UInt8] { Array(buffer[range]) }
}
