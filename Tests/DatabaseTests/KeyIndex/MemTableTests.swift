import TestSupport
import Testing

@testable import Database

@Suite struct MemTableTests {
    @Test func `it holds what a dictionary holds, whatever comes in which order`() {
        var random = SeededGenerator(seed: 11)
        var keys = MemTable()
        var twin: [UInt64: Int64] = [:]
        // Few enough keys that many come again, some of them next to each other, and enough that the table grows.
        for _ in 0..<20_000 {
            let key =
                UInt64.random(in: 0..<5_000, using: &random) &* (Bool.random(using: &random) ? 1 : 1 << 44)
            let value = Int64.random(in: 1...Int64.max, using: &random)
            keys.insert(key, value)
            twin[key] = value
        }
        #expect(keys.count == twin.count)
        for (key, value) in twin { #expect(keys.value(of: key) == value) }
        for key in 5_000..<6_000 { #expect(keys.value(of: UInt64(key)) == nil) }

        let sorted = keys.sorted()
        #expect(sorted.count == twin.count)
        #expect(zip(sorted, sorted.dropFirst()).allSatisfy { $0.key < $1.key })
        var visited: [UInt64: Int64] = [:]
        keys.visit { visited[$0] = $1 }
        #expect(visited == twin)
    }

    @Test func `keys of both ends of the range are keys like others`() {
        var keys = MemTable()
        for (value, key) in [0, 1, UInt64(Int64.max), UInt64(Int64.max) + 1, .max].enumerated() {
            keys.insert(key, Int64(value) + 1)
        }
        #expect(keys.sorted().map(\.key) == [Int64.min, -1, 0, 1, Int64.max])
        #expect(keys.value(of: 0) == 1)
        #expect(keys.value(of: .max) == 5)
    }

    @Test func `once emptied it knows nothing, and can be filled again`() {
        var keys = MemTable()
        for key in 0..<3_000 { keys.insert(UInt64(key), 7) }
        keys.removeAll()
        #expect(keys.count == 0)
        #expect(keys.sorted().isEmpty)
        #expect(keys.value(of: 2_999) == nil)
        keys.insert(2_999, 8)
        #expect(keys.value(of: 2_999) == 8)
    }
}
