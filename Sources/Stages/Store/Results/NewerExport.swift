import Books
import Database
import System

/// The earlier import that is newer than an export: the newest dates of both, as `yyyymmdd`.
package struct NewerExport: Sendable, Hashable, Codable {
    /// Their common format.
    package var formatName: String
    /// The older export's newest date.
    package var own: Int64
    /// The newer import's newest date.
    package var newest: Int64
}

/// Which exports are older than others.
extension JobTable {
    /// The import that is newer than a request's export: the last import of its format has a newer date. With
    /// several formats, each is compared with its own, and one that is older is enough.
    ///
    /// - Returns: nil for the newest export, which updates entries. Any other only fills gaps.
    func newerExport(than request: JobRequest, library: Int64, now: Int64) throws(ETLError)
        -> NewerExport?
    {
        guard !request.replaces else { return nil }
        let tomorrow = CalendarDate.tomorrow(of: now).map { Int64($0.value) } ?? .max
        var dates = request.options?.newestDates ?? [:]
        if let formatName = request.formatName { dates[formatName] = request.newestDate }
        // A file is not older than itself, however its dates were read before.
        let itself = Set(request.options?.readBefore ?? [])
        for (formatName, own) in dates.sorted(by: { $0.key < $1.key }) {
            let last = try newestDate(ofLast: formatName, but: itself, library: library, until: tomorrow)
            if let last, own < last {
                return NewerExport(formatName: formatName, own: own, newest: last)
            }
        }
        return nil
    }

    /// The newest date of the last import of a format. Only imports that updated entries count: one that
    /// filled gaps does not date the entries. Dates after `tomorrow` do not count either. Of several jobs that
    /// read the same files, only the last one counts.
    ///
    /// - Parameter ignored: Jobs that do not count.
    private func newestDate(
        ofLast formatName: String, but ignored: Set<Int64>, library: Int64, until tomorrow: Int64
    ) throws(ETLError) -> Int64? {
        // Exports of one program describe the same entries, whatever their syntax.
        let sibling = KeyComposer.siblings[formatName] ?? formatName
        let jobs = try connection.query(
            """
            SELECT newest_date, format, options, id, mode = 'update' FROM jobs
            WHERE library = ?1 AND (format IN (?2, ?3) OR format IS NULL)
            AND newest_date IS NOT NULL
            AND created + updated + duplicates > 0 AND undone_by IS NULL ORDER BY id DESC
            """, library, formatName, sibling)
        var ignored = ignored
        while try jobs.next() {
            let options = jobs.optionalString(2).flatMap { JobOptions(json: $0) }
            let isIgnored = ignored.contains(jobs.integer(3))
            ignored.formUnion(options?.readBefore ?? [])
            if isIgnored || jobs.integer(4) == 0 { continue }
            // A job with files of several formats.
            let several = jobs.isNull(1) ? options?.newestDates ?? [:] : [formatName: jobs.integer(0)]
            if let date = several[formatName] ?? several[sibling], date <= tomorrow { return date }
        }
        return nil
    }
}
