import Books
import Glibc
import Queries
import Services
import System

/// Images of covers in a folder, one file each, named after a digest of the address. An empty file says that there
/// is no image.
struct CoverFolder: AnswerCache {
    let path: String
    /// Advice if nothing can be written there.
    let advice: UserText

    func cachedAnswers(
        in form: AnswerFormat, _ keys: [ServiceKey]
    ) async throws(ETLError) -> [CachedAnswer?] {
        keys.map { key in
            let file = file(of: key.text)
            var facts = stat()
            guard FileSystem.stat(file, &facts) == 0, let image = try? ReadableFile.contents(of: file) else {
                return nil
            }
            let modified = facts.st_mtim
            return CachedAnswer(
                body: image.isEmpty ? nil : CachedBody(words: image),
                fetchedAt: Int64(modified.tv_sec) * 1_000 + Int64(modified.tv_nsec) / 1_000_000)
        }
    }

    func save(_ answers: [NewAnswer], in form: AnswerFormat) async throws(ETLError) {
        try check(Folder.make(path, mode: 0o777))
        for answer in answers where answer.cached.mismatches == 0 {
            let image = Array(answer.cached.body?.words ?? [])
            // An empty file means that there is no image. A power failure must not leave one.
            try check(PartFile.replace(file(of: answer.key.text), with: image))
        }
    }

    private func check(_ code: Int32) throws(ETLError) {
        guard code != 0 else { return }
        throw ETLError(
            .cannotCreate, "Covers cannot be kept in `\(path)`: \(String(cString: strerror(code))).",
            advice: advice)
    }

    /// The file of the image at an address.
    func file(of address: String) -> String {
        var hash = SHA256()
        hash.update(Array(address.utf8))
        return path + "/" + hash.hexDigest
    }
}
