import Testing

@testable import Pipeline

@Suite struct BatchAccumulatorTests {
    @Test func `a full batch leaves at once, the rest when its first member has waited long enough`() {
        var gathering = BatchAccumulator<Int>(size: 3, linger: 100)
        for key in 0..<5 { gathering.add(key, at: UInt64(key)) }
        #expect(gathering.next(at: 5) == .leave([0, 1, 2]))
        #expect(gathering.next(at: 5) == .wait(until: 103))
        #expect(gathering.next(at: 103) == .leave([3, 4]))
        #expect(gathering.next(at: 200) == .nothing)
    }

    @Test func `who travels alone does not linger`() {
        var gathering = BatchAccumulator<Int>(size: 1, linger: 100)
        gathering.add(7, at: 5)
        gathering.add(8, at: 5)
        #expect(gathering.next(at: 5) == .leave([7]))
        #expect(gathering.next(at: 5) == .leave([8]))
    }

    @Test func `everything that was added leaves once, in order, however many there were`() {
        var gathering = BatchAccumulator<Int>(size: 7, linger: 0)
        var left: [Int] = []
        for round in 0..<500 {
            for key in 0..<11 { gathering.add(round * 11 + key, at: UInt64(round)) }
            if case .leave(let batch) = gathering.next(at: UInt64(round)) { left += batch }
        }
        while case .leave(let batch) = gathering.next(at: .max) { left += batch }
        #expect(left == Array(0..<5_500))
        #expect(gathering.count == 0)
    }
}
