import Books
import Bytes

/// Compares a record's values with those of a stored row as bytes, to find out that offering them
/// (`StoredRow.offer`) changes nothing. Most repeated books bring
/// nothing new, and decoding rows takes ten times as long.
///
/// An answer of false only means that the row must be decoded.
struct RowComparison {
    /// The lineage of the record's values.
    let offered: LineageFields
    /// The lineage of the stored values.
    let stored: LineageFields
    /// Whether the record's entry is new, so that no stored value is from it.
    let isNewEntry: Bool
    let onlyFills: Bool

    /// Whether a value certainly does not change a column.
    func isSettled(
        _ field: Field, _ value: UnsafeRawBufferPointer, _ present: UnsafeRawBufferPointer, isCommunity: Bool
    ) -> Bool {
        if value.isEmpty || !offered.known.contains(field) { return true }
        if present.isEmpty { return false }
        if offered.assumed.contains(field) { return true }
        if stored.assumed.contains(field) { return false }
        if onlyFills || value.hasSameBytes(as: present) { return true }
        if field == .publicationDate, PublicationDate.refines(value, present) { return false }
        guard isNewEntry, !isCommunity, offered.fromEntry.contains(field), stored.known.contains(field) else {
            return false
        }
        // A provider's value stays, and so does one from another entry.
        return !stored.fromEntry.contains(field) || !field.isList || field == .seriesName
            || StoredList.contains(present, allOf: value)
    }

    /// Whether a record may take back the value of a column (``StoredRow/withdraw(column:by:rule:)``).
    func mayWithdraw(
        _ field: Field, _ value: UnsafeRawBufferPointer, _ present: UnsafeRawBufferPointer
    ) -> Bool {
        field == .genre && value.isEmpty && !present.isEmpty && !onlyFills && !isNewEntry
            && stored.fromEntry.contains(field)
    }

    /// Whether a work's contributors certainly stay. They have the source of the author's name.
    var isNameSettled: Bool {
        let field = Field.authorName
        return onlyFills || !offered.known.contains(field)
            || isNewEntry && offered.fromEntry.contains(field) && stored.known.contains(field)
    }

    /// The same for the ISBNs of an edition, which are united.
    func areISBNsSettled(_ value: UnsafeRawBufferPointer, _ present: UnsafeRawBufferPointer) -> Bool {
        if value.isEmpty || !offered.known.contains(.isbn13) { return true }
        return !stored.assumed.contains(.isbn13) && !present.isEmpty
            && StoredList.contains(present, allOf: value)
    }
}

/// What a lineage says about fields, as sets.
struct LineageFields {
    /// Fields with a source other than the user.
    var known = FieldSet()
    var fromEntry = FieldSet()
    var assumed = FieldSet()

    /// A lineage as stored (``Lineage``). Empty if it is invalid.
    init(stored bytes: UnsafeRawBufferPointer) {
        var at = 0
        guard let count = Varint.take(bytes, at: &at), count <= UInt64(Lineage.maximumSources) else { return }
        var (entries, users) = (0 as UInt32, 0 as UInt32)
        for number in 0..<UInt32(count) {
            guard let source = Varint.take(bytes, at: &at) else { return }
            if source & 1 == 0 { entries |= 1 << number }
            if source == Lineage.userID { users |= 1 << number }
        }
        add(
            UnsafeRawBufferPointer(rebasing: bytes[at...]), sources: Int(count), entries: entries,
            users: users)
    }

    /// The lineage of a prepared row. Its first source is the entry, the others are the candidates.
    init(prepared bytes: UnsafeRawBufferPointer, candidates: Int) {
        add(bytes, sources: 1 + candidates, entries: 1, users: 0)
    }

    /// - Parameter users: The sources that are the user. Any source replaces a value that the user has set
    ///   and unlocked again, so its field counts as having no source.
    private mutating func add(
        _ items: UnsafeRawBufferPointer, sources: Int, entries: UInt32, users: UInt32
    ) {
        // The first element speaks for a list.
        var seen = FieldSet()
        for at in stride(from: 0, to: items.count - 1, by: 2) {
            let (raw, source) = (items[at], Int(items[at + 1] >> 4))
            guard let field = Field(rawValue: raw), !seen.contains(field) else { continue }
            seen.insert(field)
            guard let rule = MergeRule(rawValue: items[at + 1] & 0x0F), source < sources,
                users >> UInt32(source) & 1 == 0
            else { continue }
            known.insert(field)
            if entries >> UInt32(source) & 1 == 1 { fromEntry.insert(field) }
            if rule == .assumed { assumed.insert(field) }
        }
    }
}
