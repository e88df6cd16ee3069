@testable import Pipeline

/// The simplest payload: numbers.
struct NumberBatch: Payload {
    var values: [Int]
    var count: Int { values.count }
    var byteCount: Int { values.count * 8 }
}
