import Store
import System

/// The input of jobs that are resumed.
struct ResumedFiles {
    /// The path of the store.
    let store: String
    let uploads: UploadFolder

    /// The files of a job that is resumed: from the copies in the store if it has any.
    func paths(of options: ImportOptions) throws(ETLError) -> [String] {
        let store = try StoreFile.openForReading(self.store)
        let job = try JobTable(store).existing(options.job)
        let copies = InputCopies(store)
        guard try copies.exist(ofJob: job.id) else { return job.files }
        // What a process that was killed has restored.
        uploads.remove(options.upload)
        var files = UploadedFiles(options.upload, of: nil, in: uploads)
        do throws(UploadFolder.Refusal) {
            for index in job.inputs.indices {
                try files.begin()
                var refusal: UploadFolder.Refusal?
                do throws(ETLError) {
                    try copies.read(file: index, ofJob: job.id) { bytes throws(ETLError) in
                        do throws(UploadFolder.Refusal) { try files.write(bytes) } catch { refusal = error }
                    }
                } catch {
                    throw UploadFolder.Refusal.system(code: 0)
                }
                if let refusal { throw refusal }
                try files.end()
            }
        } catch {
            files.discard()
            throw ETLError(.inputOutput, "The job's input cannot be restored next to the store.")
        }
        return files.paths
    }
}
