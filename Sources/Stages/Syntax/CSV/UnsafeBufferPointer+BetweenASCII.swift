extension UnsafeBufferPointer<UInt8> {
    /// The bytes from the first word of eight on that holds one above 0x7F, to the last: whether all are UTF-8
    /// is decided there.
    var betweenASCII: UnsafeBufferPointer<UInt8> {
        let bytes = UnsafeRawBufferPointer(self)
        func isASCII(_ at: Int) -> Bool {
            bytes.loadUnaligned(fromByteOffset: at, as: UInt64.self) & 0x8080_8080_8080_8080 == 0
        }
        var (start, end) = (0, count)
        while start + 8 <= end, isASCII(start) { start += 8 }
        while end - start >= 8, isASCII(end - 8) { end -= 8 }
        return UnsafeBufferPointer(rebasing: self[start..<end])
    }
}
