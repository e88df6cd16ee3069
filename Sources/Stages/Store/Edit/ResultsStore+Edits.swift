import Bytes
import Database
package import System

/// Changes that the user asks for. Each is a job of its own, in one transaction.
extension ResultsStore {
    /// Sets, locks or unlocks fields.
    ///
    /// - Throws: `.usage` if the name of the job is taken.
    package func edit(_ request: EditRequest) throws(ETLError) -> EditOutcome {
        try change { (_) throws(ETLError) in
            var outcome = EditOutcome()
            let planner = try BookEditor(tables, now: clock.epochMilliseconds())
            var planned: [EditRequest.Change] = []
            for change in request.changes {
                guard let field = try planner.plan(change) else { continue }
                outcome.fields.append(field)
                planned.append(change)
            }
            guard !request.isDryRun, !planned.isEmpty else { return outcome }
            var options = JobOptions.none
            options.edit = request.note
            options.edit?.fields = planned.count
            options.edit?.names = planned.map(\.field.name).deduplicated
            let job = try jobTable.createChange(
                request.name, pipeline: request.pipeline, options, library: request.library,
                now: clock.epochMilliseconds())
            try inRun(of: job) { () throws(ETLError) in
                let editor = try BookEditor(tables, now: clock.epochMilliseconds())
                try editor.apply(planned)
                return true
            }
            outcome.job = job
            return outcome
        }
    }

    /// The row ids of entries, nil for those that there are not. Removed entries are found, too.
    package func entries(_ names: [EntryName]) throws(ETLError) -> [Int64?] {
        var rows: [Int64?] = []
        for name in names {
            let prefix = KeyComposer.entryPrefix(library: name.library, formatName: name.formatName)
            let key = Array(name.sourceID.utf8).withUnsafeBytes {
                KeyComposer.entryKey(prefix: prefix, sourceID: $0)
            }
            rows.append(try tables.indexes.entries.place(of: key).row)
        }
        return rows
    }

    /// Combines works.
    ///
    /// - Parameters:
    ///   - works: Row ids of works that become part of another one.
    ///   - survivor: The row id of the other one.
    ///   - request: Job, library and note; without changes of fields.
    package func merge(
        _ works: [Int64], into survivor: Int64, _ request: EditRequest
    ) throws(ETLError) -> Job {
        try changeWorks(request) { (merge) throws(ETLError) in try merge.merge(works, into: survivor) }
    }

    /// Takes editions out of a work, as the editions of a new one.
    ///
    /// - Parameters:
    ///   - editions: Row ids of some, not all, editions of the work.
    ///   - work: Its row id.
    ///   - title: The title of the new work, if the first edition has none; nil for that of the old work.
    ///   - request: Job, library and note; without changes of fields.
    package func split(
        _ editions: [Int64], from work: Int64, title: String?, _ request: EditRequest
    ) throws(ETLError) -> Job {
        try changeWorks(request) { (merge) throws(ETLError) in
            let first = editions.first ?? 0
            let key = try connection.string("SELECT key FROM editions WHERE id = ?1", first) ?? ""
            try merge.split(
                editions, from: work, key: PublicKey.ofWork(like: key, in: connection), title: title)
        }
    }

    private func changeWorks(
        _ request: EditRequest, _ body: (BookMerge) throws(ETLError) -> Void
    ) throws(ETLError) -> Job {
        try change { (_) throws(ETLError) in
            var options = JobOptions.none
            options.edit = request.note
            let job = try jobTable.createChange(
                request.name, pipeline: request.pipeline, options, library: request.library,
                now: clock.epochMilliseconds())
            try inRun(of: job) { () throws(ETLError) in
                let merge = try BookMerge(tables, now: clock.epochMilliseconds())
                defer { merge.end() }
                try body(merge)
                return true
            }
            return job
        }
    }

    /// Removes entries and what only they use. Later imports leave them out.
    ///
    /// - Parameters:
    ///   - entries: Row ids.
    ///   - library: The library of the job.
    ///   - name: The name of the removal's own job.
    ///   - note: Note in the list of jobs.
    ///   - isDryRun: Whether to find out what would happen and change nothing.
    package func remove(
        entries: [Int64], library: String, as name: String, note: EditNote, isDryRun: Bool = false
    ) throws(ETLError) -> LibraryChange {
        try change { (keys) throws(ETLError) in
            let removal = LibraryRemoval(
                ofEntries: entries,
                try RunHistory(connection),
                in: connection)
            var options = JobOptions.none
            options.edit = note
            return try remove(
                removal, as: name, pipeline: Job.removePipeline, options, library: library, isDryRun: isDryRun
            ) { () throws(ETLError) in try apply(removal, keys) }
        }
    }

    /// Removes entries and keeps their keys.
    ///
    /// - Parameter sourceID: An SQL expression for what is kept as the source id of an entry: `source_id`, so that later
    ///   imports leave it out, or something that no source has.
    func apply(
        _ removal: LibraryRemoval, _ keys: ReversedKeys, keeping sourceID: String = "source_id"
    ) throws(ETLError) -> Bool {
        let removed = "SELECT id FROM \(PlannedRows.gone(.entries))"
        try connection.execute(
            """
            INSERT INTO removed_entries(id, library, layout, source_id)
                SELECT id, library, layout, \(sourceID) FROM entries WHERE id IN (\(removed))
            """)
        let areKeysCurrent = try keys.apply(removal.rows, hasOthers: true)
        guard areKeysCurrent else { return false }
        let rows = "(SELECT * FROM removed_entries WHERE id IN (\(removed)))"
        try StoredKeys(connection: connection, keyspaces: tables.indexes.keyspaces).visit(
            .removedEntries, from: rows
        ) { (key, row) throws(ETLError) in
            try tables.indexes.change(key, of: row)
        }
        return true
    }
}
