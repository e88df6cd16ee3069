import Database

/// Which exports are older than others (contract.md section 5a).
extension JobTable {
    /// The export that an order's is older than: its newest date is before that of the last import of its format. Of an
    /// order of several formats it is enough that one of them is older; each is compared with its own.
    ///
    /// - Returns: Nil for the newest one, which brings entries up to date; any other only fills gaps.
    func newerExport(than order: JobRequest, library: Int64, now: Int64) throws(SQLiteError) -> NewerExport? {
        guard !order.replaces else { return nil }
        let tomorrow = CalendarDate.tomorrow(of: now).map { Int64($0.value) } ?? .max
        let dates: [(profile: String?, newest: Int64)] =
            if let several = order.terms?.newestDates {
                several.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
            } else {
                order.newestDate.map { [(order.profile, $0)] } ?? []
            }
        // A file is no older than itself, whatever its dates were taken for when it was read before.
        let itself = Set(order.terms?.readBefore ?? [])
        for (profile, own) in dates {
            let last = try newestDate(ofLast: profile, but: itself, library: library, until: tomorrow)
            if let last, own < last {
                return NewerExport(profile: profile, own: own, newest: last)
            }
        }
        return nil
    }

    /// The newest date of the last import of a format. It is the last that brought entries up to date: one that filled
    /// gaps says nothing of how new they are. A date to come, which earlier versions took from a slip of the pen, says
    /// nothing either. Of jobs that have read the same files the last one tells how they are to be read.
    ///
    /// - Parameters:
    ///   - profile: Nil for any: an earlier version did not note the dates of several formats one by one.
    ///   - passedOver: Jobs that say nothing.
    private func newestDate(
        ofLast profile: String?, but passedOver: Set<Int64>, library: Int64, until tomorrow: Int64
    ) throws(SQLiteError) -> Int64? {
        let jobs = try connection.prepare(
            """
            SELECT newest_date, profile, terms, id, mode = 'update' FROM jobs
            WHERE library = ?1 AND (profile IS ?2 OR profile IS NULL OR ?2 IS NULL) AND newest_date IS NOT NULL
            AND created + updated + duplicates > 0 ORDER BY id DESC
            """)
        jobs.bind(1, library)
        jobs.bind(2, profile)
        var passedOver = passedOver
        while try jobs.step() {
            let terms = jobs.optionalString(2).flatMap { JobOptions(json: $0) }
            let saysNothing = passedOver.contains(jobs.integer(3))
            passedOver.formUnion(terms?.readBefore ?? [])
            if saysNothing || jobs.integer(4) == 0 { continue }
            var date: Int64? = jobs.integer(0)
            if let profile, jobs.isNull(1), let several = terms?.newestDates { date = several[profile] }
            if let date, date <= tomorrow { return date }
        }
        return nil
    }
}
