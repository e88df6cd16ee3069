/// Puts batches that finish in any order back into the order of the input: the sink commits what it releases.
///
/// Element n is released when all before it have been. What is held back is bounded by the run's window, for no
/// batch is read while a window's worth of them is uncommitted.
struct Watermark<Element> {
    /// Number of the element that is released next.
    private(set) var next = 0
    private var held: [Int: Element] = [:]

    /// Elements that wait for an earlier one.
    var heldCount: Int { held.count }

    /// Takes in element `sequence`. A number seen before is ignored: an element is released once.
    mutating func insert(_ element: Element, sequence: Int) {
        guard sequence >= next, held[sequence] == nil else { return }
        held[sequence] = element
    }

    /// The next element in order, if it is there.
    mutating func release() -> Element? {
        guard let element = held.removeValue(forKey: next) else { return nil }
        next += 1
        return element
    }
}

/// Proof that an input is the one it was: size, and SHA-256 of its first MiB.
///
/// A resumed run compares the input's fingerprint with the one its job was started on, and refuses a changed file.
public struct SourceFingerprint: Sendable, Hashable, Codable {
    /// Bytes at the head that are hashed.
    public static let headLength = 1 << 20

    /// The input's name, as the user gave it.
    public var name: String
    /// Size in bytes.
    public var size: Int64
    /// SHA-256 of the first ``headLength`` bytes, in lower-case hexadecimal digits.
    public var headSHA256: String

    /// Puts together a fingerprint whose hash was computed before: by a source's survey, or by the run that
    /// stored it.
    public init(name: String, size: Int64, headSHA256: String) {
        self.name = name
        self.size = size
        self.headSHA256 = headSHA256
    }

    /// Whether two inputs hold the same bytes as far as can be told, whatever they are called.
    public func isSame(as other: SourceFingerprint) -> Bool {
        size == other.size && headSHA256 == other.headSHA256
    }
}
