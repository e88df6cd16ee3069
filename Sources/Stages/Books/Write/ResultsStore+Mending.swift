import Database
package import Pipeline

/// Mended records of a completed job.
extension ResultsStore {
    /// Takes up a completed job whose rejects come back mended.
    ///
    /// - Throws: `.missing` where it is not there any more, `.temporary` where it is not completed.
    package func take(completed name: String) throws(StageFailure) -> Job {
        let job = try ledger.existing(name)
        guard !job.isUnfinished else { throw JobTable.unfinished(job) }
        do { try take(job) } catch { throw error.failure }
        return job
    }

    /// Begins a list of mended records.
    package func beginMendedList() throws(StageFailure) {
        do { try CorrectedRows(connection: connection).beginList() } catch { throw error.failure }
    }

    /// Whether a record of the job is among its rejects.
    package func isRejected(_ place: RecordPlace) throws(StageFailure) -> Bool {
        guard let current else { return false }
        do {
            let read = try connection.prepare(
                "SELECT 1 FROM rejects WHERE job = ?1 AND file = ?2 AND row = ?3")
            read.bind(1, current.job.id)
            read.bind(2, place.file)
            read.bind(3, place.row)
            return try read.step()
        } catch {
            throw error.failure
        }
    }

    /// Keeps mended records of a list in one transaction.
    ///
    /// - Returns: How many of the job's rejects they mend, and how many rows were for one that the list had before; the
    ///   others are passed over.
    package func keep(_ rows: [CorrectedRow]) throws(StageFailure) -> (records: Int, repeated: Int) {
        guard let current else { return (0, 0) }
        let mended = CorrectedRows(connection: connection)
        do {
            return try connection.transaction { () throws(SQLiteError) in
                var count = (records: 0, repeated: 0)
                for row in rows {
                    let layout = try layout(
                        profile: row.layout.profile, columns: StoredList.stored(row.layout.names) ?? "[]")
                    switch try mended.keep(row, layout: layout, job: current.job.id) {
                    case .kept: count.records += 1
                    case .keptAgain: count.repeated += 1
                    case .noReject: break
                    }
                }
                return count
            }
        } catch {
            throw error.failure
        }
    }

    /// The job's mended records, in the order of its input, portion by portion.
    ///
    /// - Parameters:
    ///   - place: The last one of the portion before; nil for the first.
    ///   - onlyRejected: Whether those are left out that were stored since.
    package func mended(
        after place: RecordPlace?, onlyRejected: Bool, atMost count: Int, bytes: Int
    ) throws(StageFailure) -> [CorrectedRow] {
        guard let current else { return [] }
        do {
            return try CorrectedRows(connection: connection).rows(
                ofJob: current.job.id, after: place, onlyRejected: onlyRejected, atMost: count, bytes: bytes)
        } catch {
            throw error.failure
        }
    }

    /// From here on batches are mended records of the job, which take the place of their rejects; its checkpoint stays.
    ///
    /// - Returns: false where no mended record is among the rejects: there is nothing to be done.
    package func startMending() throws(StageFailure) -> Bool {
        guard let current, try !mended(after: nil, onlyRejected: true, atMost: 1, bytes: 1).isEmpty else {
            return false
        }
        do { try take(current.job, mending: true) } catch { throw error.failure }
        return true
    }
}
