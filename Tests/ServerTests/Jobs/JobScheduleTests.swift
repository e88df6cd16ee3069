import TestSupport
import Testing

@testable import Server

@Suite struct JobScheduleTests {
    private static let second: UInt64 = 1_000_000_000

    @Test func `jobs of a user run one after the other, in the order of their acceptance`() {
        var schedule = JobSchedule()
        for number in 1...3 as ClosedRange<Int64> { schedule.add(QueuedJob.sample(number)) }
        #expect(schedule.next()?.id == 1)
        #expect(schedule.next() == nil)
        #expect(schedule.withdraw("j2")?.id == 2)
        #expect(schedule.withdraw("j2") == nil && schedule.withdraw("j1") == nil)
        schedule.end()
        #expect(schedule.next()?.id == 3)
        schedule.end()
        #expect(schedule.next() == nil)
    }

    @Test func `a job with a result can be corrected at once, but the next one waits for its end`() {
        var schedule = JobSchedule()
        for number in 1...2 as ClosedRange<Int64> { schedule.add(QueuedJob.sample(number)) }
        _ = schedule.next()
        schedule.settle(QueuedJob.sample(2))
        #expect(schedule.has("j1") && schedule.has("j2"))
        schedule.settle(QueuedJob.sample(1))
        #expect(!schedule.has("j1") && schedule.next() == nil)
        // Corrections are an order of the same job.
        schedule.add(QueuedJob.sample(1))
        #expect(schedule.has("j1"))
        schedule.end()
        #expect(schedule.next()?.id == 2)
    }

    @Test func `a job of the server waits for those of all users, and is interrupted for them`() {
        var refresh = QueuedJob.sample(1)
        refresh.options.kind = .refresh
        var schedule = JobSchedule()
        schedule.add(refresh)
        #expect(schedule.oldestAcceptance == nil, "it may wait for as long as it takes")
        for number in 2...3 as ClosedRange<Int64> { schedule.add(QueuedJob.sample(number, of: "a")) }
        #expect(["j2", "j3", "j1"].map { schedule.position(of: $0) } == [1, 2, 3])
        #expect(schedule.next()?.id == 2)
        #expect(!schedule.isDue(at: 1_000 * Self.second) || schedule.position(of: "j1") == 2)
        schedule.end(at: Self.second)
        #expect(schedule.next(at: Self.second)?.id == 3)
        #expect(!schedule.isDue(at: 1_000 * Self.second), "nobody else waits")
        schedule.end(at: 1_000 * Self.second)
        #expect(schedule.next(at: 1_000 * Self.second)?.id == 1)
        schedule.add(QueuedJob.sample(4, of: "a"), at: 1_000 * Self.second)
        #expect(!schedule.isDue(at: 1_000 * Self.second) && schedule.isDue(at: 1_001 * Self.second))
        schedule.end(at: 1_001 * Self.second, goesOn: true)
        #expect(schedule.next(at: 1_001 * Self.second)?.id == 4)
        schedule.end(at: 1_002 * Self.second)
        #expect(schedule.next(at: 1_002 * Self.second)?.id == 1)
    }

    @Test func `a schedule that stops begins nothing more`() {
        var schedule = JobSchedule()
        schedule.add(QueuedJob.sample(1))
        schedule.stop()
        #expect(schedule.next() == nil && schedule.waitingCount == 1)
    }

    @Test func `a user with many jobs waits for others`() {
        var schedule = JobSchedule()
        for number in 1...3 as ClosedRange<Int64> { schedule.add(QueuedJob.sample(number, of: "a")) }
        schedule.add(QueuedJob.sample(4, of: "b"))
        schedule.add(QueuedJob.sample(5, of: "c"))
        #expect(["j1", "j4", "j5", "j2", "j3"].map { schedule.position(of: $0) } == [1, 2, 3, 4, 5])
        var ran: [Int64] = []
        var now: UInt64 = 0
        while let job = schedule.next(at: now) {
            ran.append(job.id)
            now += Self.second
            schedule.end(at: now)
        }
        #expect(ran == [1, 4, 5, 2, 3])
    }

    @Test
    func
        `a long job is interrupted for a user who has had nothing, and goes on before later jobs of its user`()
    {
        var schedule = JobSchedule()
        schedule.add(QueuedJob.sample(1, of: "a"))
        schedule.add(QueuedJob.sample(2, of: "a"))
        _ = schedule.next(at: 0)
        #expect(!schedule.isDue(at: 100 * Self.second), "nobody else waits")
        #expect(!schedule.isContended)
        schedule.add(QueuedJob.sample(3, of: "b"))
        #expect(schedule.isContended)
        #expect(schedule.isDue(at: 100 * Self.second))
        schedule.end(at: 100 * Self.second, goesOn: true)
        #expect(schedule.hasRun(QueuedJob.sample(1)) && !schedule.hasRun(QueuedJob.sample(3)))
        #expect(schedule.next(at: 100 * Self.second)?.id == 3)
        schedule.end(at: 101 * Self.second)
        #expect(schedule.next(at: 101 * Self.second)?.id == 1)
        schedule.end(at: 102 * Self.second)
        #expect(schedule.next(at: 102 * Self.second)?.id == 2)
    }

    @Test func `time that nobody else wanted is not held against a user`() {
        var schedule = JobSchedule()
        schedule.add(QueuedJob.sample(1, of: "a"))
        _ = schedule.next(at: 0)
        let hours = 10 * 3_600 * Self.second
        schedule.add(QueuedJob.sample(2, of: "b"), at: hours)
        #expect(schedule.isDue(at: hours))
        schedule.end(at: hours, goesOn: true)
        #expect(schedule.next(at: hours)?.id == 2)
        #expect(schedule.isDue(at: hours + 2 * Self.second), "it is a's turn again, not after ten hours")
        schedule.end(at: hours + 2 * Self.second, goesOn: true)
        #expect(schedule.next(at: hours + 2 * Self.second)?.id == 1)
        // Nor is it for those who come later.
        schedule.add(QueuedJob.sample(3, of: "c"), at: hours + 3 * Self.second)
        schedule.end(at: hours + 4 * Self.second, goesOn: true)
        #expect(schedule.next(at: hours + 4 * Self.second)?.id == 3)
        schedule.end(at: hours + 14 * Self.second, goesOn: true)
        #expect(schedule.next(at: hours + 14 * Self.second)?.id == 2)
    }

    @Test func `a job has its shortest share first`() {
        var schedule = JobSchedule()
        schedule.add(QueuedJob.sample(1, of: "a"))
        schedule.add(QueuedJob.sample(2, of: "b"))
        _ = schedule.next(at: 0)
        #expect(!schedule.isDue(at: JobSchedule.shortestShare - 1))
        #expect(schedule.isDue(at: JobSchedule.shortestShare))
        schedule.settle(QueuedJob.sample(1))
        #expect(!schedule.isDue(at: JobSchedule.shortestShare), "it is done")
    }

    @Test func `a job that asks no service goes before new jobs that ask some, but not again and again`() {
        var schedule = JobSchedule()
        for number in 1...5 as ClosedRange<Int64> {
            schedule.add(QueuedJob.sample(number, of: "user \(number)"))
        }
        _ = schedule.next(at: 0)
        var now = JobSchedule.shortestShare
        for number in 11...15 as ClosedRange<Int64> {
            var job = QueuedJob.sample(number, of: "local")
            #expect(job.options.set("providers", "none") == nil)
            schedule.add(job)
        }
        #expect(schedule.isDue(at: now) && schedule.position(of: "j11") == 1)
        schedule.end(at: now, goesOn: true)
        var ran: [Int64] = []
        for _ in 0..<12 {
            guard let job = schedule.next(at: now) else { break }
            ran.append(job.id)
            now += JobSchedule.shortestShare
            schedule.end(at: now, goesOn: job.id < 10)
        }
        #expect(ran == [11, 2, 3, 4, 5, 12, 13, 1, 2, 3, 4, 5])
    }

    @Test func `shares double, so that a job whose services are slow gets somewhere`() {
        var schedule = JobSchedule()
        schedule.add(QueuedJob.sample(1, of: "a"))
        schedule.add(QueuedJob.sample(2, of: "b"))
        var now: UInt64 = 0
        var shares: [UInt64] = []
        for _ in 0..<20 {
            guard schedule.next(at: now) != nil else { break }
            let began = now
            while !schedule.isDue(at: now), now - began < 1_000 * Self.second { now += Self.second / 2 }
            shares.append((now - began) / Self.second)
            schedule.end(at: now, goesOn: true)
        }
        #expect(shares.prefix(8) == [1, 1, 2, 2, 4, 4, 8, 8])
        #expect(shares.max() == JobSchedule.longestShare / Self.second)
    }

    @Test func `nobody saves up time by staying away`() {
        var schedule = JobSchedule()
        schedule.add(QueuedJob.sample(1, of: "a"))
        schedule.add(QueuedJob.sample(2, of: "b"))
        var now: UInt64 = 0
        for _ in 0..<100 {
            _ = schedule.next(at: now)
            now += 10 * Self.second
            schedule.end(at: now, goesOn: true)
        }
        // Somebody comes, is served first, and then shares with the others.
        schedule.add(QueuedJob.sample(3, of: "c"))
        var served: [String: Int] = [:]
        for turn in 0..<30 {
            guard let job = schedule.next(at: now) else { break }
            #expect(turn != 0 || job.user == "c")
            served[job.user, default: 0] += 1
            now += 10 * Self.second
            schedule.end(at: now, goesOn: true)
        }
        #expect(served.values.allSatisfy { (9...11).contains($0) }, "\(served)")
    }

    @Test(arguments: 1...20 as ClosedRange<UInt64>)
    func `each job runs to its end, whatever comes and goes`(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var schedule = JobSchedule()
        var left: [Int64: Int] = [:]
        var now: UInt64 = 0
        for number in 1...60 as ClosedRange<Int64> {
            left[number] = Int.random(in: 1...5, using: &random)
            schedule.add(QueuedJob.sample(number, of: "\(Int.random(in: 0..<4, using: &random))"))
            if Int.random(in: 0..<5, using: &random) == 0,
                let withdrawn = schedule.withdraw("j\(Int64.random(in: 1...number, using: &random))")
            {
                left[withdrawn.id] = nil
            }
            guard Bool.random(using: &random), let job = schedule.next(at: now) else { continue }
            now += UInt64.random(in: 1...5, using: &random) * Self.second
            left[job.id, default: 0] -= 1
            if left[job.id] == 0 { left[job.id] = nil }
            schedule.end(at: now, goesOn: left[job.id] != nil)
        }
        while let job = schedule.next(at: now) {
            now += Self.second
            left[job.id, default: 0] -= 1
            if left[job.id] == 0 { left[job.id] = nil }
            schedule.end(at: now, goesOn: left[job.id] != nil)
        }
        #expect(left.isEmpty && schedule.waitingCount == 0)
    }
}

extension QueuedJob {
    /// A job `jNUMBER` that waits, for tests of the schedule.
    static func sample(_ number: Int64, of user: String = "") -> QueuedJob {
        var job = QueuedJob(
            id: number, options: ImportOptions(.files, job: "j\(number)"), owner: nil, state: .waiting,
            runs: 0,
            acceptedAt: number)
        job.options.sender = user
        return job
    }
}

@Suite struct SmallJobsTests {
    private static let second: UInt64 = 1_000_000_000

    private static func job(
        _ number: Int64, of user: String = "a", bytes: Int, records: Int? = nil
    ) -> QueuedJob {
        var job = QueuedJob.sample(number, of: user)
        (job.options.bytes, job.options.records) = (bytes, records)
        return job
    }

    @Test func `a small import passes its user's large one, which goes on afterwards`() {
        var schedule = JobSchedule()
        schedule.add(Self.job(1, bytes: 50 << 20))
        #expect(schedule.next()?.id == 1)
        schedule.add(Self.job(2, bytes: 60 << 20))
        schedule.add(Self.job(3, bytes: QueuedJob.smallUpload, records: QueuedJob.smallCount))
        #expect(["j3", "j2"].map { schedule.position(of: $0) } == [1, 2])
        #expect(!schedule.isDue(at: Self.second / 2), "it has its share")
        let stops = schedule.interrupt(at: Self.second)
        #expect(stops)
        schedule.end(at: Self.second, goesOn: true)
        #expect(schedule.next(at: Self.second)?.id == 3)
        #expect(!schedule.isDue(at: 100 * Self.second), "a small one gives way to no other of its user")
        schedule.end(at: 2 * Self.second)
        #expect(schedule.next(at: 2 * Self.second)?.id == 1, "before the later large one")
    }

    @Test func `many short rows are a large import, whatever their bytes`() {
        #expect(Self.job(1, bytes: 100_000, records: QueuedJob.smallCount).isSmall)
        #expect(!Self.job(1, bytes: 100_000, records: QueuedJob.smallCount + 1).isSmall)
        #expect(!Self.job(1, bytes: QueuedJob.smallUpload + 1).isSmall)
    }

    @Test func `a waiting job knows when its turn begins at the latest, if anybody can`() {
        var schedule = JobSchedule()
        schedule.add(Self.job(1, bytes: 50 << 20))
        _ = schedule.next()
        schedule.add(Self.job(2, bytes: 50 << 20))
        schedule.add(Self.job(3, bytes: 100))
        schedule.add(Self.job(4, of: "b", bytes: 100))
        #expect(schedule.wait(of: "j3", at: 0, left: nil) == 2 * Self.second, "shares of j1 and j4")
        #expect(schedule.wait(of: "j4", at: Self.second / 2, left: nil) == Self.second / 2)
        #expect(schedule.wait(of: "j4", at: 0, left: 100) == 100, "the running job ends before its share")
        #expect(schedule.wait(of: "j2", at: 0, left: nil) == nil, "it waits for the end of j1")
        #expect(schedule.wait(of: "j2", at: 0, left: 9 * Self.second) == 11 * Self.second)
        #expect(
            schedule.wait(of: "j1", at: 0, left: nil) == nil && schedule.wait(of: "j9", at: 0, left: 1) == nil
        )
    }
}
