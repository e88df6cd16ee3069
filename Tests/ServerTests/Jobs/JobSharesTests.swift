import Testing

@testable import Server

/// A large job of one user beside a stream of small jobs of others, on a clock of its own.
@Suite struct JobSharesTests {
    private static let tick: UInt64 = 50_000_000
    private static let second: UInt64 = 1_000_000_000

    /// What each turn of the large job costs before it works on records, and the stream.
    struct Load: Sendable, CustomTestStringConvertible {
        var startup: Double
        var smallSeconds: Double
        var pause: Double
        var asksServices = true
        var testDescription: String { "\(startup) s, then \(smallSeconds) s each \(pause) s" }
    }

    private static func job(_ number: Int64, asksServices: Bool) -> QueuedJob {
        var job = QueuedJob.sample(number, of: "user \(number)")
        if !asksServices { _ = job.options.set("providers", "none") }
        return job
    }

    /// Runs both for ten minutes.
    ///
    /// - Returns: Share of the time in which the large job worked on records, and the longest time from the arrival of a
    ///   small job to its end, in seconds.
    private static func run(_ load: Load) -> (share: Double, longest: Double) {
        var schedule = JobSchedule()
        schedule.add(job(0, asksServices: true))
        var arrivals: [Int64: UInt64] = [:]
        var (now, began, worked, longest) = (UInt64(0), UInt64(0), UInt64(0), UInt64(0))
        var count: Int64 = 0
        let startup = UInt64(load.startup * 1e9)
        let small = UInt64(load.smallSeconds * 1e9)
        while now < 600 * second {
            if now >= UInt64(Double(count) * load.pause * 1e9) + second {
                count += 1
                arrivals[count] = now
                schedule.add(job(count, asksServices: load.asksServices), at: now)
            }
            if schedule.running == nil, schedule.next(at: now) != nil { began = now }
            now += tick
            guard let running = schedule.running else { continue }
            if running.id > 0 {
                guard now - began >= small else { continue }
                longest = max(longest, now - (arrivals[running.id] ?? now))
                schedule.end(at: now)
            } else {
                if now - began > startup {
                    schedule.beginWork(at: now)
                    worked += tick
                }
                // As often as the server looks.
                if now.isMultiple(of: 10 * tick), schedule.interrupt(at: now) {
                    schedule.end(at: now, goesOn: true)
                }
            }
        }
        return (Double(worked) / Double(now), Double(longest) / 1e9)
    }

    @Test(arguments: [
        Load(startup: 0.3, smallSeconds: 0.2, pause: 1), Load(startup: 0.5, smallSeconds: 0.2, pause: 0.8),
        Load(startup: 0.5, smallSeconds: 0.5, pause: 2, asksServices: false),
        Load(startup: 1, smallSeconds: 0.1, pause: 0.5),
    ])
    func `the large job has 0.4 of its speed, and each small one is done in five seconds`(load: Load) {
        let result = Self.run(load)
        #expect(result.share >= 0.4, "\(result)")
        #expect(result.longest <= 5, "\(result)")
    }

    @Test(arguments: [4.0, 12])
    func `a job that takes long to get under way gets somewhere`(startup: Double) {
        let result = Self.run(Load(startup: startup, smallSeconds: 0.2, pause: 1))
        #expect(result.share >= 0.3, "\(result)")
        #expect(result.longest <= 3 * startup, "\(result)")
    }

    @Test
    func `a job stops when its turns together have lasted too long, whatever it waited for between them`() {
        var schedule = JobSchedule()
        let limit = 10 * Self.second
        func runs(from start: Int, seconds: Int) -> Bool {
            let start = UInt64(start) * Self.second
            #expect(schedule.next(at: start)?.id == 1)
            #expect(schedule.expire(at: start + UInt64(seconds - 1) * Self.second, after: limit) == false)
            return schedule.expire(at: start + UInt64(seconds) * Self.second, after: limit)
        }
        schedule.add(Self.job(1, asksServices: true))
        #expect(!runs(from: 0, seconds: 4))
        schedule.end(at: 4 * Self.second, goesOn: true)
        #expect(!runs(from: 100, seconds: 4))
        #expect(schedule.wait(Self.job(1, asksServices: true)) == true)
        schedule.end(at: 104 * Self.second)
        #expect(schedule.resume(at: .max, 900 * Self.second) == true)
        #expect(runs(from: 900, seconds: 2) && schedule.isExpired && !schedule.isInterrupted)
        schedule.end(at: 902 * Self.second)
        schedule.add(Self.job(1, asksServices: true))
        #expect(!runs(from: 1_000, seconds: 9), "that is another job")
    }
}
