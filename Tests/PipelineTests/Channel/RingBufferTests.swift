import Testing

@testable import Pipeline

@Suite struct RingBufferTests {
    @Test func givesBackInOrderAcrossGrowthAndWrapAround() {
        var buffer = RingBuffer<Int>()
        var model: [Int] = []
        for number in 0..<1_000 {
            buffer.append(number)
            model.append(number)
            if number % 3 != 0 { #expect(buffer.popFirst() == model.removeFirst()) }
            #expect(buffer.count == model.count)
            #expect(buffer.first == model.first)
        }
        while let taken = buffer.popFirst() { #expect(taken == model.removeFirst()) }
        #expect(model.isEmpty && buffer.isEmpty)
    }

    @Test func anEmptyOneGivesNothing() {
        var buffer = RingBuffer<Int>()
        #expect(buffer.popFirst() == nil)
        #expect(buffer.first == nil)
    }
}
