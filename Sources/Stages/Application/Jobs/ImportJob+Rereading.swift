import Books
import Pipeline

/// Files that are imported once more, as where their dates are to be read in the other order.
extension ImportJob {
    /// The jobs that have read the same files into the library before; nil where there are none. That the files are the
    /// same is known by their heads and by what stands before the place up to which each job has read.
    func readBefore(
        _ order: ImportRequest, _ survey: LibrarySurvey
    ) throws(StageFailure) -> [Int64]? {
        guard let connection = try StoreFile.openIfBegun(order.storePath, waiting: lockTerms) else {
            return nil
        }
        let inputs = survey.source.fingerprints
        let tails = TailHash(files: order.reading.files)
        let jobs = try JobTable(connection).all().filter { job in
            guard job.library == order.library, job.checkpoint != .start, JobTable.isSame(job.inputs, inputs)
            else { return false }
            return job.tailDigest.map { $0 == tails.digest(before: job.checkpoint) } ?? true
        }
        return jobs.isEmpty ? nil : jobs.map(\.id).sorted()
    }
}
