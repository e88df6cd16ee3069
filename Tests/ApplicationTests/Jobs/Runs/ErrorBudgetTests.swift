import Foundation
import Pipeline
import Store
import System
import TestSupport
import Testing

@testable import Jobs

@Suite struct ErrorBudgetTests {
    private static let rejected =
        "Book Id,Title,Author,ISBN13,My Rating\n1,T,A,9780306406157,3\n2,,A,,0\n3,,B,,0\n"

    @Test(arguments: runs)
    func `a budget counts the rejects of the whole job`(
        _ text: String, _ earlier: (Int, Int), _ batches: [(Int, Int)], _ whileRunning: Bool, _ atEnd: Bool
    ) throws {
        var tracker = ErrorBudgetTracker(
            try #require(ErrorBudget(text)), records: earlier.0, rejected: earlier.1)
        var isSpent = false
        for (records, rejected) in batches {
            isSpent = tracker.note(records: records, rejected: Array(0..<rejected)) != nil || isSpent
        }
        #expect(isSpent == whileRunning)
        #expect((tracker.verdict(atEnd: true) != nil) == atEnd)
    }

    /// Budget, earlier records and rejects, batches of records and rejects, spent while running, and spent at
    /// the end.
    private static let runs: [(String, (Int, Int), [(Int, Int)], Bool, Bool)] = [
        ("0", (0, 0), [(10, 0)], false, false),
        ("0", (0, 0), [(10, 1)], true, true),
        ("2", (0, 0), [(10, 1), (10, 1)], false, false),
        ("2", (0, 0), [(10, 1), (10, 2)], true, true),
        ("2", (50, 2), [(10, 1)], true, true),
        ("2", (50, 3), [], false, true),
        ("10%", (0, 0), [(499, 50)], false, true),
        ("10%", (0, 0), [(500, 50)], false, false),
        ("10%", (0, 0), [(500, 51)], true, true),
        ("10%", (0, 0), [(10, 10), (600, 40)], false, false),
        ("10%", (1_000, 0), [(50, 50)], false, false),
        ("10%", (1_000, 100), [(50, 50)], true, true),
        ("10%", (1_000, 200), [(50, 0)], true, true),
        ("10%", (1_000, 200), [], false, true),
        ("50%/100", (0, 0), [(60, 60)], false, true),
        ("50%/100", (0, 0), [(60, 60), (60, 60)], true, true),
        ("50%/100", (0, 0), [(100, 0), (100, 40)], false, false),
        ("50%/10", (0, 0), [(512, 5), (512, 5)], false, false),
        ("50%/10", (0, 0), [(512, 0), (512, 6)], true, true),
        // 0.29 × 100 is slightly less than 29.
        ("29%", (0, 0), [(500, 145)], false, false),
        ("29%/100", (0, 0), [(100, 29)], false, false),
        ("0%", (0, 0), [], false, false),
    ]

    @Test func `the message counts everything committed by the end of the run`() throws {
        var tracker = ErrorBudgetTracker(try #require(ErrorBudget("5")))
        let first = tracker.note(records: 600, rejected: Array(0..<6))
        #expect(first == "6 records were rejected; the limit is 5.")
        let second = tracker.note(records: 2_400, rejected: Array(0..<24))
        #expect(second == "30 records were rejected; the limit is 5.")
        let last = tracker.note(records: 100, rejected: [])
        #expect(last == tracker.verdict(atEnd: true))
    }

    @Test func `a spent budget stays spent`() throws {
        var tracker = ErrorBudgetTracker(try #require(ErrorBudget("50%/10")))
        let noted = tracker.note(records: 10, rejected: Array(0..<10))
        let sentence = try #require(noted)
        let later = tracker.note(records: 1_000, rejected: [])
        #expect(later == sentence)
        #expect(tracker.verdict(atEnd: true) == sentence)
    }

    @Test(arguments: windows)
    func `a share of the last records counts exactly that many`(
        _ text: String, _ rejected: Range<Int>, _ step: Int, _ explicit: String?
    ) throws {
        var tracker = ErrorBudgetTracker(try #require(ErrorBudget(text)))
        let numbers = Array(stride(from: rejected.lowerBound, to: rejected.upperBound, by: step))
        for start in stride(from: 0, to: 3_000, by: 512) {
            let batch = start..<min(start + 512, 3_000)
            _ = tracker.note(
                records: batch.count, rejected: numbers.filter(batch.contains).map { $0 - start })
        }
        #expect(
            tracker.verdict(atEnd: true)?.split(separator: " record").first.map(String.init) == explicit)
    }

    /// The rejected records of 3,000 in batches of 512, and the message.
    private static let windows: [(String, Range<Int>, Int, String?)] = [
        // Sixty in succession, within one batch and across its end.
        ("50%/10", 1_100..<1_160, 1, "6 of the last 10"), ("50%/10", 1_020..<1_080, 1, "6 of the last 10"),
        ("0%/10", 1_100..<1_101, 1, "1 of the last 10"), ("0%/3000", 2_999..<3_000, 1, "1 of the last 3000"),
        ("90%/1000", 1_500..<2_500, 1, "901 of the last 1000"),
        // Every second record: as many as allowed, and one more in an odd window.
        ("50%/10", 0..<3_000, 2, nil), ("50%/9", 0..<3_000, 2, "5 of the last 9"),
        // A window that never fills is checked at the end.
        ("10%/5000", 0..<301, 1, "301 of the last 3000"), ("10%/5000", 0..<300, 1, nil),
    ]

    /// The rejected records of 5,000, and the message.
    private static let shares: [([Int], String?)] = [
        (Array(0..<10), nil), (Array(0..<50), nil), (Array(0..<51), "51 of 500"),
        (Array(480..<530), nil), (Array(480..<540), "54 of 534"), (Array(4_500..<5_000), nil),
        (Array(4_499..<5_000), "500 of 4999"), (Array(stride(from: 0, to: 5_000, by: 9)), "56 of 500"),
        (Array(stride(from: 9, to: 5_000, by: 10)), nil),
        (Array(stride(from: 8, to: 5_000, by: 10)), "51 of 509"),
    ]

    @Test(arguments: shares)
    func `a share of the run does not depend on batches`(_ rejected: [Int], _ explicit: String?) throws {
        for size in [1, 7, 100, 512, 5_000] {
            var tracker = ErrorBudgetTracker(try #require(ErrorBudget("10%")))
            for start in stride(from: 0, to: 5_000, by: size) {
                let batch = start..<min(start + size, 5_000)
                _ = tracker.note(
                    records: batch.count, rejected: rejected.filter(batch.contains).map { $0 - start })
            }
            #expect(
                tracker.verdict(atEnd: true)?.split(separator: " record").first.map(String.init) == explicit,
                "in batches of \(size)")
        }
    }

    @Test func `the message has the share and the limit`() throws {
        var tracker = ErrorBudgetTracker(try #require(ErrorBudget("2.5%")))
        _ = tracker.note(records: 600, rejected: Array(0..<20))
        #expect(
            tracker.verdict(atEnd: true) == "20 of 500 records were rejected (4%); the limit is 2.5%.")
    }

    @Test func `the rest of a resumed job is not a window of its own`() throws {
        let budget = try #require(ErrorBudget("5%/1000"))
        var resumed = ErrorBudgetTracker(budget, records: 99_990)
        #expect(resumed.note(records: 10, rejected: [3]) == nil)
        #expect(resumed.verdict(atEnd: true) == nil)
        var short = ErrorBudgetTracker(budget, records: 90, rejected: 9)
        #expect(short.note(records: 10, rejected: []) == nil)
        #expect(short.verdict(atEnd: true)?.contains("9 of the last 100") == true)
    }

    /// Two consecutive rejects exceed the budget: forty records in batches of eight, with blank lines
    /// between.
    @Test(arguments: [([3, 7, 12, 16, 18], false), ([3, 8, 9], true), ([39, 40], true)])
    func `blank lines do not change the position of rejects in a batch`(
        _ bad: [Int], _ isSpent: Bool
    ) async throws {
        var sample = try await SampleImport()
        var text = "Book Id,Title,Author,ISBN13,My Rating\n"
        for number in 1...40 {
            text += bad.contains(number) ? "\(number),,B,,0\n\n" : "\(number),T\(number),A,,3\n\n"
        }
        sample.files = [try sample.folder.write(text, to: "bad.csv")]
        var request = try sample.request(store: sample.folder.file("s.sqlite"))
        request.budgets = ErrorBudgets("50%/2")
        #expect(self.isSpent(try await run(request)) == isSpent)
    }

    @Test(arguments: ["0", "1", "50%", "60%/1000"])
    func `a single batch of rejects is enough`(_ budget: String) async throws {
        var sample = try await SampleImport()
        sample.files = [try sample.folder.write(Self.rejected, to: "bad.csv")]
        var request = try sample.request(store: sample.folder.file("s.sqlite"))
        request.budgets = ErrorBudgets(budget)
        let outcome = try await ImportJob(request, clock: ManualClock()).run()
        guard case .failed(let failure) = outcome.end else {
            Issue.record("\(budget): \(outcome.end)")
            return
        }
        #expect(failure.kind == .budget)
        // Everything is committed, and the job is failed.
        #expect(outcome.job.counts.totalProcessed == 3)
        #expect(outcome.job.status == .failed)
    }

    @Test(arguments: [1, 64])
    func `a budget stops the run within a thousand records, whatever the size of a transaction`(
        batchesPerCommit: Int
    ) async throws {
        var text = "Book Id,Title,Author,ISBN13,My Rating\n"
        for number in 1...30_000 {
            text += number > 3_000 ? "\(number),,B,,0\n" : "\(number),T\(number),A,,3\n"
        }
        var sample = try await SampleImport()
        sample.files = [try sample.folder.write(text, to: "bad.csv")]
        sample.batchRecords = 512
        sample.batchesPerCommit = batchesPerCommit
        sample.asksCatalog = false
        var request = try sample.request(store: sample.folder.file("s.sqlite"))
        request.budgets = ErrorBudgets("10")
        let outcome = try await run(request)
        #expect(isSpent(outcome))
        #expect((3_011...4_000).contains(outcome.job.counts.totalProcessed), "\(outcome.job.counts)")
        // Uncommitted records are read again.
        request.budgets = ErrorBudgets("100%")
        let rest = try await run(request)
        #expect(rest.end == .completed && rest.job.counts.rejected == 27_000)
        #expect(rest.job.counts.totalProcessed == 30_000)
    }

    /// One record in eight is rejected: one per batch.
    private static var oneInEight: String {
        var text = "Book Id,Title,Author,ISBN13,My Rating\n"
        for number in 1...400 {
            text += number % 8 == 2 ? "\(number),,B,,0\n" : "\(number),T\(number),A,,3\n"
        }
        return text
    }

    private func request(_ budgets: String?, _ sample: inout SampleImport) throws -> ImportRequest {
        sample.files = [try sample.folder.write(Self.oneInEight, to: "bad.csv")]
        sample.batchesPerCommit = 1
        var request = try sample.request(store: sample.folder.file("s.sqlite"))
        request.budgets = budgets.flatMap { ErrorBudgets($0) }
        return request
    }

    private func run(_ request: ImportRequest) async throws -> ImportOutcome {
        try await ImportJob(request, clock: ManualClock()).run()
    }

    /// Runs an import that is stopped at its first commit.
    private func stopped(_ request: ImportRequest) async throws -> ImportOutcome {
        let stop = StopSignal()
        let outcome = try await ImportJob(
            request, clock: ManualClock(), stop: stop,
            observing: { if case .ran(.committed) = $0 { stop.raise() } }
        ).run()
        #expect(outcome.end == .stopped)
        return outcome
    }

    private func isSpent(_ outcome: ImportOutcome) -> Bool { outcome.end.failure?.kind == .budget }

    @Test func `resuming after a spent budget starts a fresh one`() async throws {
        var sample = try await SampleImport()
        let request = try request("15", &sample)
        var rejected = 0
        var outcome = try await run(request)
        while isSpent(outcome) {
            // Sixteen more exceed it; the batches under way are read as well.
            #expect(outcome.job.counts.rejected >= rejected + 16)
            rejected = outcome.job.counts.rejected
            outcome = try await run(request)
        }
        #expect(rejected >= 16)
        #expect(outcome.end == .completed)
        #expect(outcome.job.counts.rejected == 50)
    }

    @Test func `a resumed job keeps its budget unless another one is given`() async throws {
        var sample = try await SampleImport()
        var request = try request("30", &sample)
        _ = try await stopped(request)
        request.budgets = nil
        #expect(isSpent(try await run(request)))
        request.budgets = ErrorBudgets("100%")
        #expect(try await run(request).end == .completed)
    }

    @Test func `rejects of a stopped run count`() async throws {
        var sample = try await SampleImport()
        let request = try request("49", &sample)
        let stopped = try await stopped(request)
        // The remaining records alone would not exceed it.
        #expect((1...49).contains(stopped.job.counts.rejected))
        #expect(isSpent(try await run(request)))
    }

    @Test func `a budget spent by the last batch is not spent again`() async throws {
        var sample = try await SampleImport()
        sample.files = [try sample.folder.write(Self.rejected, to: "bad.csv")]
        var request = try sample.request(store: sample.folder.file("s.sqlite"))
        request.budgets = ErrorBudgets("1")
        #expect(isSpent(try await run(request)))
        #expect(try await run(request).end == .completed)
    }
}

@Suite struct ErrorBudgetsTests {
    @Test(arguments: [
        "5", "5%", "5%/100", "5,no_title_or_isbn=1", "no_title_or_isbn=5%/10,field_too_large=0",
    ])
    func `budgets are parsed`(text: String) {
        #expect(ErrorBudgets(text) != nil)
    }

    @Test(arguments: ["", ",", "5,", "x=5", "date_damaged=5", "no_title_or_isbn", "no_title_or_isbn=", "=5"])
    func `invalid budgets are rejected, including codes that reject nothing`(text: String) {
        #expect(ErrorBudgets(text) == nil)
    }

    @Test func `records set aside count only against a budget of their own`() throws {
        var tracker = ErrorBudgetsTracker(try #require(ErrorBudgets("1,not_a_book=3")))
        let aside = tracker.note(records: 10, rejects: ["not_a_book": [0, 1, 2]])
        #expect(aside == nil)
        let first = tracker.note(records: 10, rejects: ["no_title_or_isbn": [0]])
        #expect(first == nil)
        let own = tracker.note(records: 10, rejects: ["not_a_book": [0]])
        #expect(
            own == "The error budget for not_a_book is exceeded: 4 records were rejected; the limit is 3.")
        let second = tracker.note(records: 10, rejects: ["field_too_large": [0]])
        #expect(second == "The error budget is exceeded: 2 records were rejected; the limit is 1.")
    }
}
