#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// How a field is quoted, by a close look at its bytes: for the few whose quotes are neither a pair around it
/// nor doubled within.
struct FieldQuoting {
    /// What it makes of its record.
    private(set) var flags: RecordFlags = []
    /// Whether its cell has to be written anew, because it holds doubled quotes or goes on after its closing
    /// quote.
    private(set) var isRewritten = false
    /// Where in the field its cell's bytes are, enclosing quotes left out.
    private(set) var text: Range<Int>

    init(of field: UnsafeBufferPointer<UInt8>, quote: UInt8) {
        text = 0..<field.count
        if field.first == quote {
            lookWithin(field, quote)
        } else if field.contains(quote), !Self.isFormula(field, quote) {
            flags = .strayQuote
        }
    }

    private mutating func lookWithin(_ field: UnsafeBufferPointer<UInt8>, _ quote: UInt8) {
        var at = 1
        while let found = Self.firstIndex(of: quote, in: field, from: at) {
            guard found + 1 < field.count else {
                text = 1..<found
                return
            }
            guard field[found + 1] == quote else {
                flags = .textAfterQuote
                isRewritten = true
                return
            }
            isRewritten = true
            at = found + 2
        }
        // Only the end of the input leaves a field without its closing quote.
        flags = .unterminatedQuote
        text = 1..<field.count
    }

    /// Whether it is `="0439708184"`, the spreadsheets' way to keep digits text: nothing stray about its
    /// quotes.
    private static func isFormula(_ field: UnsafeBufferPointer<UInt8>, _ quote: UInt8) -> Bool {
        field.count >= 3 && field[0] == UInt8(ascii: "=") && field[1] == quote
            && firstIndex(of: quote, in: field, from: 2) == field.count - 1
    }

    private static func firstIndex(of byte: UInt8, in field: UnsafeBufferPointer<UInt8>, from start: Int)
        -> Int?
    {
        guard start < field.count, let base = field.baseAddress,
            let found = memchr(base + start, Int32(byte), field.count - start)
        else { return nil }
        return UnsafeRawPointer(found) - UnsafeRawPointer(base)
    }
}
