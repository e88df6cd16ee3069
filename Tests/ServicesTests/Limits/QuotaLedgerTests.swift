import Testing

@testable import Services

@Suite struct QuotaLedgerTests {
    private static let day: Int64 = 86_400_000_000
    private static let noon = 20_000 * day + day / 2

    @Test func `a daily budget is spent call by call and is reset when the day begins`() {
        let budget = QuotaLedger.Budget(calls: 10, dayBegins: 8 * 3_600_000_000)
        var ledger = QuotaLedger()
        #expect(ledger.take(6, at: Self.noon, budget: budget) == nil)
        #expect(ledger.left(at: Self.noon, budget: budget) == 4)
        let next = 20_001 * Self.day + 8 * 3_600_000_000
        #expect(ledger.take(5, at: Self.noon, budget: budget) == next)
        #expect(ledger.take(4, at: Self.noon, budget: budget) == nil)
        #expect(ledger.take(1, at: next - 1, budget: budget) == next)
        #expect(ledger.take(10, at: next, budget: budget) == nil)
    }

    @Test func `the service's word overrides the local count`() {
        let budget = QuotaLedger.Budget(calls: 1_000)
        var ledger = QuotaLedger()
        ledger.exhausted(at: Self.noon, budget: budget)
        #expect(ledger.take(1, at: Self.noon + 1, budget: budget) == 20_001 * Self.day)
        #expect(ledger.left(at: Self.noon + 1, budget: budget) == 0)
        #expect(ledger.take(1, at: 20_001 * Self.day, budget: budget) == nil)
        var without = QuotaLedger()
        without.exhausted(at: Self.noon, budget: nil)
        #expect(without.take(1, at: Self.noon, budget: nil) == 20_001 * Self.day)
    }

    @Test func `without a budget nothing is counted`() {
        var ledger = QuotaLedger()
        for _ in 0..<1_000 { #expect(ledger.take(1_000, at: 5, budget: nil) == nil) }
        #expect(ledger.spent == 0)
    }

    @Test(arguments: [60_000_000, day, 9 * day, 3_650 * day])
    func `calls spent before the clock was set back count in the current day`(step: Int64) {
        let budget = QuotaLedger.Budget(calls: 2)
        var ledger = QuotaLedger()
        #expect(ledger.take(2, at: Self.noon, budget: budget) == nil)
        let now = Self.noon - step
        let next = ledger.take(1, at: now, budget: budget)
        #expect(next.map { $0 > now && $0 <= now + Self.day } == true)
        #expect(ledger.take(2, at: next ?? 0, budget: budget) == nil)
    }

    @Test func `a service's word about a day in the future does not last until then`() {
        let budget = QuotaLedger.Budget(calls: 2)
        var ledger = QuotaLedger()
        ledger.exhausted(at: Self.noon, budget: budget)
        #expect(ledger.left(at: Self.noon - 9 * Self.day, budget: budget) == 2)
        #expect(ledger.take(1, at: Self.noon - 9 * Self.day, budget: budget) == nil)
    }

    @Test func `numbers at their limits do not overflow`() {
        let budget = QuotaLedger.Budget(calls: .max, dayBegins: .max)
        var ledger = QuotaLedger(spent: 1 << 60, endsAt: Self.noon + 1)
        #expect(ledger.take(.max, at: Self.noon, budget: budget) == Self.noon + 1)
        #expect(ledger.left(at: Self.noon, budget: QuotaLedger.Budget(calls: 1)) == 0)
    }
}
