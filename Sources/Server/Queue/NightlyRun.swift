import Database
import FoundationEssentials
package import System

/// When the next nightly run is due, how far this one is, and how the last one ended. It is stored, so that a process
/// continues what a killed one has begun. Moments are milliseconds since 1970.
///
/// - A run that was missed while no server ran is made up for once, at the next start.
/// - A clock that is set back repeats nothing. If it was more than a day ahead, the next run is due at the next time of
///   the new clock. A clock that is set forward causes one run, however many times it skips.
/// - A run that lasts longer than a day takes the place of the next one.
package struct NightlyRun: Sendable, Hashable, Codable {
    /// What a run does now.
    package enum Phase: String, Sendable, Hashable, Codable { case waiting, refresh, backup }

    /// How a part of a run ended.
    package struct Part: Sendable, Hashable, Codable {
        /// The results of a part.
        package enum Result: String, Sendable, Hashable, Codable { case completed, skipped, failed, canceled }

        package var result: Result
        /// What was done, or why not, as a sentence; empty if there is nothing to say.
        package var sentence: String
        package var endedAt: Int64

        package init(_ result: Result, _ sentence: String = "", at endedAt: Int64) {
            self.result = result
            self.sentence = sentence
            self.endedAt = endedAt
        }
    }

    /// The time that was due last. The next one is a day later, or earlier if the time of day is another one.
    package private(set) var due: Int64
    package private(set) var phase = Phase.waiting
    /// When this run or the last one began; nil before the first one.
    package private(set) var startedAt: Int64?
    /// The job of this run or the last one; nil if it has none.
    package private(set) var job: String?
    /// How the refresh of this run or the last one ended; nil if it has not.
    package private(set) var refresh: Part?
    /// The same for the backup.
    package private(set) var backup: Part?
    /// When the last good backup was made; nil if there was none.
    package private(set) var savedAt: Int64?
    /// Its size in bytes.
    package private(set) var savedBytes = 0

    /// A server that has had no run yet. The first one is due at the next time.
    package init(_ time: TimeOfDay, now: Int64) { due = time.latest(notAfter: now) }

    /// When the next run is due.
    package func next(_ time: TimeOfDay) -> Int64 { time.latest(notAfter: due) + TimeOfDay.day }

    /// Whether a part of the last run failed.
    package var hasFailed: Bool { [refresh, backup].contains { $0?.result == .failed } }

    /// Begins a run if one is due and none is under way.
    ///
    /// - Returns: Whether it has begun. Its refresh is next.
    package mutating func begin(_ time: TimeOfDay, at now: Int64) -> Bool {
        guard phase == .waiting else { return false }
        if due - now > TimeOfDay.day { due = time.latest(notAfter: now) }
        guard now >= next(time) else { return false }
        due = time.latest(notAfter: now)
        startedAt = now
        (job, refresh, backup) = (nil, nil, nil)
        phase = .refresh
        return true
    }

    /// Notes the job that refreshes.
    package mutating func refreshes(as job: String) { self.job = job }

    /// The refresh has ended.
    ///
    /// - Parameter backsUp: Whether a backup follows, whatever the refresh has done.
    package mutating func endRefresh(_ part: Part, backsUp: Bool) {
        refresh = part
        phase = backsUp ? .backup : .waiting
    }

    /// The backup has ended.
    ///
    /// - Parameter bytes: Its size; nil if there is none.
    package mutating func endBackup(_ part: Part, bytes: Int?) {
        backup = part
        phase = .waiting
        if let bytes { (savedAt, savedBytes) = (part.endedAt, bytes) }
    }
}

/// The nightly run in the file of the queue.
extension JobQueue {
    static let nightlyTables = """
        CREATE TABLE nightly_runs(id INTEGER PRIMARY KEY CHECK (id = 1), run TEXT NOT NULL);
        """

    /// Keeps the nightly run. It is on disk when this returns.
    package func keep(_ run: NightlyRun) throws(ETLError) {
        try connection.execute("INSERT OR REPLACE INTO nightly_runs VALUES (1, ?1)", Self.json(run))
    }

    /// The nightly run; nil if there is none, or a later version has kept it.
    package func nightlyRun() throws(ETLError) -> NightlyRun? {
        guard let row = try connection.row("SELECT run FROM nightly_runs") else { return nil }
        return try? JSONDecoder().decode(NightlyRun.self, from: Data(row.bytes(0)))
    }
}
