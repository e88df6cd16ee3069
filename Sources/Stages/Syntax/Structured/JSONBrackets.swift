/// Whether all brackets and strings of JSON text are closed.
package struct JSONBrackets {
    /// Whether the text ends within an object, a list or a string.
    package private(set) var areOpen = false

    package init(_ text: [UInt8]) {
        var depth = 0
        var isInString = false
        var isEscaped = false
        for byte in text {
            if isInString {
                if isEscaped {
                    isEscaped = false
                } else if byte == UInt8(ascii: "\\") {
                    isEscaped = true
                } else if byte == UInt8(ascii: "\"") {
                    isInString = false
                }
                continue
            }
            switch byte {
            case UInt8(ascii: "\""): isInString = true
            case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
            case UInt8(ascii: "}"), UInt8(ascii: "]"): depth -= 1
            default: break
            }
        }
        areOpen = isInString || depth > 0
    }
}
