import Books
import Contract
import Pipeline
import Queries
import Store
import System

/// The jobs of a store, for the commands that show them.
enum JobLookup {
    static func all(in store: String) throws(CommandFailure) -> [Job] {
        do throws(ETLError) {
            return try JobTable(try StoreFile.openForReading(store)).all()
        } catch {
            throw CommandFailure(error)
        }
    }

    /// The job with a name, or the newest job; nil if the store has no jobs.
    static func find(_ name: String?, in store: String) throws(CommandFailure) -> Job? {
        do throws(ETLError) {
            let jobTable = JobTable(try StoreFile.openForReading(store))
            guard let name else { return try jobTable.last() }
            if let job = try jobTable.job(withPrefix: name) { return job }
            let names = try jobTable.all().map(\.name)
            throw ETLError(
                .missing, "There is no job `\(name)` in `\(store)`.",
                advice: Spelling.nearest(to: name, among: names).map { "Did you mean `\($0)`?" }
                    ?? "\(UserCommand.jobs) lists the jobs of the store.")
        } catch {
            throw CommandFailure(error)
        }
    }

    /// The name of a job as people type it; the name itself if the store cannot be read.
    static func shortName(of name: String, in store: String) -> String {
        let table = try? JobTable(StoreFile.openForReading(store))
        return (try? table?.job(named: name))?.shortName ?? name
    }

    /// The job that is running now.
    static func running(among jobs: [Job], in store: String) -> Job? {
        guard let name = StoreLock.jobRun(on: store) else { return nil }
        return jobs.first { $0.status == .processing && $0.name == name }
    }

    /// The names of a job's inputs as the user knows them.
    static func inputs(of job: Job) -> String {
        job.inputNames.map { SpoolName.replaced(in: $0) }.joined(separator: ", ")
    }

    /// Says how to undo a change that has just been made.
    static func undoAdvice(_ job: String, _ console: Console) -> String {
        let name = shortName(of: job, in: console.words.store)
        return "To undo this: \(console.words.spelled(UserCommand.undo(job: name)))"
    }

    /// An option that a job was started with, as it is typed.
    static func spelled(_ option: JobOptions.Option) -> String {
        "--\(option == .format ? ReadOptions.format.spec.name : option.rawValue)"
    }

    /// The number of records set aside, by the row id of their job.
    static func setAside(in store: String) throws(CommandFailure) -> [Int64: Int] {
        do throws(ETLError) {
            return try FindingCounter(try StoreFile.openForReading(store)).setAside()
        } catch {
            throw CommandFailure(error)
        }
    }

    /// The figures of a job.
    static func quality(of job: Job, in store: String) throws(CommandFailure) -> QualityCounts {
        do throws(ETLError) {
            return try QualityMetrics(try StoreFile.openForReading(store)).counts(of: job)
        } catch {
            throw CommandFailure(error)
        }
    }

    /// The status of a job. The progress of its process is newer than the stored one.
    static func status(of job: Job, running: Job?, in store: String) -> JobStatusDTO {
        guard job.id == running?.id else { return job.statusDTO(isRunning: false) }
        return job.statusDTO(isRunning: true, StoreLock.progress(of: job.name, on: store))
    }

    /// The status of a job in words. A job that can go on says so.
    ///
    /// - Parameter isShort: Whether it is for a column of a table, which cannot name services and times.
    static func statusText(of job: Job, running: Job?, isShort: Bool = false) -> String {
        let isRunning = job.id == running?.id
        if let pause = job.pause, !isRunning {
            guard !isShort else { return "waiting" }
            let services = HumanText.list(pause.services, "and")
            return "waiting for \(services)"
                + (pause.resumeAt.map { ", until \(Timestamp.withoutFraction($0))" } ?? ", can be resumed")
        }
        if let undo = job.undoneBy {
            return isShort ? "undone" : "\(job.status.rawValue), undone by `\(undo)`"
        }
        return job.isAbandoned(isRunning: isRunning) ? "stopped, can be resumed" : job.status.rawValue
    }
}
