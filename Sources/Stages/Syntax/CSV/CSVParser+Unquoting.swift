#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

extension CSVParser {
    /// Writes what a quoted field means: without its quotes, doubled ones once, text after the closing
    /// quote kept.
    ///
    /// - Parameters:
    ///   - field: The field as it stands in the file, beginning with its quote.
    ///   - output: At least as long as the field.
    /// - Returns: Bytes written.
    package func unquote(_ field: UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer) -> Int {
        guard let start = field.baseAddress else { return 0 }
        var at = 1
        var end = 0
        // From quote to quote in one stroke each: marked-up reviews have a pair of them every few words.
        while at < field.count, let found = memchr(start + at, Int32(quote), field.count - at) {
            let next = UnsafeRawPointer(found) - start
            let isDoubled = next + 1 < field.count && field[next + 1] == quote
            end += copy(field, at..<(isDoubled ? next + 1 : next), to: output, at: end)
            at = isDoubled ? next + 2 : next + 1
            if !isDoubled { break }
        }
        // The closing quote is behind us: what is left stands for itself.
        return end + copy(field, at..<max(at, field.count), to: output, at: end)
    }

    @inline(__always)
    private func copy(
        _ field: UnsafeRawBufferPointer, _ range: Range<Int>, to output: UnsafeMutableRawBufferPointer,
        at end: Int
    ) -> Int {
        UnsafeMutableRawBufferPointer(rebasing: output[end...])
            .copyMemory(from: UnsafeRawBufferPointer(rebasing: field[range]))
        return range.count
    }
}
