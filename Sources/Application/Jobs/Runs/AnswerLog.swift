import Database
import Glibc
import Queries
import Services
import Store
import System

/// Answers that arrive while a job is run again, in a file next to the store (`library.sqlite.answers`), one
/// line each (``AnswerExport``).
///
/// The store has an open transaction then. If the process is killed before the answers are in the store, the
/// next run takes them from the file.
struct AnswerLog: Sendable {
    let store: String

    private var path: String { "\(store).answers" }

    /// Adds answers. It is a precaution: if it fails, the answers are saved later as if there was no log.
    func append(_ answers: [NewAnswer], in form: AnswerFormat) {
        guard let descriptor = try? SidecarFile.open(path, O_WRONLY | O_CREAT | O_APPEND) else { return }
        defer { close(descriptor) }
        // A mismatch is not an answer, and is asked again. An answer that was only confirmed is in the store.
        let isNew = { (answer: NewAnswer) in
            answer.cached.mismatches == 0 && (answer.cached.body.map { $0.words != nil } ?? true)
        }
        let lines = AnswerExport.lines(of: answers.filter(isNew), in: form)
        _ = DescriptorWriter.writeAll(lines, to: descriptor)
    }

    /// Deletes the file: all its answers are in the store. A power cut must not bring it back, because a job that
    /// has ended does not look for it.
    func remove() {
        if FileSystem.unlink(path) == 0 { _ = DescriptorWriter.synchronize(FolderPath.of(path)) }
    }

    /// Takes the answers that a killed run left into the store, which must not be open for writing.
    ///
    /// - Throws: `.cannotCreate` if something else has the file's name, and what writing to the store throws.
    func recover(readBy services: [any Service], holding lock: StoreLock? = nil) throws(ETLError) {
        guard let descriptor = try SidecarFile.open(path, O_RDONLY) else { return }
        close(descriptor)
        do throws(ETLError) {
            _ = try AnswerImport.take(path, into: store, readBy: services, mayEndEarly: true, holding: lock)
        } catch {
            throw error.kind == .unusableInput
                ? SidecarFile.refusal(path, "is another program's file") : error
        }
        remove()
    }
}
