package import Bytes

/// Storage format of a catalog's record: its values one after the other, ready to be copied into a batch.
///
///     version (1) · { field (1) · [author number (1), for a field of an author] · length (LEB128) · bytes }…
///
/// A field is its raw value, which lineage also stores and which is never reused. A record needs no decoding:
/// reading it is one copy of all its bytes and one ``CandidateValue`` per value.
package enum PackedRecord {
    /// The first byte of a record. Other versions are rejected, so that an old program never misreads a new
    /// catalog.
    static let version: UInt8 = 1
    /// Maximum size of a record in bytes. It keeps the largest batch below the 4 GiB limit of an arena.
    static let byteLimit = 1 << 20
    /// Maximum number of authors taken from an answer that lists them by name.
    package static let authorLimit = 64

    /// Copies a record into a batch and appends its values.
    ///
    /// - Returns: Whether the bytes were a valid record. If not, nothing is appended.
    package static func decode(
        _ bytes: UnsafeRawBufferPointer, into arena: inout Arena, values: inout [CandidateValue]
    ) -> Bool {
        let count = values.count
        let base = UInt32(truncatingIfNeeded: arena.byteCount)
        guard bytes.count <= byteLimit, arena.byteCount <= Int(UInt32.max) - byteLimit else { return false }
        let isValid = forEachValue(bytes) { field, author, range in
            let offset = base + UInt32(truncatingIfNeeded: range.lowerBound)
            let text = Text(offset: offset, length: UInt32(truncatingIfNeeded: range.count))
            values.append(CandidateValue(field, author: author, text))
        }
        guard isValid else {
            values.removeSubrange(count...)
            return false
        }
        _ = arena.append(bytes)
        return true
    }

    /// Calls `body` with field, author number and byte range of each value in a record.
    ///
    /// - Returns: Whether the bytes were a valid record. If not, `body` was called for the values before the
    ///   damage.
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

/// Builds a ``PackedRecord`` value by value, in a buffer that is reused for the next record.
package struct PackedRecordWriter {
    /// The record so far; only its version byte if it has no values.
    package private(set) var bytes: [UInt8] = [PackedRecord.version]
    /// Number of values in it.
    package private(set) var count = 0
    /// Buffer for a value that is written in parts.
    private var parts: [UInt8] = []

    package init() {}

    package var isEmpty: Bool { count == 0 }

    /// Starts a new record in the same buffer.
    package mutating func reset() {
        bytes.removeAll(keepingCapacity: true)
        bytes.append(PackedRecord.version)
        count = 0
    }

    /// Appends a value. An empty value, or one that would exceed the record's size limit, is skipped.
    ///
    /// - Returns: Whether it was appended.
    @discardableResult
    package mutating func append(_ field: Field, author: UInt8 = 0, _ value: UnsafeRawBufferPointer) -> Bool {
        guard begin(field, author: author, length: value.count) else { return false }
        bytes.append(contentsOf: value)
        return true
    }

    /// Appends the header of a value whose bytes follow. False, with nothing appended, if the value is empty
    /// or too large.
    @inline(__always)
    private mutating func begin(_ field: Field, author: UInt8 = 0, length: Int) -> Bool {
        guard length > 0, bytes.count + length + 8 <= PackedRecord.byteLimit else { return false }
        bytes.append(field.rawValue)
        if field.isOfAuthor { bytes.append(author) }
        Varint.append(UInt64(length), to: &bytes)
        count += 1
        return true
    }

    @discardableResult
    package mutating func append(_ field: Field, author: UInt8 = 0, _ value: [UInt8]) -> Bool {
        value.withUnsafeBytes { append(field, author: author, $0) }
    }

    @discardableResult
    package mutating func append(_ field: Field, author: UInt8 = 0, _ value: String) -> Bool {
        append(field, author: author, Array(value.utf8))
    }

    /// Appends a value that is written in parts.
    package mutating func append(_ field: Field, writing write: (inout [UInt8]) -> Void) {
        parts.removeAll(keepingCapacity: true)
        write(&parts)
        append(field, parts)
    }

    /// Appends ISBNs in the given order: first all as ISBN-13, then as ISBN-10 those that have that form.
    package mutating func append(isbns: [ISBN]) {
        for isbn in isbns where begin(.isbn13, length: 13) {
            isbn.appendISBN13(to: &bytes)
        }
        for isbn in isbns where isbn.hasISBN10 {
            if begin(.isbn10, length: 10) { isbn.appendISBN10(to: &bytes) }
        }
    }

    /// Appends the names of a book's authors, numbered from 0 in the given order. Names beyond
    /// ``PackedRecord/authorLimit`` are skipped.
    package mutating func append(authorNames names: [String]) {
        for (number, name) in names.prefix(PackedRecord.authorLimit).enumerated() {
            append(.authorName, author: UInt8(number), name)
        }
    }

    /// Appends those values of a record for which `isWanted` is true, author fields with the given author
    /// number.
    package mutating func append(
        record: UnsafeRawBufferPointer, author number: UInt8 = 0,
        where isWanted: (Field) -> Bool = { _ in true }
    ) {
        _ = PackedRecord.forEachValue(record) { field, _, range in
            guard isWanted(field) else { return }
            append(field, author: number, UnsafeRawBufferPointer(rebasing: record[range]))
        }
    }
}
