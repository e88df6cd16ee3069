/// Size and SHA-256 of an input's first MiB, by which a job recognizes its input.
///
/// A resumed run compares the input's fingerprint with that of the job's start, and refuses a changed file.
package struct SourceFingerprint: Sendable, Hashable, Codable {
    /// Number of bytes from the beginning that are hashed.
    package static let headLength = 1 << 20

    /// The input's name as the user gave it.
    package var name: String
    /// Size in bytes.
    package var size: Int64
    /// SHA-256 of the first ``headLength`` bytes, in lower-case hexadecimal digits.
    package var headSHA256: String

    /// A fingerprint from an already computed hash.
    package init(name: String, size: Int64, headSHA256: String) {
        self.name = name
        self.size = size
        self.headSHA256 = headSHA256
    }

    /// Whether two inputs have the same size and hash, whatever their names.
    package func isSame(as other: SourceFingerprint) -> Bool {
        size == other.size && headSHA256 == other.headSHA256
    }
}
