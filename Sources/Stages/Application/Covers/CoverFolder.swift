import FoundationEssentials
import Pipeline
import Services

/// Images of covers in a folder, one file each, named after a digest of the address. An empty file says that there
/// is no image.
struct CoverFolder: AnswerCache {
    let path: String
    /// What to do if nothing can be written there.
    let advice: UserText

    func cachedAnswers(
        in form: AnswerFormat, _ keys: [ServiceKey]
    ) async throws(StageFailure) -> [CachedAnswer?] {
        keys.map { key in
            let file = file(of: key.text)
            guard let image = try? Data(contentsOf: URL(fileURLWithPath: file)),
                let attributes = try? FileManager.default.attributesOfItem(atPath: file),
                let modified = attributes[.modificationDate] as? Date
            else { return nil }
            return CachedAnswer(
                body: image.isEmpty ? nil : CachedBody(words: Array(image)),
                fetchedAt: Int64(modified.timeIntervalSince1970 * 1_000))
        }
    }

    func save(_ answers: [NewAnswer], in form: AnswerFormat) async throws(StageFailure) {
        do {
            try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
            for answer in answers where answer.cached.mismatches == 0 {
                let image = Data(answer.cached.body?.words ?? [])
                try image.write(to: URL(fileURLWithPath: file(of: answer.key.text)), options: .atomic)
            }
        } catch {
            throw StageFailure(.cannotCreate, "Covers cannot be kept in `\(path)`.", advice: advice)
        }
    }

    /// The file of the image at an address.
    func file(of address: String) -> String {
        var hash = SHA256()
        hash.update(Array(address.utf8))
        return path + "/" + hash.hexDigest
    }
}
