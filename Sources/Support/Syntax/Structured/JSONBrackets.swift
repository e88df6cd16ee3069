/// Whether all brackets and strings of JSON text are closed.
package struct JSONBrackets {
    /// Whether the text ends within an object, a list or a string.
    package private(set) var areOpen = false

    package init(_ text: [UInt8]) {
        var depth = 0
        var strings = JSONStrings()
        for byte in text where !strings.take(byte) {
            switch byte {
            case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
            case UInt8(ascii: "}"), UInt8(ascii: "]"): depth -= 1
            default: break
            }
        }
        areOpen = strings.areOpen || depth > 0
    }
}

/// Follows where strings begin and end in JSON text that is read byte by byte.
struct JSONStrings {
    /// Whether the last byte was within a string.
    private(set) var areOpen = false
    private var isEscaped = false

    /// Takes the next byte.
    ///
    /// - Returns: Whether it belongs to a string, with its quotes.
    mutating func take(_ byte: UInt8) -> Bool {
        guard areOpen else {
            areOpen = byte == UInt8(ascii: "\"")
            return areOpen
        }
        if isEscaped {
            isEscaped = false
        } else if byte == UInt8(ascii: "\\") {
            isEscaped = true
        } else if byte == UInt8(ascii: "\"") {
            areOpen = false
        }
        return true
    }
}
