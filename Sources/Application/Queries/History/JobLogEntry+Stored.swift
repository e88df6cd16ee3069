import Contract
package import Database
import Store
package import System

extension JobLogEntry {
    /// All jobs of a store, newest first.
    ///
    /// - Parameter library: The library whose jobs are wanted; nil for all. A store of many users has tens of thousands of
    ///   others.
    package static func all(
        in connection: Connection, ofLibrary library: String? = nil
    ) throws(ETLError) -> [JobLogEntry] {
        try connection.snapshot { () throws(ETLError) -> [JobLogEntry] in
            let jobs = try JobTable(connection).all(ofLibrary: library)
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
}
