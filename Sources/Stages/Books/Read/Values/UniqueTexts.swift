import Bytes

/// Texts of one arena in the order they came, each once, up to a number: what a record may hold any number of.
///
/// Whatever a record repeats, adding a text costs no more than reading it.
struct UniqueTexts {
    /// Subject headings kept of one record: many times what a cataloguer gives.
    static let maxHeadings = 512
    /// So few are compared one by one.
    private static let few = 16

    private(set) var texts: [Text] = []
    /// The texts' bytes, once there are more than a few.
    private var known: Set<[UInt8]> = []
    private let most: Int

    init(atMost most: Int) { self.most = most }

    /// Whether no text is taken any more.
    var isFull: Bool { texts.count >= most }

    /// Takes a text; false for an empty one, one that is there, and any where there is no room.
    mutating func add(_ text: Text, in arena: borrowing Arena) -> Bool {
        guard !text.isEmpty, !isFull else { return false }
        if texts.count < Self.few {
            for other in texts where arena.equal(other, text) { return false }
        } else {
            if known.isEmpty { for other in texts { known.insert(arena.bytes(other)) } }
            guard known.insert(arena.bytes(text)).inserted else { return false }
        }
        texts.append(text)
        return true
    }

    mutating func removeAll() {
        texts.removeAll(keepingCapacity: true)
        known.removeAll()
    }
}
