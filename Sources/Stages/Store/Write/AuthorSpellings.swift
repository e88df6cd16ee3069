import Bytes

/// Remembers how the names of authors are spelled, so that most names need not be read to find out that they are spelled
/// alike. Of fixed size: it forgets authors, and says only what is certain.
final class AuthorSpellings {
    /// The author of a slot, and a hash of the name's best spelling so far.
    private struct Slot {
        var author: Int64 = 0
        var hash: UInt64 = 0
        /// A hash of the last spelling that is not better.
        var other: UInt64 = 0
    }

    private static let count = 1 << 14
    private var slots: [Slot] = []

    private func index(_ author: Int64) -> Int { Int(truncatingIfNeeded: author) & (Self.count - 1) }

    /// Whether a spelling is certainly no better than the author's.
    func isSettled(_ name: UnsafeRawBufferPointer, of author: Int64) -> Bool {
        guard !slots.isEmpty else { return false }
        let slot = slots[index(author)]
        guard slot.author == author else { return false }
        let hash = KeyHash.hash(name)
        return hash == slot.hash || hash == slot.other
    }

    /// Notes the best spelling of an author's name.
    func note(_ name: UnsafeRawBufferPointer, of author: Int64) {
        if slots.isEmpty { slots = [Slot](repeating: Slot(), count: Self.count) }
        slots[index(author)] = Slot(author: author, hash: KeyHash.hash(name))
    }

    /// Notes a spelling that is not better than the author's.
    func note(worse name: UnsafeRawBufferPointer, of author: Int64) {
        guard !slots.isEmpty, slots[index(author)].author == author else { return }
        slots[index(author)].other = KeyHash.hash(name)
    }

    /// Forgets everything, because rows were changed otherwise.
    func removeAll() { slots.removeAll(keepingCapacity: true) }
}
