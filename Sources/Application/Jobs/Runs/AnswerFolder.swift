import Books
import Glibc
import Queries
import Services
import System

/// Answers of services in a folder, one file each, named after a digest of the key. An empty file says that the service has
/// nothing.
///
/// It is for answers that are files by themselves, such as images of covers, or that are kept without a store.
struct AnswerFolder: AnswerCache {
    let path: String
    /// What the answers are, at the start of a sentence: `Covers`.
    var content: UserText = "Covers"
    /// Advice if nothing can be written there.
    let advice: UserText
    /// Permissions of the folder.
    var mode: UInt32 = 0o777

    func cachedAnswers(
        in form: AnswerFormat, _ keys: [ServiceKey]
    ) async throws(ETLError) -> [CachedAnswer?] {
        keys.map { key in
            let file = file(of: key.text)
            var facts = stat()
            guard FileSystem.stat(file, &facts) == 0, let words = try? ReadableFile.contents(of: file) else {
                return nil
            }
            let modified = facts.st_mtim
            return CachedAnswer(
                body: words.isEmpty ? nil : CachedBody(words: words),
                fetchedAt: Int64(modified.tv_sec) * 1_000 + Int64(modified.tv_nsec) / 1_000_000)
        }
    }

    func save(_ answers: [NewAnswer], in form: AnswerFormat) async throws(ETLError) {
        try check(Folder.make(path, mode: mode))
        for answer in answers where answer.cached.mismatches == 0 {
            let words = Array(answer.cached.body?.words ?? [])
            // An empty file means that there is nothing. A power failure must not leave one.
            try check(PartFile.replace(file(of: answer.key.text), with: words))
        }
    }

    private func check(_ code: Int32) throws(ETLError) {
        guard code != 0 else { return }
        throw ETLError(
            .cannotCreate, "\(content) cannot be kept in `\(path)`: \(String(cString: strerror(code))).",
            advice: advice)
    }

    /// The file of the answer to a key.
    func file(of key: String) -> String {
        var hash = SHA256()
        hash.update(Array(key.utf8))
        return path + "/" + hash.hexDigest
    }
}
