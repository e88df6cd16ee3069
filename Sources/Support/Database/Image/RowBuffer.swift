/// Rows that wait to be laid out in an image: the type and value of each column, in SQLite's record format.
///
/// The bytes of texts and blobs stay in place until the row is laid out.
@usableFromInline
struct RowBuffer {
    /// A row: a range of the columns, and the space it needs.
    @usableFromInline
    struct Row {
        var table: Int
        var id: Int64
        var columns: Range<Int>
        /// Size in bytes of the columns' types.
        var headerBytes: Int
        /// Size in bytes of the columns' values.
        var valueBytes: Int

        /// Size in bytes of the record: the header, which begins with its own length, and the values.
        var payload: Int {
            let header = headerBytes + 1
            return (header < 0x80 ? header : header + 1) + valueBytes
        }

        /// Size in bytes of the cell: the record's length, the row's id and the record.
        var cell: Int {
            VarintBigEndian.count(UInt64(payload)) + VarintBigEndian.count(UInt64(bitPattern: id)) + payload
        }
    }

    /// A column's serial type and its value: a number's bits, or the address of bytes.
    @usableFromInline
    struct Column {
        @usableFromInline var type: UInt64
        @usableFromInline var bits: UInt64

        @inlinable
        init(type: UInt64, bits: UInt64) {
            self.type = type
            self.bits = bits
        }
    }

    /// The serial types of the record format. Texts and blobs have types from 12 on.
    @usableFromInline
    enum Serial {
        @inlinable static var null: UInt64 { 0 }
        @inlinable static var int8: UInt64 { 1 }
        @inlinable static var int16: UInt64 { 2 }
        @inlinable static var int24: UInt64 { 3 }
        @inlinable static var int32: UInt64 { 4 }
        @inlinable static var int48: UInt64 { 5 }
        @inlinable static var int64: UInt64 { 6 }
        @inlinable static var double: UInt64 { 7 }
        @inlinable static var zero: UInt64 { 8 }
        @inlinable static var one: UInt64 { 9 }
        /// Not in the file format: a 32-bit number that can be set later.
        @inlinable static var placeholder: UInt64 { .max }
    }

    private(set) var rows: [Row] = []
    @usableFromInline var columns: [Column] = []
    /// The row that values are added to. It is added to ``rows`` when it is complete.
    private var current: Row?
    @usableFromInline var headerBytes = 0
    @usableFromInline var valueBytes = 0
    /// Whether no value needs a conversion by SQLite.
    private(set) var isPlain = true

    mutating func removeAll() {
        rows.removeAll(keepingCapacity: true)
        current = nil
        (headerBytes, valueBytes) = (0, 0)
        columns.removeAll(keepingCapacity: true)
        isPlain = true
    }

    /// - Parameter hasIDColumn: Whether the id is the first column. Its value is in the cell, not in the
    ///   record.
    mutating func begin(_ table: Int, id: Int64, hasIDColumn: Bool = true) {
        endRow()
        current = Row(
            table: table, id: id, columns: columns.count..<columns.count, headerBytes: 0, valueBytes: 0)
        if hasIDColumn { append(Serial.null, bits: 0, bytes: 0) }
    }

    /// Completes the last row.
    mutating func endRow() {
        guard var row = current else { return }
        row.columns = row.columns.lowerBound..<columns.count
        (row.headerBytes, row.valueBytes) = (headerBytes, valueBytes)
        rows.append(row)
        current = nil
        (headerBytes, valueBytes) = (0, 0)
    }

    @inline(__always)
    @inlinable
    package mutating func append(_ type: UInt64, bits: UInt64, bytes: Int) {
        columns.append(Column(type: type, bits: bits))
        headerBytes += type == Serial.placeholder ? 1 : VarintBigEndian.count(type)
        valueBytes += bytes
    }

    // MARK: Values

    @inline(__always)
    @inlinable
    mutating func add(_ value: Int64) {
        if value == 0 { return append(Serial.zero, bits: 0, bytes: 0) }
        if value == 1 { return append(Serial.one, bits: 0, bytes: 0) }
        let magnitude = value < 0 ? ~value : value
        let bits = UInt64(bitPattern: value)
        switch magnitude {
        case ..<0x80: append(Serial.int8, bits: bits, bytes: 1)
        case ..<0x8000: append(Serial.int16, bits: bits, bytes: 2)
        case ..<0x80_0000: append(Serial.int24, bits: bits, bytes: 3)
        case ..<0x8000_0000: append(Serial.int32, bits: bits, bytes: 4)
        case ..<0x8000_0000_0000: append(Serial.int48, bits: bits, bytes: 6)
        default: append(Serial.int64, bits: bits, bytes: 8)
        }
    }

    @inline(__always)
    @inlinable
    mutating func add(_ value: Int64?) {
        if let value { add(value) } else { append(Serial.null, bits: 0, bytes: 0) }
    }

    @inline(__always)
    @inlinable
    mutating func add(_ value: Double?) {
        guard let value else { return append(Serial.null, bits: 0, bytes: 0) }
        // SQLite stores whole numbers as integers even in REAL columns, and NaN as NULL.
        if let whole = Int64(exactly: value), value.sign == .plus || whole != 0 { return add(whole) }
        if value.isNaN { return append(Serial.null, bits: 0, bytes: 0) }
        append(Serial.double, bits: value.bitPattern, bytes: 8)
    }

    @inline(__always)
    @inlinable
    mutating func add(text bytes: UnsafeRawBufferPointer) { add(bytes, type: 13) }

    @inline(__always)
    @inlinable
    mutating func add(blob bytes: UnsafeRawBufferPointer) { add(bytes, type: 12) }

    @inline(__always)
    @inlinable
    mutating func add(_ bytes: UnsafeRawBufferPointer, type: UInt64) {
        guard let base = bytes.baseAddress, !bytes.isEmpty else {
            return append(Serial.null, bits: 0, bytes: 0)
        }
        append(
            type + UInt64(bytes.count) * 2, bits: UInt64(UInt(bitPattern: base)), bytes: bytes.count)
    }

    @usableFromInline
    mutating func add(number bytes: UnsafeRawBufferPointer, isReal: Bool) {
        guard !bytes.isEmpty else { return append(Serial.null, bits: 0, bytes: 0) }
        switch NumericText(bytes) {
        case .integer(let value): add(value)
        case .decimal(let value) where isReal: add(value)
        default:
            isPlain = false
            append(Serial.null, bits: 0, bytes: 0)
        }
    }

    @inline(__always)
    @inlinable
    mutating func add(placeholder value: Int64) {
        append(Serial.placeholder, bits: UInt64(bitPattern: value), bytes: 4)
    }

    // MARK: Laying out

    /// Writes a row's cell.
    ///
    /// - Parameter start: The start of ``Row/cell`` free bytes.
    /// - Returns: The offset of the row's first open number from `start`; nil if it has none.
    func layOut(_ index: Int, at start: UnsafeMutableRawPointer) -> Int? {
        let row = rows[index]
        var out = start
        VarintBigEndian.write(UInt64(row.payload), to: &out)
        VarintBigEndian.write(UInt64(bitPattern: row.id), to: &out)
        let header = row.headerBytes + 1
        VarintBigEndian.write(UInt64(header < 0x80 ? header : header + 1), to: &out)
        var values = out + row.headerBytes
        var placeholder: Int?
        columns.withUnsafeBufferPointer { columns in
            for column in columns[row.columns] {
                switch column.type {
                case Serial.null, Serial.zero, Serial.one:
                    out.storeBytes(of: UInt8(column.type), as: UInt8.self)
                    out += 1
                case Serial.int8...Serial.double:
                    out.storeBytes(of: UInt8(column.type), as: UInt8.self)
                    out += 1
                    Self.write(column.bits, bytes: Self.size(of: column.type), to: &values)
                case Serial.placeholder:
                    out.storeBytes(of: UInt8(Serial.int32), as: UInt8.self)
                    out += 1
                    if placeholder == nil { placeholder = values - start }
                    Self.write(column.bits, bytes: 4, to: &values)
                default:
                    VarintBigEndian.write(column.type, to: &out)
                    let count = Int((column.type - 12) / 2)
                    if let bytes = UnsafeRawPointer(bitPattern: UInt(column.bits)) {
                        values.copyMemory(from: bytes, byteCount: count)
                    }
                    values += count
                }
            }
        }
        return placeholder
    }

    @inline(__always)
    private static func size(of type: UInt64) -> Int {
        switch type {
        case 1...4: Int(type)
        case 5: 6
        default: 8
        }
    }

    /// Writes the low bytes of a number in big-endian order.
    @inline(__always)
    private static func write(_ bits: UInt64, bytes: Int, to out: inout UnsafeMutableRawPointer) {
        var shift = (bytes - 1) * 8
        while shift >= 0 {
            out.storeBytes(of: UInt8(truncatingIfNeeded: bits >> UInt64(shift)), as: UInt8.self)
            out += 1
            shift -= 8
        }
    }
}
