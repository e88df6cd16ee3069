import Bytes

/// Splits a file of MARC records (ISO 2709) at their terminators.
///
/// A record's first five bytes are its length, but many are wrong: programs that convert MARC-8 to UTF-8
/// often do not update it. The terminator has no other meaning in any character set of MARC, so it alone
/// decides where a record ends. Whitespace, line ends and NUL bytes between records belong to no record.
package struct MARCFraming: RecordFraming {
    /// Ends a record.
    static let terminator: UInt8 = 0x1D

    package private(set) var isInRecord = false

    package init() {}

    package mutating func next(in bytes: UnsafeRawBufferPointer, from offset: Int) -> FrameMark {
        if !isInRecord {
            guard let start = bytes[offset...].firstIndex(where: { !Self.isBetween($0) }) else {
                return .needsInput
            }
            isInRecord = true
            return .mayBegin(start)
        }
        guard let end = bytes.offset(of: Self.terminator, from: offset) else { return .needsInput }
        isInRecord = false
        return .ends(end + 1)
    }

    /// Whether a byte may be between records: whitespace, NUL, the end-of-file mark of old systems, a byte
    /// order mark, or an extra terminator.
    package static func isBetween(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x00, 0x09, 0x0A, 0x0D, 0x1A, 0x20, 0xEF, 0xBB, 0xBF, terminator: true
        default: false
        }
    }
}
