import Books
import Database
package import System

/// Entries that become one.
package struct EntryJoin: Sendable, Hashable {
    /// The row id of the entry that stays.
    package var kept: Int64
    /// Those whose values it gets, and which are then removed.
    package var dropped: [Int64]

    package init(kept: Int64, dropped: [Int64]) {
        self.kept = kept
        self.dropped = dropped
    }
}

/// Outcome of an entry, with row ids.
package enum EntryPlace: Sendable, Hashable {
    case stored(Int64)
    /// It was joined to another one, which is stored.
    case joined(into: Int64)
    /// There is no such entry, or not any more.
    case none
}

/// Joins entries of one book, in one transaction (``JoinedEntry``). Their works become one, and later imports leave the
/// joined values and the removed entries alone.
extension ResultsStore {
    /// - Parameters:
    ///   - joins: No entry is in two of them.
    ///   - request: Job, library and note; without changes of fields.
    package func join(_ joins: [EntryJoin], _ request: EditRequest) throws(ETLError) -> Job {
        try change { (keys) throws(ETLError) in
            var options = JobOptions.none
            options.edit = request.note
            let job = try jobTable.createChange(
                request.name, pipeline: request.pipeline, options, library: request.library,
                now: clock.epochMilliseconds())
            try unite(joins, in: job, keys)
            return job
        }
    }

    /// Joins entries at the end of the running job, as a part of it, and notes how many. What takes the job back takes
    /// this back, too. Nothing can be written after it.
    ///
    /// - Parameter joins: No entry is in two of them; may be empty.
    package func join(_ joins: [EntryJoin]) throws(ETLError) {
        guard let job = current?.job else { return }
        let count = joins.reduce(0) { $0 + $1.dropped.count }
        // A run that joins nothing leaves what an earlier one has joined.
        guard count > 0 else { return try changeRunState { $0.joined = $0.joined ?? 0 } }
        try change { (keys) throws(ETLError) in
            try unite(joins, in: job, keys)
            try changeRunState { $0.joined = ($0.joined ?? 0) + count }
        }
        // What follows in the run is journaled again.
        try take(job)
    }

    private func unite(_ joins: [EntryJoin], in job: Job, _ keys: ReversedKeys) throws(ETLError) {
        let history = try RunHistory(connection)
        try inRun(of: job) { () throws(ETLError) in
            let now = clock.epochMilliseconds()
            let merge = try BookMerge(tables, now: now)
            defer { merge.end() }
            let editor = try BookEditor(tables, now: now)
            for join in joins { try unite(join, merge, editor) }
            let removal = LibraryRemoval(ofEntries: joins.flatMap(\.dropped), history, in: connection)
            try removal.gather()
            let areKeysCurrent = try apply(removal, keys)
            try note(joins)
            try removal.rows.finish()
            return areKeysCurrent
        }
    }

    /// Notes which entry each removed one was joined to (``JoinedFormats``).
    private func note(_ joins: [EntryJoin]) throws(ETLError) {
        let update = try connection.prepare(
            "\(JournaledTable.update) removed_entries SET joined_into = ?2 WHERE id = ?1")
        for join in joins {
            for dropped in join.dropped {
                try update.run(dropped, join.kept)
            }
        }
    }

    /// Outcome of entries.
    package func places(_ names: [EntryName]) throws(ETLError) -> [EntryPlace] {
        let rows = try entries(names)
        var places: [EntryPlace] = []
        for row in rows {
            places.append(try row.map { (row) throws(ETLError) in try place(row) } ?? .none)
        }
        return places
    }

    private func place(_ row: Int64) throws(ETLError) -> EntryPlace {
        if try connection.integer("SELECT 1 FROM entries WHERE id = ?1", row) != nil { return .stored(row) }
        // The entry that stayed can be joined to another one later.
        let stayed = try connection.integer(
            """
            WITH RECURSIVE later(id) AS (
                SELECT joined_into FROM removed_entries WHERE id = ?1
                UNION SELECT r.joined_into FROM removed_entries r JOIN later l ON r.id = l.id)
            SELECT l.id FROM later l JOIN entries e ON e.id = l.id
            """, row)
        return stayed.map { .joined(into: $0) } ?? .none
    }

    private func unite(
        _ join: EntryJoin, _ merge: BookMerge, _ editor: BookEditor
    ) throws(ETLError) {
        let work = try work(of: join.kept)
        var others: [Int64] = []
        for dropped in join.dropped {
            let other = try self.work(of: dropped)
            if other != work, !others.contains(other) { others.append(other) }
        }
        if !others.isEmpty { try merge.merge(others, into: work) }
        guard let before = try joinedEntry(join.kept) else { return }
        var after = before
        for dropped in join.dropped { if let other = try joinedEntry(dropped) { after.add(other) } }
        let (old, new) = (before.values, after.values)
        let changes = EditableField.allCases.compactMap { field -> EditRequest.Change? in
            // All dates stay if one of them is the user's, also in later imports.
            let isOfReadings = field == .dateRead || field == .dateStarted
            guard let value = new[field],
                value != old[field] || isOfReadings && before.readings != after.readings
            else { return nil }
            return .init(field, ofRow: join.kept, .set(value.isEmpty ? [] : [value]))
        }
        try editor.apply(changes)
        let list = StoredList.stored(after.readings.earlier.map(\.text))
        try connection.execute(
            "UPDATE entries SET earlier_readings = ?2 WHERE id = ?1", join.kept,
            after.readings.earlier.isEmpty ? nil : list)
    }

    private func work(of entry: Int64) throws(ETLError) -> Int64 {
        try connection.integer(
            "SELECT d.work FROM entries e JOIN editions d ON d.id = e.edition WHERE e.id = ?1", entry) ?? 0
    }

    private func joinedEntry(_ id: Int64) throws(ETLError) -> JoinedEntry? {
        let read = try connection.query(
            """
            SELECT y.format, e.rating, e.shelf, e.shelves, e.date_started, e.date_read, e.earlier_readings,
                e.date_added, e.read_count, e.owned_copies, e.review, e.notes,
                EXISTS (SELECT 1 FROM edits WHERE id = \(EditIDs.id(row: "e.id", .rating))),
                EXISTS (SELECT 1 FROM edits WHERE id = \(EditIDs.id(row: "e.id", .shelf))),
                \(EditableField.copyDetails.compactMap(\.column).map { "e.\($0)" }.joined(separator: ", "))
            FROM entries e JOIN layouts y ON y.id = e.layout WHERE e.id = ?1
            """, id)
        defer { read.reset() }
        guard try read.next() else { return nil }
        var entry = JoinedEntry(source: read.string(0))
        entry.rating = read.isNull(1) ? nil : read.double(1)
        entry.shelf = read.optionalString(2) ?? ""
        entry.shelves = read.optionalString(3) ?? ""
        entry.readings = StoredReadings(
            started: read.optionalString(4) ?? "", finished: read.optionalString(5) ?? "",
            earlier: read.optionalString(6).map { StoredList.strings($0) } ?? [])
        entry.dateAdded = read.optionalString(7) ?? ""
        entry.readCount = read.optionalInteger(8).map { Int($0) }
        entry.ownedCopies = read.optionalInteger(9).map { Int($0) }
        entry.review = read.optionalString(10) ?? ""
        entry.notes = read.optionalString(11) ?? ""
        entry.isRatingSet = read.integer(12) != 0
        entry.isShelfSet = read.integer(13) != 0
        for (index, field) in EditableField.copyDetails.enumerated() {
            entry.details[field] = read.optionalString(Int32(14 + index))
        }
        return entry
    }
}

extension JoinedEntry {
    /// The values as the fields of an entry store them; empty for none.
    fileprivate var values: [EditableField: String] {
        [
            .rating: rating.map(LibraryEntry.spelled) ?? "", .shelf: shelf,
            .shelves: shelves, .dateStarted: readings.started, .dateRead: readings.finished,
            .dateAdded: dateAdded, .readCount: readCount.map(String.init) ?? "",
            .ownedCopies: ownedCopies.map(String.init) ?? "", .review: review, .notes: notes,
        ].merging(details) { first, _ in first }
    }
}
