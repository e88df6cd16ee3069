import TestSupport
import Testing

@testable import Books

@Suite struct NumberListTests {
    private func pack(_ numbers: [Int64]) -> [UInt8] {
        var bytes: [UInt8] = []
        NumberList.pack(numbers, onto: &bytes)
        return bytes
    }

    @Test func whatIsPackedIsUnpacked() {
        var draws = SeededGenerator(seed: 3)
        for _ in 0..<500 {
            let numbers = (0..<Int.random(in: 0...20, using: &draws)).map { _ in
                Int64.random(in: 0...Int64.max >> Int64.random(in: 1...62, using: &draws), using: &draws)
            }
            #expect(pack(numbers).withUnsafeBytes { NumberList.unpack($0) } == numbers)
        }
    }

    @Test func damagedBytesEndTheList() {
        let cut = Array(pack([5, 300]).dropLast())
        #expect(cut.withUnsafeBytes { NumberList.unpack($0) } == [5])
        #expect([UInt8](repeating: 0xFF, count: 40).withUnsafeBytes { NumberList.unpack($0) } == [])
    }
}
