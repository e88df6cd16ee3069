import Testing

@testable import Application

@Suite struct ErrorBudgetsTests {
    @Test(arguments: [
        "5", "5%", "5%/100", "5,no_title_or_isbn=1", "no_title_or_isbn=5%/10,field_too_large=0",
    ])
    func `budgets are read`(text: String) {
        #expect(ErrorBudgets(text) != nil)
    }

    @Test(arguments: ["", ",", "5,", "x=5", "date_damaged=5", "no_title_or_isbn", "no_title_or_isbn=", "=5"])
    func `what is none is refused, a code that rejects nothing among it`(text: String) {
        #expect(ErrorBudgets(text) == nil)
    }

    @Test func `what is rightly set aside counts against no budget but its own`() throws {
        var meter = ErrorBudgetsTracker(try #require(ErrorBudgets("1,not_a_book=3")))
        let aside = meter.note(records: 10, rejects: ["not_a_book": [0, 1, 2]])
        #expect(aside == nil)
        let first = meter.note(records: 10, rejects: ["no_title_or_isbn": [0]])
        #expect(first == nil)
        let own = meter.note(records: 10, rejects: ["not_a_book": [0]])
        #expect(own == "not_a_book: 4 records were rejected, more than the 3 allowed.")
        let second = meter.note(records: 10, rejects: ["field_too_large": [0]])
        #expect(second == "2 records were rejected, more than the 1 allowed.")
    }
}
