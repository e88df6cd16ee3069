import Contract
package import Jobs
import Store
import System

/// Fetches the covers of books that have none yet, as `etl covers` does, while no job runs or waits.
package final class CoverUpdates: Sendable {
    /// Where covers go, and how they are fetched.
    package struct Settings: Sendable {
        /// The folder of the covers.
        package var folder: String
        /// Identification of the user, and storage of rate limits.
        package var services: ServiceSettings

        package init(folder: String, _ services: ServiceSettings) {
            self.folder = folder
            self.services = services
        }
    }

    private let settings: Settings
    private let store: String
    private let watch: StoreWatch
    private let log: AccessLog?
    private let clock: any RunClock
    private let stopSignal = StopSignal()
    private let task = RepeatedTask()
    private let state = Guarded(CoverRun())

    init(
        _ settings: Settings, of store: String, _ watch: StoreWatch, log: AccessLog?, clock: any RunClock
    ) {
        self.settings = settings
        self.store = store
        self.watch = watch
        self.log = log
        self.clock = clock
    }

    /// The run as it is now.
    package var run: CoverRun { state.withLock { $0 } }

    /// Begins a run if one is due. Call it a few times a second while no job runs or waits.
    ///
    /// - Parameter threads: Those of the run.
    func tick(on threads: ThreadPool) {
        let (version, now) = (watch.version, clock.nanoseconds())
        task.begin(on: threads) {
            guard state.withLock({ $0.begin(version, now: now) }) else { return nil }
            return { [self] in await fetch() }
        }
    }

    /// Begins nothing more, and waits until the images that have arrived are in the folder.
    package func stop() async {
        stopSignal.raise()
        await task.stop()
    }

    private func fetch() async {
        do throws(ETLError) {
            guard try StoreFile.openIfStarted(store) != nil else { return end(CoverCounts()) }
            let download = CoverDownload(
                of: store, into: settings.folder, settings.services, clock: clock, stop: stopSignal)
            end(
                try await download.run(library: nil) { [state] done, total in
                    state.withLock { $0.note(done: done, total: total) }
                })
        } catch {
            end(nil, error.message)
        }
    }

    private func end(_ counts: CoverCounts?, _ failure: String = "") {
        let (time, now) = (clock.epochMilliseconds(), clock.nanoseconds())
        state.withLock { $0.end(counts, failure: failure, at: time, now: now) }
        log?.add(
            AccessLog.Event(
                time: time, name: "covers.fetch", job: nil, result: counts == nil ? "failed" : "completed",
                sentence: failure))
    }
}
