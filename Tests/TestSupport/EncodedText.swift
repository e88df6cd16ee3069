#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// Text in encodings other than UTF-8, as the C library's iconv writes it.
package enum EncodedText {
    /// The bytes of a text; empty if the encoding is unknown or lacks a character.
    ///
    /// - Parameter encoding: A name of iconv: `CP1250`, `EUC-JP`.
    package static func bytes(_ text: String, in encoding: String) -> [UInt8] {
        guard let handle = iconv_open(encoding, "UTF-8"), Int(bitPattern: handle) != -1 else { return [] }
        defer { iconv_close(handle) }
        var source = Array(text.utf8).map { CChar(bitPattern: $0) }
        var target = [CChar](repeating: 0, count: 4 * source.count + 8)
        var left = target.count
        let isComplete = source.withUnsafeMutableBufferPointer { source in
            target.withUnsafeMutableBufferPointer { target in
                var input = source.baseAddress
                var output = target.baseAddress
                var inputLeft = source.count
                return iconv(handle, &input, &inputLeft, &output, &left) != -1
            }
        }
        return isComplete ? target.prefix(target.count - left).map { UInt8(bitPattern: $0) } : []
    }
}
