import TestSupport
import Testing

@testable import Database

@Suite struct KeyOrderTests {
    @Test(arguments: [Int64.min...Int64.max, 0...Int64.max, -3...3, 0...5_000, 7...7])
    func `keys are sorted however they lie`(keys: ClosedRange<Int64>) {
        var random = SeededGenerator(seed: UInt64(bitPattern: keys.upperBound &- keys.lowerBound))
        for count in [0, 1, 2, 1_000, 8_191, 8_192, 20_000] {
            var items: [KeyBlock.Item] = (0..<count).map { _ in
                (Int64.random(in: keys, using: &random), Int64.random(in: -9...9, using: &random))
            }
            let expected = items.sorted(by: <)
            KeyOrder.sort(&items)
            #expect(items.elementsEqual(expected, by: ==))
        }
    }

    @Test func `the lowest and the highest key there are lie at the ends`() {
        var items: [KeyBlock.Item] = (0..<9_000).map { ($0 % 3 == 0 ? .min : $0 % 3 == 1 ? .max : 0, -$0) }
        KeyOrder.sort(&items)
        #expect(items.first.map { $0 == (.min, -8_997) } == true)
        #expect(items.last.map { $0 == (.max, -1) } == true)
    }
}
