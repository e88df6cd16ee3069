import Bytes

/// Caches the genres of subjects, because libraries repeat a few thousand subjects.
///
/// The size is bounded: a full cache is emptied. The cache only saves work. Its results are those of the
/// normalizer, so they depend neither on the cache nor on the order of batches.
package struct SubjectCache {
    /// Longer subjects are rare and are not cached.
    package static let longestSubject = 128
    private static let slotCount = 16_384
    private static let longestStorage = 512 * 1024

    private var normalizer: GenreNormalizer
    package private(set) var outcomes: [GenreNormalizer.Outcome] = []
    private var storage: [UInt8] = []
    private var entries: [Entry] = []
    /// Index of the entry plus one; 0 is a free slot.
    private var slots = [UInt16](repeating: 0, count: slotCount)
    /// Number of outcomes, at the end of ``outcomes``, of a subject that is not cached. The next call removes
    /// them.
    private var uncachedCount = 0

    private struct Entry {
        /// Of the subject, with another seed for shelves.
        var hash: UInt64
        var isShelf: Bool
        var offset: UInt32
        var length: UInt32
        var outcomes: Range<UInt32>
    }

    package init(normalizer: GenreNormalizer) { self.normalizer = normalizer }

    /// Outcomes of a subject, as a range of ``outcomes`` that is valid until the next call.
    package mutating func recall(_ subject: UnsafeRawBufferPointer) -> Range<Int> {
        recall(subject, isShelf: false)
    }

    /// Outcomes of a shelf's name, as a range of ``outcomes`` that is valid until the next call.
    package mutating func recall(shelf: UnsafeRawBufferPointer) -> Range<Int> {
        recall(shelf, isShelf: true)
    }

    private mutating func recall(_ subject: UnsafeRawBufferPointer, isShelf: Bool) -> Range<Int> {
        outcomes.removeLast(uncachedCount)
        uncachedCount = 0
        let hash = KeyHash.hash(subject, seed: isShelf ? 1 : 0)
        var slot = Int(truncatingIfNeeded: hash) & (Self.slotCount - 1)
        while slots[slot] != 0 {
            let entry = entries[Int(slots[slot]) - 1]
            if entry.hash == hash, entry.isShelf == isShelf, holds(entry, subject) {
                return Int(entry.outcomes.lowerBound)..<Int(entry.outcomes.upperBound)
            }
            slot = (slot + 1) & (Self.slotCount - 1)
        }
        if entries.count * 2 >= Self.slotCount || storage.count >= Self.longestStorage {
            forget()
            slot = Int(truncatingIfNeeded: hash) & (Self.slotCount - 1)
        }
        let first = outcomes.count
        if isShelf {
            normalizer.normalize(shelf: subject, into: &outcomes)
        } else {
            normalizer.normalize(subject, into: &outcomes)
        }
        guard subject.count <= Self.longestSubject else {
            uncachedCount = outcomes.count - first
            return first..<outcomes.count
        }
        entries.append(
            Entry(
                hash: hash, isShelf: isShelf, offset: UInt32(storage.count), length: UInt32(subject.count),
                outcomes: UInt32(first)..<UInt32(outcomes.count)))
        storage.append(contentsOf: subject)
        slots[slot] = UInt16(entries.count)
        return first..<outcomes.count
    }

    private func holds(_ entry: Entry, _ subject: UnsafeRawBufferPointer) -> Bool {
        guard Int(entry.length) == subject.count else { return false }
        return storage.withUnsafeBytes { $0.part(Int(entry.offset), subject.count).hasSameBytes(as: subject) }
    }

    private mutating func forget() {
        outcomes.removeAll(keepingCapacity: true)
        storage.removeAll(keepingCapacity: true)
        entries.removeAll(keepingCapacity: true)
        for slot in slots.indices { slots[slot] = 0 }
    }
}
