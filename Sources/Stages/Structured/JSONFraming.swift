/// Cuts JSON at its records: the objects of a list, the values of one object keyed by numbers, or objects one behind
/// the other.
///
/// What lies between records (brackets, commas, keys) needs no remembering, so reading goes on anywhere between two
/// of them. JSON has no raw line end within a string: one that is never closed ends with its line, and damages its own
/// record only. A record that lacks its closing bracket ends where the next one begins for certain: at a key of digits,
/// as LibraryThing's books have, or at an object whose first key only records have.
package struct JSONFraming: RecordFraming {
    private enum State { case plain, string, escape }

    /// Keys that make an object a record, each as a ``word``; empty where records stand under a key of digits.
    private let recordKeys: [UInt64]
    private var state = State.plain
    /// Brackets open around the next byte within the record.
    private var depth = 0
    /// Digits of the last string, where it holds nothing else; -1 otherwise.
    private var digits = -1
    /// Whether only a colon has followed that string.
    private var isKey = false
    /// Strings met since the record began.
    private var strings = 0
    /// The last string's bytes, eight at the most: the latest is the lowest.
    private var word: UInt64 = 0
    /// Whether nothing but this string has followed the last `{`.
    private var isFirst = false
    /// Bytes since the last `{`, it included.
    private var sinceBrace = 0
    /// Whether the open object has a key of a record.
    private var isKnown = false

    /// - Parameter recordKeys: Keys of eight bytes at the most. An object that has one is a record, and no other object
    ///   is; one that begins with it is a record whatever is open around it.
    package init(recordKeys: [String] = []) {
        self.recordKeys = recordKeys.map { $0.utf8.reduce(0) { $0 << 8 | UInt64($1) } }
    }

    package var isInRecord: Bool { depth > 0 && isRecord }

    /// Whether what has been read of the open object makes it a record.
    private var isRecord: Bool { recordKeys.isEmpty ? strings > 0 : isKnown }

    /// Digits of a key from which on it is a record's number and not the index of a list within one.
    private static let leastDigits = 4

    /// Bytes from an object's bracket to the end of its first key, at the most. A frame reader holds as many.
    private static let mostBytesToKey = 128

    package mutating func next(in bytes: UnsafeRawBufferPointer, from offset: Int) -> FrameMark {
        var at = offset
        while at < bytes.count {
            let byte = bytes[at]
            sinceBrace &+= 1
            switch state {
            case .escape:
                state = .string
            case .string:
                if let mark = takeString(byte, at: at) { return mark }
            case .plain:
                if let mark = takePlain(byte, at: at) { return mark }
            }
            at += 1
        }
        return .needsInput
    }

    private mutating func takeString(_ byte: UInt8, at offset: Int) -> FrameMark? {
        switch byte {
        case UInt8(ascii: "\""):
            if recordKeys.contains(word), let mark = takeRecordKey(before: offset + 1) { return mark }
            endString()
        case UInt8(ascii: "\n"):
            endString()
        case UInt8(ascii: "\\"):
            state = .escape
            digits = -1
            word = word << 8 | UInt64(byte)
        default:
            digits = byte.isDigit && digits >= 0 ? digits + 1 : -1
            word = word << 8 | UInt64(byte)
        }
        return nil
    }

    private mutating func endString() {
        state = .plain
        isFirst = false
        if digits == 0 { digits = -1 }
    }

    /// Takes a string that is a record's key, if it is a key at all.
    private mutating func takeRecordKey(before end: Int) -> FrameMark? {
        if depth == 1 { isKnown = true }
        let start = end - sinceBrace
        guard depth > 1, isFirst, start >= 0, sinceBrace <= Self.mostBytesToKey else { return nil }
        // What is around it held records, if it was none itself.
        guard isKnown else { return begin(at: start) }
        state = .plain
        depth = 0
        return .ends(start)
    }

    private mutating func takePlain(_ byte: UInt8, at offset: Int) -> FrameMark? {
        switch byte {
        case UInt8(ascii: "\""):
            state = .string
            digits = 0
            word = 0
            isKey = false
            strings += 1
            return nil
        case 0x20, 0x09, 0x0A, 0x0D:
            return nil
        case UInt8(ascii: "{"):
            return open(at: offset)
        case UInt8(ascii: ":"):
            isKey = digits > 0
        case UInt8(ascii: "["):
            isKey = false
            if depth > 0 { depth += 1 }
        case UInt8(ascii: "}"), UInt8(ascii: "]"):
            isKey = false
            guard depth > 0 else { return nil }
            depth -= 1
            if depth == 0, isRecord { return .ends(offset + 1) }
        default:
            isKey = false
        }
        isFirst = false
        return nil
    }

    private mutating func open(at offset: Int) -> FrameMark? {
        let isRecordOfKey = recordKeys.isEmpty && isKey && depth > 0
        // The first key of an object tells a record from what holds records.
        if isRecordOfKey, depth == 1, strings == 1 { return begin(at: offset) }
        if isRecordOfKey, digits >= Self.leastDigits {
            // The record before lacks its end; this byte is looked at again.
            depth = 0
            return .ends(offset)
        }
        if depth == 0 { return begin(at: offset) }
        isKey = false
        isFirst = true
        sinceBrace = 1
        depth += 1
        return nil
    }

    private mutating func begin(at offset: Int) -> FrameMark {
        state = .plain
        depth = 1
        strings = 0
        isKey = false
        isKnown = false
        isFirst = true
        sinceBrace = 1
        return .mayBegin(offset)
    }
}
