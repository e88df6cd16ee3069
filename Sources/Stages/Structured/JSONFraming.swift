/// Cuts JSON at its records: the objects of a list, the values of one object keyed by numbers, or objects one behind
/// the other.
///
/// What lies between records (brackets, commas, keys) needs no remembering, so reading goes on anywhere between two
/// of them. JSON has no raw line end within a string: one that is never closed ends with its line, and damages its own
/// record only. A record that lacks its closing bracket ends where a key of digits, as records have, follows.
package struct JSONFraming: RecordFraming {
    private enum State { case plain, string, escape }

    private var state = State.plain
    /// Brackets open around the next byte within the record.
    private var depth = 0
    /// Digits of the last string, where it holds nothing else; -1 otherwise.
    private var digits = -1
    /// Whether only a colon has followed that string.
    private var isKey = false
    /// Strings met since the record began.
    private var strings = 0

    package init() {}

    package var isInRecord: Bool { depth > 0 && strings > 0 }

    /// Digits of a key from which on it is a record's number and not the index of a list within one.
    private static let leastDigits = 4

    package mutating func next(in bytes: UnsafeRawBufferPointer, from offset: Int) -> FrameMark {
        var at = offset
        while at < bytes.count {
            let byte = bytes[at]
            switch state {
            case .escape:
                state = .string
            case .string:
                takeString(byte)
            case .plain:
                if let mark = takePlain(byte, at: at) { return mark }
            }
            at += 1
        }
        return .needsInput
    }

    private mutating func takeString(_ byte: UInt8) {
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\n"):
            state = .plain
            if digits == 0 { digits = -1 }
        case UInt8(ascii: "\\"):
            state = .escape
            digits = -1
        default:
            digits = byte.isDigit && digits >= 0 ? digits + 1 : -1
        }
    }

    private mutating func takePlain(_ byte: UInt8, at offset: Int) -> FrameMark? {
        switch byte {
        case UInt8(ascii: "\""):
            state = .string
            digits = 0
            isKey = false
            strings += 1
        case UInt8(ascii: ":"):
            isKey = digits > 0
        case UInt8(ascii: "{"):
            return open(at: offset)
        case UInt8(ascii: "["):
            isKey = false
            if depth > 0 { depth += 1 }
        case UInt8(ascii: "}"), UInt8(ascii: "]"):
            isKey = false
            guard depth > 0 else { return nil }
            depth -= 1
            if depth == 0, strings > 0 { return .ends(offset + 1) }
        case 0x20, 0x09, 0x0A, 0x0D:
            break
        default:
            isKey = false
        }
        return nil
    }

    private mutating func open(at offset: Int) -> FrameMark? {
        let isRecordOfKey = isKey && depth > 0
        // The first key of an object tells a record from what holds records.
        if isRecordOfKey, depth == 1, strings == 1 { return begin(at: offset) }
        if isRecordOfKey, digits >= Self.leastDigits {
            // The record before lacks its end; this byte is looked at again.
            depth = 0
            return .ends(offset)
        }
        if depth == 0 { return begin(at: offset) }
        isKey = false
        depth += 1
        return nil
    }

    private mutating func begin(at offset: Int) -> FrameMark {
        depth = 1
        strings = 0
        isKey = false
        return .mayBegin(offset)
    }
}
