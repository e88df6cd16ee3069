import Books
import Database
import System

/// Looks up a work's authors among the staged records.
final class AuthorLookup {
    /// Maximum authors kept in memory, and bytes of their records. An author of one work is likely to have
    /// written others.
    static let maxKept = (authors: 1 << 18, bytes: 16 << 20)

    private let maxKept: (authors: Int, bytes: Int)
    private let forwarded: Statement
    private let body: Statement
    /// Authors that were redirected. Most were not, and need no query.
    private let moved = BloomFilter(bytes: 4 << 20)
    /// The kept records, concatenated, and the range of each.
    private var kept: [UInt8] = []
    private var places = MemTable()

    /// - Parameters:
    ///   - records: The connection's name for the staging database.
    ///   - maxKept: The limits of the memory cache.
    init(
        _ connection: Connection, records: String, maxKept: (authors: Int, bytes: Int) = maxKept
    ) throws(ETLError) {
        self.maxKept = maxKept
        forwarded = try connection.prepare(
            """
            SELECT target FROM \(records).forward
            WHERE kind = \(OpenLibraryKey.Kind.author.rawValue) AND id = ?
            """)
        body = try connection.prepare("SELECT body FROM \(records).author WHERE id = ?")
        let moves = try connection.prepare(
            "SELECT id FROM \(records).forward WHERE kind = \(OpenLibraryKey.Kind.author.rawValue)")
        while try moves.next() { moved.insert(UInt64(bitPattern: moves.integer(0))) }
        kept.reserveCapacity(maxKept.bytes)
        // Reading in key order costs almost nothing. For a small catalog this loads all authors in advance.
        let first = try connection.prepare(
            "SELECT id, body FROM \(records).author ORDER BY id LIMIT \(maxKept.authors)")
        while try first.next() { _ = first.withBytes(1) { keep($0, of: first.integer(0)) } }
    }

    /// Calls `use` with each author's record, numbered from 0. Follows redirects; skips repeated and unknown
    /// authors.
    ///
    /// - Returns: The number of records.
    @discardableResult
    func visit(
        _ numbers: [Int64], _ use: (_ number: Int, _ record: UnsafeRawBufferPointer) -> Void
    ) throws(ETLError) -> Int {
        var seen: [Int64] = []
        var found = 0
        for number in numbers {
            let number = try target(of: number)
            guard number != 0, !seen.contains(number) else { continue }
            seen.append(number)
            guard let place = try place(of: number) else { continue }
            kept.withUnsafeBytes { use(found, UnsafeRawBufferPointer(rebasing: $0[place])) }
            found += 1
        }
        return found
    }

    /// Appends the authors' records without their alternate names.
    ///
    /// - Parameter use: Called with each author's whole record.
    /// - Returns: The number of records.
    func append(
        _ numbers: [Int64], to record: inout PackedRecordWriter,
        _ use: (UnsafeRawBufferPointer) -> Void = { _ in }
    ) throws(ETLError) -> Int {
        try visit(numbers) { number, body in
            record.append(record: body, author: UInt8(truncatingIfNeeded: number)) {
                $0 != .authorAlternateName
            }
            use(body)
        }
    }

    /// Where an author's record is kept; nil if the author is unknown.
    private func place(of number: Int64) throws(ETLError) -> Range<Int>? {
        if let place = places.value(of: UInt64(bitPattern: number)) {
            return Int(place >> 32)..<Int(place & 0xFFFF_FFFF)
        }
        guard try body.first(number) else { return nil }
        defer { body.reset() }
        return body.withBytes(0) { keep($0, of: number) }
    }

    /// Keeps a record. If it does not fit, all records kept before are dropped.
    private func keep(_ body: UnsafeRawBufferPointer, of number: Int64) -> Range<Int> {
        if places.count == maxKept.authors || kept.count + body.count > maxKept.bytes {
            kept.removeAll(keepingCapacity: true)
            places.removeAll()
        }
        let place = kept.count..<kept.count + body.count
        kept.append(contentsOf: body)
        places.insert(
            UInt64(bitPattern: number), Int64(place.lowerBound) << 32 | Int64(place.upperBound))
        return place
    }

    /// The author a key leads to: itself if it was not redirected, 0 if the redirect is dead.
    private func target(of number: Int64) throws(ETLError) -> Int64 {
        if moved.isAbsent(UInt64(bitPattern: number)) { return number }
        guard try forwarded.first(number) else { return number }
        defer { forwarded.reset() }
        return forwarded.integer(0)
    }
}
