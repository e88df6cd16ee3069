import TestSupport
import Testing

@testable import Pipeline

@Suite struct WatermarkTests {
    @Test(arguments: [1, 7, 42] as [UInt64])
    func `elements are released in order, whatever order they arrive in`(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var watermark = Watermark<Int>()
        var released: [Int] = []
        for number in Array(0..<500).shuffled(using: &random) {
            watermark.insert(number, sequence: number)
            while let next = watermark.release() { released.append(next) }
        }
        #expect(released == Array(0..<500))
        #expect(watermark.heldCount == 0)
        #expect(watermark.next == 500)
    }

    @Test func `an element after a gap is held back`() {
        var watermark = Watermark<String>()
        watermark.insert("second", sequence: 1)
        #expect(watermark.release() == nil)
        #expect(watermark.heldCount == 1)
        watermark.insert("first", sequence: 0)
        #expect(watermark.release() == "first")
        #expect(watermark.release() == "second")
    }

    @Test func `an element inserted twice is released once`() {
        var watermark = Watermark<Int>()
        watermark.insert(1, sequence: 0)
        watermark.insert(2, sequence: 0)
        #expect(watermark.release() == 1)
        watermark.insert(3, sequence: 0)
        #expect(watermark.release() == nil)
    }
}
