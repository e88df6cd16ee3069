import Database
import Foundation
import Jobs
import Services
import Store
import System

/// Looks at an import twice a second: what has been answered, what of it is in the library, and how long the
/// import says that it will take.
final class LibraryWatch: Sendable {
    private struct Sample: Sendable {
        var seconds: Double
        /// Books that a service has found, and books that have a service's data.
        var answered: Int
        var enriched: Int
        /// Records that are not pending.
        var done: Int
        var calls: Int
        /// The import's estimate; nil if there is none.
        var secondsLeft: Double?
    }

    private static let interval: UInt64 = 500_000_000
    /// Seconds by which the library may be behind the answers.
    private static let lag = 10.0

    private let store: String
    private let clock: any RunClock
    private let progress = Guarded(ImportProgress())
    private let calls = Guarded<[String: Int]>([:])
    private let samples = Guarded<[Sample]>([])
    private let seconds = Guarded(0.0)

    init(_ store: String, _ clock: any RunClock) {
        self.store = store
        self.clock = clock
    }

    /// Runs an import and watches it.
    ///
    /// - Parameter run: Gets the observer of the import's events.
    func follow(
        _ run: (@escaping @Sendable (ImportEvent) -> Void) async throws -> ImportOutcome
    ) async throws -> ImportOutcome {
        let began = clock.nanoseconds()
        let watch = Task { [self] in
            while !Task.isCancelled {
                await clock.sleep(nanoseconds: Self.interval)
                look(since: began)
            }
        }
        defer { watch.cancel() }
        let outcome = try await run { [self] event in
            progress.withLock { $0.note(event) }
            if case .waiting(let status) = event {
                calls.withLock { $0[status.service] = status.calls }
            }
        }
        seconds.withLock { $0 = Double(clock.nanoseconds() - began) / 1e9 }
        return outcome
    }

    private func look(since began: UInt64) {
        let elapsed = Double(clock.nanoseconds() - began) / 1e9
        guard let connection = try? StoreFile.openIfStarted(store),
            let answered = try? connection.number(
                "SELECT count(DISTINCT key) FROM answers WHERE key LIKE 'isbn:%' AND body IS NOT NULL"),
            let enriched = try? connection.number("SELECT count(*) FROM editions WHERE providers <> ''")
        else { return }
        let (done, left) = progress.withLock { ($0.done, $0.serviceSecondsLeft(elapsed: elapsed)) }
        let sample = Sample(
            seconds: elapsed, answered: Int(answered), enriched: Int(enriched), done: done,
            calls: calls.withLock { $0.values.reduce(0, +) }, secondsLeft: left)
        samples.withLock { $0.append(sample) }
    }

    // MARK: Printing

    /// Prints when the first books were enriched, and the smallest share of answered books that were: of all
    /// of them once a twentieth was answered, and of those that were answered ten seconds before.
    func printShares() {
        let samples = samples.withLock { $0 }
        if let first = samples.first(where: { $0.enriched > 0 }) {
            print("  first enriched books after \(Self.decimals(first.seconds)) s: \(first.enriched)")
        }
        let last = samples.last?.answered ?? 0
        let (now, before) = samples.reduce(into: (1.0, 1.0)) { smallest, sample in
            if sample.answered > last / 20 {
                smallest.0 = min(smallest.0, Double(sample.enriched) / Double(sample.answered))
            }
            let earlier = samples.last { $0.seconds <= sample.seconds - Self.lag }?.answered ?? 0
            if earlier > 0 { smallest.1 = min(smallest.1, Double(sample.enriched) / Double(earlier)) }
        }
        let answered = samples.filter { $0.answered > 0 }
        let good = answered.count { $0.enriched * 100 >= $0.answered * 95 }
        print(
            "  enriched of answered at least \(Int(100 * now)) %, 95 % or more in",
            "\(100 * good / max(1, answered.count)) % of the time; of those answered \(Int(Self.lag)) s before",
            "at least \(Int(100 * before)) %; longest time without news \(Int(longestPause(samples))) s")
    }

    /// Prints a line for each tenth of the time.
    func printTenths() {
        let (samples, end) = (samples.withLock { $0 }, seconds.withLock { $0 })
        if let estimate = progress.withLock({ $0.estimate?.seconds }) {
            print("  estimate \(Int(estimate.lowerBound))...\(Int(estimate.upperBound)) s")
        }
        for tenth in 1...9 {
            guard let sample = samples.last(where: { $0.seconds <= end * Double(tenth) / 10 }) else {
                continue
            }
            let actual = end - sample.seconds
            let said = sample.secondsLeft.map { left in
                "\(Int(left)) s, error \(Int(100 * (left - actual) / max(1, actual))) %"
            }
            print(
                "  \(Int(sample.seconds)) s: answered \(sample.answered) enriched \(sample.enriched)",
                "finished \(sample.done) calls \(sample.calls) left \(Int(actual)) s said \(said ?? "nothing")"
            )
        }
    }

    /// Maximum time in which no more books were enriched or finished, in seconds.
    private func longestPause(_ samples: [Sample]) -> Double {
        var (longest, since) = (0.0, 0.0)
        for (last, sample) in zip(samples, samples.dropFirst()) {
            if sample.enriched > last.enriched || sample.done > last.done { since = sample.seconds }
            longest = max(longest, sample.seconds - since)
        }
        return longest
    }

    private static func decimals(_ number: Double) -> Double { (number * 10).rounded() / 10 }
}
