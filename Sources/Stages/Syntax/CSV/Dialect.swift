/// How a file separates its cells: the two bytes that a CSV parser needs to be told.
///
/// Line ends are not part of it: CRLF, LF and CR all end a record, mixed as they come (RFC 4180 asks for
/// CRLF, exports of different years do not).
package struct Dialect: Sendable, Hashable {
    /// What stands between two cells: an ASCII byte other than CR, LF and the quote.
    package var delimiter: UInt8
    /// What encloses a cell and is doubled inside it; nil where quotes have no meaning and stand for
    /// themselves.
    package var quote: UInt8?

    package init(delimiter: UInt8, quote: UInt8? = UInt8(ascii: "\"")) {
        self.delimiter = delimiter
        self.quote = quote
    }

    /// RFC 4180: comma and double quote.
    package static let comma = Dialect(delimiter: UInt8(ascii: ","))
    /// Tab and double quote, as spreadsheets write it.
    package static let tab = Dialect(delimiter: UInt8(ascii: "\t"))
    /// Semicolon and double quote: the CSV of places that write decimals with a comma.
    package static let semicolon = Dialect(delimiter: UInt8(ascii: ";"))
}
