import Bytes
import Database

extension PackedRow {
    /// The first columns of a statement's current row.
    init(_ read: Statement, columns: Int) {
        self.init(columns: columns) { column, bytes in
            read.withBytes(Int32(column)) { bytes.append(contentsOf: $0) }
        }
    }
}

extension StoredRow {
    /// The row in the form in which it is kept in memory, and whether all its numbers are written as SQLite writes
    /// them.
    ///
    /// - Parameters:
    ///   - isNumber: Whether a column has numbers.
    ///   - isReal: Whether a column is REAL.
    ///   - others: Number of columns after those of the row.
    ///   - appendOther: Appends the bytes of one of these, by its index among them.
    func packed(
        isNumber: (Int) -> Bool, isReal: (Int) -> Bool, followedBy others: Int,
        _ appendOther: (_ column: Int, _ bytes: inout [UInt8]) -> Void
    ) -> (texts: PackedRow, hasPlainNumbers: Bool) {
        let own = fields.count
        var hasPlainNumbers = true
        let texts = PackedRow(columns: own + others) { column, bytes in
            guard column < own else { return appendOther(column - own, &bytes) }
            let start = bytes.count
            if append(column, to: &bytes), isNumber(column) {
                let isPlain = bytes.normalizeNumber(from: start, isReal: isReal(column))
                hasPlainNumbers = isPlain && hasPlainNumbers
            }
        }
        return (texts, hasPlainNumbers)
    }
}

extension [UInt8] {
    /// Replaces a number by what SQLite would return after storing it in a numeric column.
    ///
    /// - Parameters:
    ///   - start: The offset of the number, which is the rest of the bytes.
    ///   - isReal: Whether the column is REAL.
    /// - Returns: False if that is not known. Then the number stays as it is.
    mutating func normalizeNumber(from start: Int, isReal: Bool) -> Bool {
        let zero = UInt8(ascii: "0")
        let point = self[start...].firstIndex(of: UInt8(ascii: ".")) ?? count
        let fraction = Swift.max(0, count - point - 1)
        let isPlain = indices[start...].allSatisfy { $0 == point || (zero...zero + 9).contains(self[$0]) }
        // Up to fifteen digits are exact, and smaller numbers get an exponent.
        guard isPlain, (1...9).contains(point - start), point == count || isReal && (1...4).contains(fraction)
        else { return false }
        if isReal {
            if point == count { append(UInt8(ascii: ".")) }
            while last == zero { removeLast() }
            if last == UInt8(ascii: ".") { append(zero) }
        }
        let zeros = self[start..<(point - 1)].prefix { $0 == zero }.count
        removeSubrange(start..<start + zeros)
        return true
    }
}
