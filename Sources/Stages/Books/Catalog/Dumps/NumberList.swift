import Bytes

/// Numbers in a row, packed (LEB128): the form in which a record keeps the keys of its authors.
enum NumberList {
    /// Appends numbers, none of them negative.
    static func pack(_ numbers: [Int64], onto bytes: inout [UInt8]) {
        for number in numbers { Varint.append(UInt64(bitPattern: number), to: &bytes) }
    }

    /// - Returns: The whole numbers in the bytes; one that is cut off or too long ends the list.
    static func unpack(_ bytes: UnsafeRawBufferPointer) -> [Int64] {
        var numbers: [Int64] = []
        var offset = 0
        while let number = Varint.take(bytes, at: &offset) { numbers.append(Int64(number)) }
        return numbers
    }
}
