import Bytes
import Database

/// The records of a batch of which something is stored already, or comes earlier in the batch: they wait until the new
/// ones are copied.
///
/// The order makes no difference. A record that has a key in common with one that waits, waits too: so a new one that
/// is written before others which stand ahead of it touches nothing that they look at, and those that wait keep
/// their order.
struct DeferredRecords {
    /// Indexes of the records' drafts, rising, with the stored entry where it has been found: none of those ahead
    /// writes it.
    private(set) var records: [(number: Int, entry: StoredEntry?)] = []
    /// Hashes: keys that are taken for one make a record wait that need not.
    private var keys = MemTable()

    /// Makes a record wait.
    mutating func add(_ number: Int, of batch: ResultBatchView, entry: StoredEntry?) {
        records.append((number, entry))
        _ = Self.hasKey(number, of: batch) { key in
            keys.insert(key, 1)
            return false
        }
    }

    /// Whether a record's entry is, or may be, one that a record which waits is to write.
    func mayIncludeEntry(of number: Int, in batch: ResultBatchView) -> Bool {
        !records.isEmpty && keys.value(of: batch.drafts[number].entry.key.hash) != nil
    }

    /// Whether a record is, or may be, the same as one that waits, or of its work, or by one of its authors.
    func mayInclude(_ number: Int, of batch: ResultBatchView) -> Bool {
        !records.isEmpty && Self.hasKey(number, of: batch) { keys.value(of: $0) != nil }
    }

    /// Whether one of the keys that a record is found by fulfils a condition.
    private static func hasKey(
        _ number: Int, of batch: ResultBatchView, where condition: (UInt64) -> Bool
    ) -> Bool {
        let isbns = batch.drafts[number].isbns
        if isbns.contains(where: { condition(UInt64(bitPattern: batch.isbns[$0])) }) { return true }
        if condition(batch.drafts[number].entry.key.hash) { return true }
        if let key = batch.drafts[number].titleKey, condition(key.hash) { return true }
        if let key = batch.drafts[number].openLibraryKey, condition(key.hash) { return true }
        let (authors, answers) = (batch.drafts[number].authors, batch.drafts[number].candidates)
        return authors.contains { condition(batch.authors[$0].place.hash) }
            || answers.contains { condition(batch.candidates[$0].place.hash) }
    }
}
