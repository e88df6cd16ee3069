/// Text and blob columns of a row in one piece of memory, so that many rows can be kept. NULL and an empty text
/// are the same here.
///
///     4 bytes per column: the offset of its end
///     the bytes of the columns, in order
struct PackedRow {
    private let bytes: [UInt8]
    private let count: Int

    /// - Parameters:
    ///   - columns: Number of columns.
    ///   - append: Appends the bytes of a column. Called in the order of the columns.
    init(columns: Int, _ append: (_ column: Int, _ bytes: inout [UInt8]) -> Void) {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(Self.usualBytes)
        bytes.append(contentsOf: repeatElement(0, count: columns * Columns.endBytes))
        for column in 0..<columns {
            append(column, &bytes)
            let end = UInt32(truncatingIfNeeded: bytes.count)
            bytes.withUnsafeMutableBytes {
                $0.storeBytes(of: end, toByteOffset: column * Columns.endBytes, as: UInt32.self)
            }
        }
        // Many rows are kept, so they must not keep the capacity reserved for longer ones.
        self.bytes = bytes.withUnsafeBytes { Array($0) }
        count = columns
    }

    /// Most works and editions fit without growing.
    private static let usualBytes = 1_024

    /// Bytes of memory.
    var byteCount: Int { bytes.capacity }

    /// Lends the columns to `body`. They are invalid afterwards.
    @inline(__always)
    func withColumns<Result, Failure: Error>(
        _ body: (Columns) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try bytes.withUnsafeBufferPointer { (bytes) throws(Failure) in
            try body(Columns(bytes: UnsafeRawBufferPointer(bytes), count: count))
        }
    }

    /// The columns of a row as plain memory.
    struct Columns {
        fileprivate static let endBytes = MemoryLayout<UInt32>.size

        fileprivate let bytes: UnsafeRawBufferPointer
        fileprivate let count: Int

        /// The bytes of a column.
        @inline(__always)
        subscript(column: Int) -> UnsafeRawBufferPointer {
            let start = column == 0 ? count * Self.endBytes : end(of: column - 1)
            return UnsafeRawBufferPointer(rebasing: bytes[start..<end(of: column)])
        }

        @inline(__always)
        private func end(of column: Int) -> Int {
            Int(bytes.loadUnaligned(fromByteOffset: column * Self.endBytes, as: UInt32.self))
        }
    }
}
