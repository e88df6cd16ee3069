import CVectors

/// Vectors of length 1, of which the product is the cosine of their angle: 1 for the same direction, 0 for unrelated ones.
package enum UnitVector {
    /// Gives a vector the length 1. One without a direction, or with numbers that are not finite, becomes zeros.
    ///
    /// - Returns: Whether it has a direction.
    @discardableResult
    package static func normalize(_ vector: inout [Float]) -> Bool {
        // Scaled first, so that squares neither overflow nor vanish.
        let largest = vector.reduce(0) { max($0, $1.magnitude) }
        let isUsable = largest > 0 && largest.isFinite && vector.allSatisfy(\.isFinite)
        var length: Float = 1
        if isUsable {
            let sum = vector.reduce(Float(0)) { $0 + ($1 / largest) * ($1 / largest) }
            length = sum.squareRoot()
        }
        // Not by one factor: that of the smallest numbers is infinite.
        for index in vector.indices { vector[index] = isUsable ? vector[index] / largest / length : 0 }
        return isUsable
    }

    /// A vector as int8 numbers, and the factor that gives the real ones.
    static func quantized(_ vector: ArraySlice<Float>, into numbers: inout [Int8]) -> Float {
        let largest = vector.reduce(0) { max($0, $1.magnitude) }
        for number in vector {
            let scaled = largest > 0 ? (number / largest * 127).rounded() : 0
            numbers.append(Int8(exactly: scaled) ?? 0)
        }
        return largest / 127
    }

    /// A vector as halves (IEEE binary16).
    static func halves(_ vector: ArraySlice<Float>, into halves: inout [UInt16]) {
        var converted = [UInt16](repeating: 0, count: vector.count)
        vector.withUnsafeBufferPointer { vectors_halves($0.baseAddress, vector.count, &converted) }
        halves += converted
    }
}
