package import Bytes

/// How the catalog keeps a record: its values one after the other, ready to be copied into a batch.
///
///     version (1) · { field (1) · [author number (1), for a field of an author] · length (LEB128) · bytes }…
///
/// A field is its raw value, which lineage stores as well and which is never reused. Nothing in a record needs
/// decoding: reading it is one copy of all its bytes and one ``CandidateValue`` for each value.
package enum PackedRecord {
    /// The form's first byte. A reader refuses any other, so that an old program never misreads a new catalog.
    static let version: UInt8 = 1
    /// Bytes a record may have: a batch of the largest stays under its arena's 4 GiB.
    static let byteLimit = 1 << 20
    /// Authors taken from an answer that lists them by name.
    static let authorLimit = 64

    /// Copies a record into a batch and appends its values.
    ///
    /// Total: bytes that are no record append nothing and give false.
    package static func decode(
        _ bytes: UnsafeRawBufferPointer, into arena: inout Arena, values: inout [CandidateValue]
    ) -> Bool {
        let count = values.count
        let base = UInt32(truncatingIfNeeded: arena.byteCount)
        guard bytes.count <= byteLimit, arena.byteCount <= Int(UInt32.max) - byteLimit else { return false }
        let isWhole = forEachValue(bytes) { field, author, range in
            let offset = base + UInt32(truncatingIfNeeded: range.lowerBound)
            let text = Text(offset: offset, length: UInt32(truncatingIfNeeded: range.count))
            values.append(CandidateValue(field, author: author, text))
        }
        guard isWhole else {
            values.removeSubrange(count...)
            return false
        }
        _ = arena.append(bytes)
        return true
    }

    /// Walks over a record's values: field, author number and the bytes' range in the record.
    ///
    /// - Returns: false where the bytes are no record; values before the damage have been handed out by then.
    @inline(__always)
    package static func forEachValue(
        _ bytes: UnsafeRawBufferPointer, _ body: (Field, UInt8, Range<Int>) -> Void
    ) -> Bool {
        guard bytes.count >= 1, bytes[0] == version else { return false }
        var at = 1
        while at < bytes.count {
            guard let field = Field(rawValue: bytes[at]) else { return false }
            at += 1
            var author: UInt8 = 0
            if field.isOfAuthor {
                guard at < bytes.count else { return false }
                author = bytes[at]
                at += 1
            }
            guard let number = Varint.take(bytes, at: &at, atMost: 4), number <= UInt64(bytes.count - at)
            else { return false }
            let length = Int(number)
            body(field, author, at..<at + length)
            at += length
        }
        return true
    }
}
