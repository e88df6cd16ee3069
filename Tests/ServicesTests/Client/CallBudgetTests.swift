import Testing

@testable import Services

@Suite struct CallBudgetTests {
    @Test func `requests that were not sent can be sent later`() {
        let budget = CallBudget(calls: 3)
        #expect(budget.take(2) == 2)
        budget.giveBack(1)
        #expect(!budget.isSpent)
        #expect(budget.take(5) == 2)
        budget.giveBack(0)
        #expect(budget.isSpent && budget.take(1) == 0)
    }

    @Test func `without a number, only the end of the time ends it`() {
        let budget = CallBudget(calls: nil)
        #expect(budget.take(1_000_000) == 1_000_000)
        budget.giveBack(5)
        #expect(!budget.isSpent)
        budget.end()
        #expect(budget.isSpent && budget.take(1) == 0)
    }
}
