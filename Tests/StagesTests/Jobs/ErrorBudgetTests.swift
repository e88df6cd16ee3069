import Foundation
import Pipeline
import TestSupport
import Testing

@testable import Stages

@Suite struct ErrorBudgetTests {
    private static let rejected =
        "Book Id,Title,Author,ISBN13,My Rating\n1,T,A,9780306406157,3\n2,,A,,0\n3,,B,,0\n"

    @Test(arguments: [
        // Budget, earlier records and rejects, batches of records and rejects, spent while running, and at the end.
        ("0", (0, 0), [(10, 0)], false, false),
        ("0", (0, 0), [(10, 1)], true, true),
        ("2", (0, 0), [(10, 1), (10, 1)], false, false),
        ("2", (0, 0), [(10, 1), (10, 2)], true, true),
        ("2", (50, 2), [(10, 1)], true, true),
        ("2", (50, 3), [], false, true),
        ("10%", (0, 0), [(99, 50)], false, true),
        ("10%", (0, 0), [(100, 10)], false, false),
        ("10%", (0, 0), [(100, 11)], true, true),
        ("10%", (1_000, 0), [(50, 50)], false, false),
        ("10%", (1_000, 100), [(50, 50)], true, true),
        ("50%/100", (0, 0), [(60, 60)], false, true),
        ("50%/100", (0, 0), [(60, 60), (60, 60)], true, true),
        ("50%/100", (0, 0), [(100, 0), (100, 40)], false, false),
        ("0%", (0, 0), [], false, false),
    ])
    func aBudgetIsSpentByWhatTheWholeJobRejected(
        _ text: String, _ earlier: (Int, Int), _ batches: [(Int, Int)], _ whileRunning: Bool, _ atEnd: Bool
    ) throws {
        var meter = ErrorBudgetMeter(
            try #require(ErrorBudget(text)), records: earlier.0, rejected: earlier.1)
        var isSpent = false
        for (records, rejected) in batches {
            isSpent = meter.note(records: records, rejected: rejected) != nil || isSpent
        }
        #expect(isSpent == whileRunning)
        #expect((meter.verdict(atEnd: true) != nil) == atEnd)
    }

    @Test func aBudgetOnceSpentStaysSpent() throws {
        var meter = ErrorBudgetMeter(try #require(ErrorBudget("50%/10")))
        let noted = meter.note(records: 10, rejected: 10)
        let sentence = try #require(noted)
        #expect(meter.note(records: 1_000, rejected: 0) == sentence)
        #expect(meter.verdict(atEnd: true) == sentence)
    }

    @Test(arguments: ["0", "1", "50%", "60%/1000"])
    func oneBatchOfRejectsIsEnough(_ budget: String) async throws {
        var sample = try await SampleImport()
        sample.files = [try sample.folder.write(Self.rejected, to: "bad.csv")]
        var order = try sample.order(store: sample.folder.file("s.sqlite"))
        let parsed = try #require(ErrorBudget(budget))
        order.budgets = ErrorBudgets(parsed)
        let outcome = try await ImportJob(order, clock: ManualClock()).run()
        guard case .failed(let failure) = outcome.end else {
            Issue.record("\(budget): \(outcome.end)")
            return
        }
        #expect(failure.kind == .budget)
        // All is committed, and the job says that it failed.
        #expect(outcome.job.counts.totalProcessed == 3)
        #expect(outcome.job.status == .failed)
    }

    @Test func resumingGrantsTheBudgetNotAgain() async throws {
        var sample = try await SampleImport()
        sample.files = [try sample.folder.write(Self.rejected, to: "bad.csv")]
        var order = try sample.order(store: sample.folder.file("s.sqlite"))
        order.budgets = ErrorBudgets(.count(1))
        _ = try await ImportJob(order, clock: ManualClock()).run()
        let again = try await ImportJob(order, clock: ManualClock()).run()
        guard case .failed(let failure) = again.end else {
            Issue.record("\(again.end)")
            return
        }
        #expect(failure.kind == .budget)
        // Without a budget there is nothing left to do but to end.
        order.budgets = nil
        #expect(try await ImportJob(order, clock: ManualClock()).run().end == .completed)
    }
}
