import Database
package import System

/// Some of a store's jobs, without reading all: a store of many users has tens of thousands.
extension JobTable {
    /// The newest jobs, newest first.
    ///
    /// - Parameters:
    ///   - library: The library whose jobs are wanted; nil for those of all.
    ///   - isLast: Whether no further jobs are needed.
    package func newest(
        ofLibrary library: String? = nil, upTo isLast: (Job) -> Bool
    ) throws(ETLError) -> [Job] {
        try read("\(library == nil ? "" : "WHERE l.name = ?1") ORDER BY j.id DESC", library, upTo: isLast)
    }

    /// Jobs by their row ids, newest first.
    package func jobs(_ ids: Set<Int64>) throws(ETLError) -> [Job] {
        guard !ids.isEmpty else { return [] }
        let list = ids.sorted().map(String.init).joined(separator: ", ")
        return try read("WHERE j.id IN (\(list)) ORDER BY j.id DESC")
    }

    /// The last removal of a library that is in effect; nil if there is none.
    package func lastRemoval(of library: String) throws(ETLError) -> Job? {
        func isWanted(_ job: Job) -> Bool { job.isRemoval && job.undoneBy == nil }
        let condition = "WHERE j.pipeline = '\(Job.forgetPipeline)' AND l.name = ?1 ORDER BY j.id DESC"
        return try read(condition, library, upTo: isWanted).last(where: isWanted)
    }

    /// Those of some jobs whose changes are not known, by their row ids.
    package func unknown(among jobs: [Job]) throws(ETLError) -> Set<Int64> {
        guard !jobs.isEmpty else { return [] }
        let list = jobs.map { "\($0.id)" }.joined(separator: ", ")
        let rows = try connection.prepare(
            "SELECT DISTINCT job FROM runs WHERE first_author IS NULL AND job IN (\(list))")
        var unknown: Set<Int64> = []
        while try rows.next() { unknown.insert(rows.integer(0)) }
        return unknown
    }

    /// What has been imported into a library.
    package struct LibraryUse: Sendable, Hashable {
        /// Bytes of the imported files.
        package var bytes: Int64
        /// When a job wrote last, in milliseconds since 1970.
        package var usedAt: Int64
    }

    /// What has been imported into each library by jobs that are in effect.
    package func uses() throws(ETLError) -> [String: LibraryUse] {
        let rows = try connection.prepare(
            """
            SELECT l.name, max(j.updated_at),
                sum((SELECT sum(json_extract(f.value, '$.size')) FROM json_each(j.inputs) f))
            FROM jobs j JOIN libraries l ON l.id = j.library
            WHERE j.undone_by IS NULL AND j.mode <> '\(Job.Mode.refresh.rawValue)'
                AND (j.pipeline <> '\(Job.forgetPipeline)' OR json_extract(j.options, '$.forgets') IS NULL)
            GROUP BY j.library
            """)
        var uses: [String: LibraryUse] = [:]
        while try rows.next() {
            uses[rows.string(0)] = LibraryUse(bytes: rows.optionalInteger(2) ?? 0, usedAt: rows.integer(1))
        }
        return uses
    }
}
