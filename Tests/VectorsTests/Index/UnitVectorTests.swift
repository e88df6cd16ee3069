import Testing

@testable import Vectors

@Suite struct UnitVectorTests {
    @Test(
        arguments: [
            [3, 4], [1e-30, 1e-30], [1e30, -1e30], [5, 0], [.leastNormalMagnitude, -.leastNonzeroMagnitude],
            [.greatestFiniteMagnitude, 1],
        ] as [[Float]])
    func `a vector gets the length 1, however long or short it was`(numbers: [Float]) {
        var vector = numbers
        #expect(UnitVector.normalize(&vector))
        #expect(abs(vector[0] * vector[0] + vector[1] * vector[1] - 1) < 1e-5)
        #expect((vector[0] > 0) == (numbers[0] > 0))
    }

    @Test(
        arguments: [
            [], [0, 0], [.nan, 1], [.infinity, 1], [1, -.infinity],
        ] as [[Float]])
    func `a vector without a direction becomes zeros`(numbers: [Float]) {
        var vector = numbers
        #expect(!UnitVector.normalize(&vector))
        #expect(vector.allSatisfy { $0 == 0 })
    }

    @Test func `halves are those of the processor, for all values`() {
        let numbers = (0...UInt16.max).map { Float(Float16(bitPattern: $0)) }.filter { !$0.isNaN }
        var halves: [UInt16] = []
        UnitVector.halves(numbers[...], into: &halves)
        #expect(halves == numbers.map { Float16($0).bitPattern })
        halves = []
        let between = (0..<4_000).map { Float($0) * 0.000_377 - 0.7 }
        UnitVector.halves(between[...], into: &halves)
        #expect(halves == between.map { Float16($0).bitPattern })
    }

    @Test func `the greatest number becomes 127`() {
        var numbers: [Int8] = []
        let factor = UnitVector.quantized([0.5, -1, 0.004], into: &numbers)
        #expect(numbers == [64, -127, 1] && abs(factor - 1 / 127) < 1e-6)
        numbers = []
        #expect(UnitVector.quantized([0, 0], into: &numbers) == 0 && numbers == [0, 0])
        numbers = []
        _ = UnitVector.quantized([.leastNonzeroMagnitude, .nan, .infinity], into: &numbers)
        #expect(numbers.count == 3)
    }
}
