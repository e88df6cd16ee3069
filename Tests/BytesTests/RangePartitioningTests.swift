import Testing

@testable import Bytes

@Suite struct RangePartitioningTests {
    @Test func `the border is found wherever it is`() {
        for count in 0...33 {
            for border in 0...count {
                #expect((0..<count).partitioningIndex { $0 >= border } == border)
            }
        }
    }

    @Test func `a range need not begin at zero, and may be as long as numbers go`() {
        #expect((5..<9).partitioningIndex { $0 >= 7 } == 7)
        #expect((5..<9).partitioningIndex { _ in true } == 5)
        #expect((5..<9).partitioningIndex { _ in false } == 9)
        #expect((0..<Int.max).partitioningIndex { $0 >= Int.max - 3 } == Int.max - 3)
    }
}
