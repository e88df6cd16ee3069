import CVectors
import Syntax
package import System

/// The table of a model in a safetensors file: a header in JSON, then the numbers of its tensors.
///
/// Files may come from anywhere: the header's claims are checked against the file before a number is read.
package struct SafetensorsFile: Sendable {
    /// Numbers of a row, at most. Real models have up to 4,096.
    private static let mostColumns = 16_384
    /// Size in bytes up to which a file is copied to memory: a user may write over it while a server runs.
    private static let copiedBytes = 256 << 20
    /// Length of the header, at most. A table of one tensor has about 100 bytes.
    private static let mostHeaderBytes = 1 << 20
    /// The names that programs give to the table.
    private static let names = ["embeddings", "embedding.weight"]

    private struct Tensor {
        var name = ""
        var type = ""
        var shape: [Int64] = []
        var offsets: [Int64] = []
    }

    /// The file, of which the table is a part.
    let file: MappedFile
    /// Rows of the table, one for each token.
    package let rowCount: Int
    /// Numbers in a row.
    package let columnCount: Int
    private let numberType: Int32
    private let start: Int

    /// Opens a file, and checks that all numbers of its table are finite.
    ///
    /// - Throws: `.missing` if there is no such file, `.unusableInput` if it is damaged or has another layout.
    package init(_ path: String) throws(ETLError) {
        let file = try MappedFile(path, copyingUpTo: Self.copiedBytes)
        func refusal(_ why: String) -> ETLError {
            ETLError(
                .unusableInput, "`\(path)` cannot be used as a model: \(why).",
                advice:
                    "Name a safetensors file with one table of token vectors; download it again if it is one."
            )
        }
        let bytes = file.bytes
        guard bytes.count > 8 else { throw refusal("it is too short") }
        let length = UInt64(littleEndian: bytes.loadUnaligned(as: UInt64.self))
        guard length <= UInt64(Self.mostHeaderBytes) else { throw refusal("it is not a safetensors file") }
        guard length <= UInt64(bytes.count - 8) else { throw refusal("it is cut off") }
        start = 8 + Int(length)
        let tensors: [Tensor]
        do throws(JSONReadError) {
            tensors = try Self.tensors(in: UnsafeRawBufferPointer(rebasing: bytes[8..<8 + Int(length)]))
        } catch {
            throw refusal("it is not a safetensors file")
        }
        guard tensors.count == 1, let table = tensors.first, Self.names.contains(table.name) else {
            let names = tensors.prefix(4).map { "\"\($0.name.prefix(40))\"" }.joined(separator: ", ")
            throw refusal(
                tensors.isEmpty
                    ? "it has no tensor" : "it needs one tensor of token vectors, and has \(names)")
        }
        let type: Int32
        switch table.type {
        case "F32": type = Int32(VECTORS_FLOAT)
        case "F16": type = Int32(VECTORS_HALF)
        case "BF16": type = Int32(VECTORS_BFLOAT)
        default: throw refusal("its numbers are \(table.type.prefix(12)), not F32, F16 or BF16")
        }
        guard table.shape.count == 2, let rows = table.shape.first, let columns = table.shape.last,
            (1...Int64(Int32.max)).contains(rows), (1...Int64(Self.mostColumns)).contains(columns)
        else {
            let shape = table.shape.prefix(4).map(String.init).joined(separator: " × ")
            throw refusal("its table has the shape \(shape), not tokens × numbers")
        }
        let count = Int(rows) * Int(columns)
        let size = count * vectors_size(type)
        guard table.offsets.count == 2, table.offsets == [0, Int64(size)] else {
            throw refusal("the length of its table does not fit its shape")
        }
        guard bytes.count >= start + size else { throw refusal("it is cut off") }
        guard vectors_finite(bytes.baseAddress?.advanced(by: start), count, type) != 0 else {
            throw refusal("its table has values that are not numbers")
        }
        self.file = file
        numberType = type
        (rowCount, columnCount) = (Int(rows), Int(columns))
    }

    /// Adds a row to a sum, which has ``columnCount`` numbers. Rows outside the table add nothing.
    @inline(__always)
    func add(_ row: Int, to sum: inout [Float]) {
        guard row >= 0, row < rowCount, sum.count == columnCount, let base = file.bytes.baseAddress else {
            return
        }
        let offset = start + row * columnCount * vectors_size(numberType)
        sum.withUnsafeMutableBufferPointer { sum in
            vectors_add(sum.baseAddress, base + offset, sum.count, numberType)
        }
    }

    private static func tensors(in header: UnsafeRawBufferPointer) throws(JSONReadError) -> [Tensor] {
        var reader = JSONReader(header)
        var tensors: [Tensor] = []
        try reader.forEachKey { (name, reader) throws(JSONReadError) in
            if name == "__metadata__" { return }
            var tensor = Tensor()
            tensor.name = name.string
            try reader.forEachKey { (key, reader) throws(JSONReadError) in
                switch key {
                case "dtype": tensor.type = try reader.string().string
                case "shape": tensor.shape = try integers(&reader)
                case "data_offsets": tensor.offsets = try integers(&reader)
                default: break
                }
            }
            if tensors.count < 64 { tensors.append(tensor) }
        }
        try reader.finish()
        return tensors
    }

    /// An array of integers. Anything else in it becomes -1, which no shape and no offset is.
    private static func integers(_ reader: inout JSONReader) throws(JSONReadError) -> [Int64] {
        var integers: [Int64] = []
        try reader.forEachElement { (reader) throws(JSONReadError) in
            let integer = try reader.integer()
            if integers.count < 8 { integers.append(integer ?? -1) }
        }
        return integers
    }
}
