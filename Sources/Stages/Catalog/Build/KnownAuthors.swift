/// Looks up the authors of a work among those that the catalog holds.
final class KnownAuthors {
    private let forwarded: Statement
    private let body: Statement
    /// Knows the authors that moved: nearly all never did, and are not asked for.
    private let moved = AbsenceFilter(bytes: 4 << 20)

    init(_ connection: Connection) throws(SQLiteError) {
        forwarded = try connection.prepare(
            "SELECT target FROM stage.forward WHERE kind = \(OpenLibraryKey.Kind.author.rawValue) AND id = ?")
        body = try connection.prepare("SELECT body FROM main.author WHERE id = ?")
        let moves = try connection.prepare(
            "SELECT id FROM stage.forward WHERE kind = \(OpenLibraryKey.Kind.author.rawValue)")
        while try moves.step() { moved.insert(UInt64(bitPattern: moves.integer(0))) }
    }

    /// Appends their records, numbered from 0, without their other names; redirects are followed, repeats and
    /// unknown ones left out.
    ///
    /// - Parameter visit: Handed each author's whole record.
    /// - Returns: How many there are.
    func append(
        _ numbers: [Int64], to record: inout PackedRecordWriter,
        _ visit: (UnsafeRawBufferPointer) -> Void = { _ in }
    ) throws(SQLiteError) -> Int {
        var seen: [Int64] = []
        var found = 0
        for number in numbers {
            let number = try target(of: number)
            guard number != 0, !seen.contains(number) else { continue }
            seen.append(number)
            body.bind(1, number)
            guard try body.step() else { continue }
            body.withBytes(0) { body in
                record.append(record: body, author: UInt8(truncatingIfNeeded: found)) {
                    $0 != .authorAlternateName
                }
                visit(body)
            }
            body.reset()
            found += 1
        }
        return found
    }

    /// Where an author's key leads: itself where it never moved, 0 where it leads nowhere.
    private func target(of number: Int64) throws(SQLiteError) -> Int64 {
        if moved.isAbsent(UInt64(bitPattern: number)) { return number }
        forwarded.bind(1, number)
        guard try forwarded.step() else { return number }
        defer { forwarded.reset() }
        return forwarded.integer(0)
    }
}
