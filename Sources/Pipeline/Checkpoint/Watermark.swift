/// Puts batches that finish in any order back into the order of the input, for the sink to commit.
///
/// Element n is released after all elements before it. The number of held elements is bounded by the run's
/// window, because the source does not read on while that many batches are unwritten.
struct Watermark<Element> {
    /// Number of the element to be released next.
    private(set) var next = 0
    private var held: [Int: Element] = [:]

    /// Number of elements that wait for an earlier one.
    var heldCount: Int { held.count }

    /// Adds the element with number `sequence`. A number that was added before is ignored, so an element is
    /// released once.
    mutating func insert(_ element: Element, sequence: Int) {
        guard sequence >= next, held[sequence] == nil else { return }
        held[sequence] = element
    }

    /// The next element in order, if it has arrived.
    mutating func release() -> Element? {
        guard let element = held.removeValue(forKey: next) else { return nil }
        next += 1
        return element
    }
}

/// Size and SHA-256 of an input's first MiB, by which a job recognizes its input.
///
/// A resumed run compares the input's fingerprint with that of the job's start, and refuses a changed file.
public struct SourceFingerprint: Sendable, Hashable, Codable {
    /// Number of bytes from the beginning that are hashed.
    public static let headLength = 1 << 20

    /// The input's name as the user gave it.
    public var name: String
    /// Size in bytes.
    public var size: Int64
    /// SHA-256 of the first ``headLength`` bytes, in lower-case hexadecimal digits.
    public var headSHA256: String

    /// A fingerprint from an already computed hash.
    public init(name: String, size: Int64, headSHA256: String) {
        self.name = name
        self.size = size
        self.headSHA256 = headSHA256
    }

    /// Whether two inputs have the same size and hash, whatever their names.
    public func isSame(as other: SourceFingerprint) -> Bool {
        size == other.size && headSHA256 == other.headSHA256
    }
}
