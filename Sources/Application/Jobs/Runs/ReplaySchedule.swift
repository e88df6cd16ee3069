/// Decides when the answers that have arrived during the pending pass are brought into the library.
///
/// The job is run again for that (Decision 0010), so each time costs about as long as reading its input. The
/// library should lag behind the answers by at most ten seconds, or by at most a twentieth of all answers or
/// of those about books, and running again should take at most a quarter of the time. The last of these goes
/// first.
struct ReplaySchedule: Sendable, Hashable {
    /// Nanoseconds after which any new answer is brought in.
    static let longestWait: UInt64 = 10_000_000_000
    /// Nanoseconds between two replays at least.
    static let shortestWait: UInt64 = 500_000_000
    /// New answers are due if there is one for this many known ones.
    static let knownPerNew = 20
    /// After a replay, the services are asked for at least this many times as long.
    static let costFactor: UInt64 = 3

    /// Numbers of answers of all kinds, and of those to questions about books instead of their works and
    /// authors.
    private struct Counts: Sendable, Hashable {
        var all = 0
        var books = 0
    }

    private var known = Counts()
    private var new = Counts()
    private var lastEnd: UInt64
    private var wait = shortestWait

    /// - Parameter now: Nanoseconds on the run's clock, as everywhere here.
    init(at now: UInt64) { lastEnd = now }

    /// Records that answers have arrived.
    ///
    /// - Parameter books: The number of those that are about books.
    mutating func note(answers count: Int, books: Int = 0) {
        new.all += count
        new.books += books
    }

    /// When the next replay is due, if no more answers arrive; nil if none have.
    var dueAt: UInt64? {
        guard new.all > 0 else { return nil }
        let isMuch =
            new.all * Self.knownPerNew >= known.all
            || new.books > 0 && new.books * Self.knownPerNew >= known.books
        return lastEnd + (isMuch ? wait : max(wait, Self.longestWait))
    }

    /// Records a replay.
    mutating func replayed(from began: UInt64, to ended: UInt64) {
        known.all += new.all
        known.books += new.books
        new = Counts()
        lastEnd = ended
        wait = max(Self.shortestWait, Self.costFactor * (ended - began))
    }
}
