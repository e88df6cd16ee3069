import TestSupport
import Testing

@testable import Server

/// Whenever a job is canceled, it ends as canceled.
@Suite struct JobCancellationTests {
    private static let second: UInt64 = 1_000_000_000

    /// A schedule whose first job is interrupted for the second one.
    private static func interrupted() -> JobSchedule {
        var schedule = JobSchedule()
        schedule.add(QueuedJob.sample(1, of: "a"))
        _ = schedule.next(at: 0)
        schedule.add(QueuedJob.sample(2, of: "b"))
        #expect(schedule.interrupt(at: second) == true)
        #expect(schedule.isInterrupted)
        return schedule
    }

    @Test func `while the job stops for another one`() {
        var schedule = Self.interrupted()
        #expect(schedule.cancel("j1") == .stops)
        #expect(!schedule.isInterrupted)
        #expect(schedule.interrupt(at: 2 * Self.second) == false)
        #expect(schedule.end(at: 2 * Self.second, goesOn: true)?.id == 1, "it was about to go on")
        #expect(schedule.next(at: 2 * Self.second)?.id == 2 && !schedule.isCanceling)
        schedule.end(at: 3 * Self.second)
        #expect(schedule.next(at: 3 * Self.second) == nil)
    }

    @Test func `while it waits for its next turn`() {
        var schedule = Self.interrupted()
        #expect(schedule.end(at: Self.second, goesOn: true) == nil)
        #expect(schedule.cancel("j1") == .withdrawn(QueuedJob.sample(1, of: "a")))
        #expect(schedule.cancel("j1") == .none)
    }

    @Test func `while the server stops`() {
        var schedule = JobSchedule()
        schedule.add(QueuedJob.sample(1))
        _ = schedule.next()
        schedule.stop()
        #expect(schedule.cancel("j1") == .stops)
        #expect(schedule.end(goesOn: true)?.id == 1)
    }

    @Test(arguments: [false, true]) func `while its wait for services is written, and afterwards`(
        isLate: Bool
    ) {
        var schedule = JobSchedule()
        schedule.add(QueuedJob.sample(1))
        _ = schedule.next()
        if isLate {
            #expect(schedule.wait(QueuedJob.sample(1)) == true)
            #expect(schedule.cancel("j1") == .withdrawn(QueuedJob.sample(1)))
        } else {
            #expect(schedule.cancel("j1") == .stops)
            #expect(schedule.wait(QueuedJob.sample(1)) == false)
        }
        schedule.end()
        #expect(schedule.waitingForServices("j1") == nil && schedule.cancel("j1") == .none)
    }

    @Test func `but not when it has its result, or is not known`() {
        var schedule = JobSchedule()
        schedule.add(QueuedJob.sample(1))
        _ = schedule.next()
        schedule.settle(QueuedJob.sample(1))
        // Corrections of it wait, and are canceled.
        var corrections = QueuedJob.sample(2)
        corrections.options.job = "j1"
        schedule.add(corrections)
        #expect(schedule.cancel("j1") == .withdrawn(corrections))
        #expect(schedule.cancel("j1") == .none && schedule.cancel("j9") == .none)
    }

    @Test(arguments: 1...40 as ClosedRange<UInt64>)
    func `at any moment, and only once`(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var schedule = JobSchedule()
        var now: UInt64 = 0
        schedule.add(QueuedJob.sample(1, of: "a"))
        let moment = Int.random(in: 0..<12, using: &random)
        var (ends, step, isCanceled, isDone) = (0, 0, false, false)
        func cancelIfItIsTime() {
            defer { step += 1 }
            guard step == moment else { return }
            switch schedule.cancel("j1") {
            case .withdrawn: ends += 1
            case .stops: isCanceled = true
            case .none: #expect(isDone)
            }
        }
        for number in 2...5 as ClosedRange<Int64> {
            schedule.add(QueuedJob.sample(number, of: "b"), at: now)
            cancelIfItIsTime()
            guard let next = schedule.next(at: now) else { continue }
            cancelIfItIsTime()
            now += 5 * Self.second
            let isInterrupted = schedule.interrupt(at: now)
            cancelIfItIsTime()
            let goesOn = next.id == 1 && isInterrupted
            if schedule.end(at: now, goesOn: goesOn) != nil { ends += 1 }
            if next.id == 1, !goesOn {
                // It ran to its end, as canceled if it was.
                if isCanceled { ends += 1 }
                isDone = true
            }
        }
        while let next = schedule.next(at: now) {
            cancelIfItIsTime()
            schedule.end(at: now)
            if next.id == 1 {
                if isCanceled { ends += 1 }
                isDone = true
            }
        }
        #expect(ends <= 1 && (ends == 1 || isDone))
    }
}
