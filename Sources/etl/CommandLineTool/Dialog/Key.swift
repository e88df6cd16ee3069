/// A key that the user pressed.
enum Key: Sendable, Hashable {
    /// A letter, digit or other visible character, or a space.
    case character(Character)
    case up, down, left, right
    case enter, escape, backspace
    /// Ctrl-C.
    case interrupt
    /// Ctrl-D, or the end of the input.
    case end

    /// The keys in bytes that a terminal sent at once. Keys without a meaning here, and what is no UTF-8, are left out.
    ///
    /// A terminal sends a key as one piece, so an ESC at the end of the bytes is the key itself.
    static func keys(in bytes: [UInt8]) -> [Key] {
        var keys: [Key] = []
        var rest = bytes[...]
        while let byte = rest.first {
            switch byte {
            case 0x1B: keys += takeSequence(&rest)
            case 0x00...0x1F, 0x7F:
                rest.removeFirst()
                keys += control(byte)
            default:
                let text = rest.prefix { $0 >= 0x20 && $0 != 0x7F }
                rest = rest.dropFirst(text.count)
                keys += (String(validating: text, as: UTF8.self) ?? "").map { .character($0) }
            }
        }
        return keys
    }

    private static func control(_ byte: UInt8) -> [Key] {
        switch byte {
        case 0x03: [.interrupt]
        case 0x04: [.end]
        case 0x08, 0x7F: [.backspace]
        case 0x0A, 0x0D: [.enter]
        default: []
        }
    }

    /// Takes an escape sequence: ESC `[` or ESC `O`, parameters, and a letter or `~`.
    private static func takeSequence(_ rest: inout ArraySlice<UInt8>) -> [Key] {
        rest.removeFirst()
        guard let kind = rest.first, kind == UInt8(ascii: "[") || kind == UInt8(ascii: "O") else {
            return [.escape]
        }
        rest.removeFirst()
        while let byte = rest.popFirst() {
            guard (0x40...0x7E).contains(byte) else { continue }
            switch byte {
            case UInt8(ascii: "A"): return [.up]
            case UInt8(ascii: "B"): return [.down]
            case UInt8(ascii: "C"): return [.right]
            case UInt8(ascii: "D"): return [.left]
            default: return []
            }
        }
        return []
    }
}
