import Bytes

/// Numbers in the free texts of a record.
enum MARCNumbers {
    /// The first year in a text: exactly four digits, from 1000 to 2099, as in `[c1998]` or `MDCCC [1800]`.
    static func year(_ bytes: UnsafeRawBufferPointer) -> Int? {
        var at = 0
        while at < bytes.count {
            guard let (value, end) = PageCount.number(bytes, at) else {
                at += 1
                continue
            }
            if end - at == 4, (1000...2099).contains(value) { return value }
            at = end
        }
        return nil
    }
}
