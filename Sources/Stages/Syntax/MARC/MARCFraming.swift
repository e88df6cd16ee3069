import Bytes

/// Cuts a file of MARC records (ISO 2709) at their terminators.
///
/// A record says its length in its first five bytes, but many are wrong: programs that turn MARC-8 into UTF-8 forget
/// to count again. The terminator stands for nothing else in any character set of MARC, so it alone decides, and
/// whatever a record says of itself, the next one begins behind it. Blanks, line ends and NUL bytes between records
/// belong to none.
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

    /// Blanks, NUL, the end-of-file mark of old systems, a byte order mark, a terminator that ends nothing.
    package static func isBetween(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x00, 0x09, 0x0A, 0x0D, 0x1A, 0x20, 0xEF, 0xBB, 0xBF, terminator: true
        default: false
        }
    }
}
