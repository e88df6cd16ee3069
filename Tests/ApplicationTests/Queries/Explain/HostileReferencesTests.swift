import TestSupport
import Testing

@testable import Contract
@testable import Jobs
@testable import Queries

/// Arguments that name a record or a book, error budgets, and times.
@Suite struct HostileReferencesTests {
    @Test func `a row is named by numbers from 1`() {
        for text in HostileNumbers.texts + HostileNumbers.texts.map({ "row:\($0)" }) {
            guard case .row(let row, let file) = BookReference(text) else { continue }
            #expect(row > 0 && (file ?? 1) > 0, "\(text)")
        }
    }

    @Test func `a budget that is parsed can be checked`() {
        for text in HostileNumbers.texts + HostileNumbers.texts.map({ "\($0)%/\($0)" }) {
            guard let budgets = ErrorBudgets(text) else { continue }
            var tracker = ErrorBudgetsTracker(
                budgets, records: 1 << 53, rejects: ["isbn13_check_digit": 1 << 53])
            _ = tracker.note(records: 10, rejects: ["isbn13_check_digit": [0, 9]])
            _ = tracker.verdict(atEnd: true)
        }
    }

    @Test(arguments: [.max, .min, 0, -1] as [Int64])
    func `any number of milliseconds is a time`(milliseconds: Int64) {
        #expect(Timestamp.withMilliseconds(milliseconds).hasSuffix("Z"))
        #expect(Timestamp.withoutFraction(milliseconds).hasSuffix("Z"))
    }
}
