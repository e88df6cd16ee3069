import Bytes

/// Looks, from within a quoted field, for the quote that closes it, in bytes that come piece by piece.
///
/// A lone quote is told by it from a field that is only long: what the next quote closes as it should, with a delimiter, a
/// line end or the end of the input behind it, is a field. Behind a lone one the next quote opens another field, and text
/// follows it; or there is none.
struct ClosingQuote {
    private let delimiter: UInt8
    private let quote: UInt8
    /// Whether the byte before was a quote that is no second one.
    private var isBehindQuote = false

    init(_ parser: CSVParser) { (delimiter, quote) = (parser.delimiter, parser.quote) }

    /// Looks at the bytes that come next.
    ///
    /// - Returns: Whether the field is closed as it should; nil where more bytes are needed to tell.
    mutating func isClosing(in bytes: UnsafeRawBufferPointer, isFinal: Bool) -> Bool? {
        var at = 0
        while true {
            if isBehindQuote {
                guard at < bytes.count else { return isFinal ? true : nil }
                guard bytes[at] == quote else {
                    let isLineEnd = bytes[at] == UInt8(ascii: "\r") || bytes[at] == UInt8(ascii: "\n")
                    return isLineEnd || bytes[at] == delimiter
                }
                isBehindQuote = false
                at += 1
            }
            guard let found = bytes.offset(of: quote, from: at) else { return isFinal ? false : nil }
            isBehindQuote = true
            at = found + 1
        }
    }
}
