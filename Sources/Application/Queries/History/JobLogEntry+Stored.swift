import Contract
package import Database
package import Store
package import System

extension JobLogEntry {
    /// All jobs of a store, newest first.
    package static func all(in connection: Connection) throws(ETLError) -> [JobLogEntry] {
        try connection.snapshot { () throws(ETLError) -> [JobLogEntry] in
            let jobs = try JobTable(connection).all()
            let history = try RunHistory(connection)
            let names = Dictionary(jobs.map { ($0.id, $0.name) }) { first, _ in first }
            let unknown = Set(history.runs.filter { !$0.isKnown }.map(\.job))
            return jobs.map { job in
                JobLogEntry(
                    job: job, undoes: (job.options?.undoes ?? []).compactMap { names[$0] },
                    isKnown: !unknown.contains(job.id))
            }
        }
    }

    /// Some jobs of a store, and those that they undid, newest first. No others are read.
    ///
    /// - Parameters:
    ///   - library: The only library whose jobs may be shown; nil for all.
    ///   - choose: Reads the jobs that are wanted.
    package static func some(
        in connection: Connection, ofLibrary library: String? = nil,
        _ choose: (JobTable) throws(ETLError) -> [Job]
    ) throws(ETLError) -> (chosen: [JobLogEntry], undone: [JobLogEntry]) {
        try connection.snapshot { () throws(ETLError) in
            let table = JobTable(connection)
            let chosen = try choose(table).filter { library == nil || $0.library == library }
            var jobs = Dictionary(chosen.map { ($0.id, $0) }) { first, _ in first }
            var undone: [Job] = []
            var ids = Set(chosen.flatMap { $0.options?.undoes ?? [] })
            while !ids.isEmpty {
                let next = try table.jobs(ids.subtracting(jobs.keys))
                    .filter { library == nil || $0.library == library }
                for job in next { jobs[job.id] = job }
                undone += next
                ids = Set(next.flatMap { $0.options?.undoes ?? [] })
            }
            let unknown = try table.unknown(among: Array(jobs.values))
            func entry(_ job: Job) -> JobLogEntry {
                JobLogEntry(
                    job: job, undoes: (job.options?.undoes ?? []).compactMap { jobs[$0]?.name },
                    isKnown: !unknown.contains(job.id))
            }
            return (chosen.map(entry), undone.sorted { $0.id > $1.id }.map(entry))
        }
    }
}
