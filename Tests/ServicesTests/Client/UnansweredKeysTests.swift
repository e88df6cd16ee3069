import Books
import Testing

@testable import Services
@testable import System

@Suite struct UnansweredKeysTests {
    private static func key(_ number: Int) -> ServiceKey { ServiceKey(.isbn, "\(number)") }

    private func open(_ limit: Int = 32) -> UnansweredKeys { UnansweredKeys(limit: limit) }

    /// The outcome of a key if no request is sent.
    private func reason(_ number: Int, _ open: UnansweredKeys) -> LookupOutcome {
        open[Self.key(number)] ?? open.fallback
    }

    @Test func `a key is open until it is settled, and unknown keys have no reason`() {
        var open = open()
        open.note(Self.key(1), .timeout)
        open.note(Self.key(2), .quota)
        open.note(Self.key(1), .down)
        #expect(open[Self.key(1)] == .down && open[Self.key(2)] == .quota)
        open.note(Self.key(1), .found)
        #expect(open[Self.key(1)] == nil && open.count == 1)
        #expect(open.fallback == .skipped)
    }

    @Test func `of many keys with one reason few are stored, but all keep the reason`() {
        var open = open()
        var most = 0
        for number in 0..<300_000 {
            open.note(Self.key(number), .quota)
            most = max(most, open.count)
        }
        #expect(most <= 32)
        #expect((0..<300_000).allSatisfy { reason($0, open) == .quota })
    }

    @Test func `keys with a rarer reason keep it`() {
        var open = open()
        var expected: [LookupOutcome] = []
        for number in 0..<10_000 {
            expected.append(number % 1_500 == 700 ? .malformed : number == 9_000 ? .down : .blocked)
            open.note(Self.key(number), expected[number])
        }
        #expect((0..<10_000).allSatisfy { reason($0, open) == expected[$0] })
        #expect(open.count <= 32)
    }

    @Test func `keys keep their reason before and during an outage`() {
        var open = open(64)
        var expected: [LookupOutcome] = []
        for number in 0..<5_000 {
            expected.append(number < 40 ? .timeout : number == 100 ? .down : .quota)
            open.note(Self.key(number), expected[number])
        }
        #expect((0..<5_000).allSatisfy { reason($0, open) == expected[$0] })
        #expect(open.count <= 64)
    }

    @Test func `a later pass replaces the reasons of an earlier one`() {
        var open = open()
        for number in 0..<1_000 { open.note(Self.key(number), number % 2 == 0 ? .timeout : .skipped) }
        for number in 0..<1_000 {
            open.note(Self.key(number), number < 300 ? .found : number == 700 ? .malformed : .rateLimited)
        }
        #expect(
            (300..<1_000).allSatisfy { reason($0, open) == ($0 == 700 ? .malformed : .rateLimited) })
    }

    @Test func `no reason is lost completely, however many keys have others`() {
        var open = open(64)
        let reasons = LookupOutcome.allCases.filter { !$0.isAnswered }
        for round in reasons.indices {
            for number in 0..<500 { open.note(Self.key(round * 500 + number), reasons[round]) }
            #expect(open.count <= 64)
        }
        let left = Set((0..<reasons.count * 500).map { reason($0, open) })
        #expect(left == Set(reasons))
    }
}
