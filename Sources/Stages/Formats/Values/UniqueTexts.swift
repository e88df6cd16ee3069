import Bytes

/// Distinct texts of one arena in their original order, up to a maximum number. A record may hold any number
/// of texts.
///
/// Adding a text costs no more than reading it, however often a record repeats texts.
struct UniqueTexts {
    /// Maximum number of subject headings kept per record; far more than a cataloguer assigns.
    static let maxHeadings = 512
    /// Up to this number texts are compared one by one.
    private static let few = 16

    private(set) var texts: [Text] = []
    /// The texts' bytes, once there are more than a few.
    private var known: Set<[UInt8]> = []
    private let most: Int

    init(atMost most: Int) { self.most = most }

    /// Whether the maximum is reached.
    var isFull: Bool { texts.count >= most }

    /// Adds a text; false if it is empty, already present, or if the maximum is reached.
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

/// A list of shelves in one cell.
package enum ShelfList {
    /// The character that separates shelves: the first of these that occurs.
    package static func separator(of text: String) -> Character {
        [",", ";", "|"].first { text.contains($0) } ?? ","
    }

    /// The shelves, without blanks around them.
    package static func names(in text: String) -> [String] {
        text.split(separator: separator(of: text)).map { $0.trimming(.spacesAndNewlines) }
            .filter { !$0.isEmpty }
    }
}
