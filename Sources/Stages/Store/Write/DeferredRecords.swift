import Bytes
import Database

/// Records of a batch that may already be stored or that share a key with an earlier record of the batch.
/// They are written after the batch's new records were copied.
///
/// This does not change the result. A record that shares a key with a deferred one is deferred too. So a new
/// record that is written before deferred ones does not affect anything they read, and deferred records keep
/// their order.
struct DeferredRecords {
    /// Indexes of the records' prepared rows in ascending order, each with its stored entry if found. No earlier
    /// deferred record writes that entry.
    private(set) var records: [(number: Int, entry: StoredEntry?)] = []
    /// Hashes of keys. A collision only defers a record unnecessarily.
    private var keys = MemTable()

    /// Defers a record.
    mutating func add(_ number: Int, of batch: ResultBatchView, entry: StoredEntry?) {
        records.append((number, entry))
        _ = Self.hasKey(number, of: batch) { key in
            keys.insert(key, 1)
            return false
        }
    }

    /// Whether a deferred record may write the entry of this record.
    func mayIncludeEntry(of number: Int, in batch: ResultBatchView) -> Bool {
        !records.isEmpty && keys.value(of: batch.rows[number].entry.key.hash) != nil
    }

    /// Whether a deferred record may be the same as this one, or share its work or one of its authors.
    func mayInclude(_ number: Int, of batch: ResultBatchView) -> Bool {
        !records.isEmpty && Self.hasKey(number, of: batch) { keys.value(of: $0) != nil }
    }

    /// Whether any key of a record satisfies the condition.
    private static func hasKey(
        _ number: Int, of batch: ResultBatchView, where condition: (UInt64) -> Bool
    ) -> Bool {
        let isbns = batch.rows[number].isbns
        if isbns.contains(where: { condition(UInt64(bitPattern: batch.isbns[$0])) }) { return true }
        if condition(batch.rows[number].entry.key.hash) { return true }
        if let key = batch.rows[number].titleKey, condition(key.hash) { return true }
        if let key = batch.rows[number].openLibraryKey, condition(key.hash) { return true }
        let (authors, answers) = (batch.rows[number].authors, batch.rows[number].candidates)
        return authors.contains { condition(batch.authors[$0].place.hash) }
            || answers.contains { condition(batch.candidates[$0].place.hash) }
    }
}
