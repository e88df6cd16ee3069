import Database
import Store
import System

/// Joining entries of one book at the end of an import: `--join`.
///
/// It is the last change of a job. Its transaction also stores how many entries were joined. A killed job is unfinished:
/// its next run joins the entries only if that number is missing. If the job is rolled back to be run again with more
/// answers, the entries are separate again, and are joined at the end of that run.
extension ImportRun {
    /// Joins certain duplicates.
    ///
    /// - Returns: The number of groups that are left to look at.
    func joinDuplicates(_ resources: RunResources) async throws(ETLError) -> Int {
        let (store, library) = (resources.store, resources.request.library)
        let found = try await store.read { (connection) throws(ETLError) in
            try DuplicateList(connection, of: library, includesSimilar: true)
        }
        // A killed run has joined everything, and only its end was not stored. Corrected rows come after the end.
        let isJoined = try await store.storedJob()?.runState.joined != nil
        guard !isJoined || resources.request.corrected != nil else { return found.groups.count }
        try await store.join(found.joins)
        guard !found.joins.isEmpty else { return found.groups.count }
        // A pair of similar books can be one less now, if one of them was joined.
        return try await store.read { (connection) throws(ETLError) in
            try DuplicateList(connection, of: library, includesSimilar: true).groups.count
        }
    }
}
