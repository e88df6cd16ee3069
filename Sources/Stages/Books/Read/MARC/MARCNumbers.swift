import Bytes

/// Numbers in the free texts of a record.
enum MARCNumbers {
    /// The first year in a text: exactly four digits, from 1000 to 2099, as in `[c1998]` or `MDCCC [1800]`.
    static func year(_ bytes: UnsafeRawBufferPointer) -> Int? {
        var at = 0
        while at < bytes.count {
            guard bytes[at].isDigit else {
                at += 1
                continue
            }
            let digits = bytes[at...].prefix { $0.isDigit }
            let value = digits.prefix(5).reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) }
            if digits.count == 4, (1000...2099).contains(value) { return value }
            at = digits.endIndex
        }
        return nil
    }
}
