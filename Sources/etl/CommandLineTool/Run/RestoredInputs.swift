import Formats
import FoundationEssentials
import Glibc
import Jobs
import Store
import Syntax
import System

/// The files of a job that continues. Those that were deleted or replaced since are restored from the store
/// for the time of the run.
struct RestoredInputs {
    /// The paths to read, in the order of the job's inputs.
    private(set) var paths: [String]
    /// The restored ones among them, locked while the process lives.
    private var restored: [LockedFile] = []

    /// - Throws: `.cannotCreate` if no file can be created next to the store, and what reading the store
    ///   throws.
    init(of job: Job, in store: String) throws(CommandFailure) {
        paths = job.files
        do throws(ETLError) {
            let copies = InputCopies(try StoreFile.openForReading(store))
            guard try copies.exist(ofJob: job.id) else { return }
            for (index, path) in paths.enumerated() where !Self.isUnchanged(path, job, index) {
                let file = try StandardInput.newSpool(beside: store) { Self.failure(store, $0) }
                restored.append(file)
                paths[index] = ArchivePath(path).map { "\(file.path)/\($0.part)" } ?? file.path
                try copies.read(file: index, ofJob: job.id) { bytes throws(ETLError) in
                    let code = bytes.withUnsafeBytes {
                        DescriptorOutlet(descriptor: file.descriptor).write($0)
                    }
                    guard code == 0 else { throw Self.failure(store, String(cString: strerror(code))) }
                }
            }
        } catch {
            remove()
            throw CommandFailure(error)
        }
    }

    /// Deletes the restored files.
    func remove() { for file in restored { Self.remove(file) } }

    private static func remove(_ file: LockedFile) {
        FileSystem.unlink(file.path)
        close(file.descriptor)
    }

    /// Whether a file is as the job has read it.
    private static func isUnchanged(_ path: String, _ job: Job, _ index: Int) -> Bool {
        guard let found = try? InputFile(path).fingerprint(), found.isSame(as: job.inputs[index]) else {
            return false
        }
        guard index == job.checkpoint.file, let digest = job.tailDigest else { return true }
        return TailHash(files: job.files).digest(before: job.checkpoint) == digest
    }

    private static func failure(_ store: String, _ reason: String) -> ETLError {
        ETLError(
            .cannotCreate, "The job's input cannot be restored next to `\(store)`: \(reason).",
            advice: "Free some space, and check the folder's permissions.")
    }
}
