/// Keys in a row as eight bytes each, lowest byte first: the form in which a waiting record keeps its
/// authors.
enum NumberList {
    static func pack(_ numbers: [Int64], into bytes: inout [UInt8]) {
        bytes.removeAll(keepingCapacity: true)
        for number in numbers {
            withUnsafeBytes(of: number.littleEndian) { bytes.append(contentsOf: $0) }
        }
    }

    /// - Returns: The whole numbers in the bytes; a rest of fewer than eight bytes is left out.
    static func unpack(_ bytes: UnsafeRawBufferPointer) -> [Int64] {
        stride(from: 0, to: bytes.count / 8 * 8, by: 8).map {
            Int64(littleEndian: bytes.loadUnaligned(fromByteOffset: $0, as: Int64.self))
        }
    }
}
