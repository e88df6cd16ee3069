import Books
package import Contract
package import Database
import Sources
package import Store
package import System

/// Computes the counts behind the data-quality figures of a job: the works and authors that its records lead
/// to, whichever job stored them first.
///
/// If the job leads to much of the store, because no other job stored anything or it was imported again, each
/// table is read once: about a second for a million works. Otherwise each record is followed to its work,
/// which takes about five times as long per work.
package struct QualityMetrics {
    private let connection: Connection

    /// - Parameter connection: A store opened for reading.
    package init(_ connection: Connection) { self.connection = connection }

    /// The counts of a job.
    package func counts(of job: Job) throws(ETLError) -> QualityCounts {
        try connection.snapshot { () throws(ETLError) -> QualityCounts in
            if try isAlone(job) { return try counts(job) { _ in true } }
            let largest = try connection.number("SELECT max(id) FROM works")
            let works = try works(of: job)
            guard Int64(works.count) >= largest / Self.fewest else {
                return try counts(job, following: works)
            }
            return try counts(job) { works.contains($0) }
        }
    }

    /// Whether no other job stored anything.
    private func isAlone(_ job: Job) throws(ETLError) -> Bool {
        try connection.number(
            "SELECT count(*) FROM jobs WHERE id <> ?1 AND created + updated + duplicates > 0", job.id) == 0
    }

    /// If at least one in this many works belongs to the job, reading the whole tables is cheaper.
    private static let fewest: Int64 = 4

    /// The works that a job's records lead to.
    private func works(of job: Job) throws(ETLError) -> RowSet {
        var reached = RowSet()
        let place = try connection.query(
            "SELECT d.work FROM entries e CROSS JOIN editions d ON d.id = e.edition WHERE e.id = ?1")
        var records = try RecordsOfJob(job, in: connection)
        while let record = try records.next() {
            place.bind(1, record.entry)
            while try place.next() { reached.insert(place.integer(0)) }
        }
        return reached
    }

    // MARK: A pass over each table

    private func counts(
        _ job: Job, ofWorksThat isIncluded: (Int64) -> Bool
    ) throws(ETLError) -> QualityCounts {
        var counts = start(job)
        var covered = RowSet()
        // A cover of any edition counts.
        let editions = try connection.query("SELECT work FROM editions WHERE cover IS NOT NULL")
        while try editions.next() { covered.insert(editions.integer(0)) }
        let works = try connection.query("SELECT id, quality, cover IS NOT NULL FROM works")
        while try works.next() {
            guard isIncluded(works.integer(0)) else { continue }
            let hasCover = works.integer(2) != 0 || covered.contains(works.integer(0))
            count(quality: works.integer(1), hasCover: hasCover, &counts)
        }
        var people = RowSet()
        let contributors = try connection.query(
            "SELECT \(ContributorIDs.work()), author FROM contributors WHERE \(Self.isAuthor)")
        while try contributors.next() {
            if isIncluded(contributors.integer(0)) { people.insert(contributors.integer(1)) }
        }
        let authors = try connection.query("SELECT id, gender <> 0 OR region IS NOT NULL FROM authors")
        while try authors.next() {
            if people.contains(authors.integer(0)) { count(isEnriched: authors.integer(1) != 0, &counts) }
        }
        return counts
    }

    // MARK: Work by work

    private func counts(_ job: Job, following reached: RowSet) throws(ETLError) -> QualityCounts {
        var counts = start(job)
        var people = RowSet()
        let work = try connection.query(
            """
            SELECT quality, cover IS NOT NULL
                OR EXISTS (SELECT 1 FROM editions WHERE \(EditionsOfWork.condition(work: "?1"))
                    AND cover IS NOT NULL)
            FROM works WHERE id = ?1
            """)
        let contributors = try connection.query(
            "SELECT author FROM contributors WHERE \(ContributorIDs.condition(work: "?1")) AND \(Self.isAuthor)"
        )
        try reached.visit { id throws(ETLError) in
            work.bind(1, id)
            while try work.next() { count(quality: work.integer(0), hasCover: work.integer(1) != 0, &counts) }
            contributors.bind(1, id)
            while try contributors.next() { people.insert(contributors.integer(0)) }
        }
        let author = try connection.query(
            "SELECT gender <> 0 OR region IS NOT NULL FROM authors WHERE id = ?1")
        try people.visit { id throws(ETLError) in
            author.bind(1, id)
            while try author.next() { count(isEnriched: author.integer(0) != 0, &counts) }
        }
        return counts
    }

    // MARK: Counting

    /// Translators, illustrators and people with no stated role are not authors.
    private static let isAuthor = "role = \(ContributorRole.author.rawValue)"

    /// The targets for which a job has asked neither a catalog nor a service. All count for a job
    /// that could ask none, such as an edit.
    static func notLookedUp(by job: Job) -> Set<QualityTarget> {
        guard let services = job.runState.services else { return [] }
        let catalogs = job.runState.catalogs ?? []
        let asked = ServiceDefinition.all.filter { services.contains($0.name) }
        guard !catalogs.isEmpty || asked.contains(where: \.isOfBooks) else {
            return Set(QualityTarget.allCases)
        }
        let hasPeople = catalogs.contains { $0.hasPeople ?? true } || asked.contains { !$0.isOfBooks }
        return hasPeople ? [] : [.authorEnrichment]
    }

    private func start(_ job: Job) -> QualityCounts {
        var counts = QualityCounts()
        counts.recordsWithISBN = job.recordsWithISBN
        counts.recordsMatched = job.recordsMatched
        counts.notLookedUp = Self.notLookedUp(by: job)
        return counts
    }

    private func count(quality: Int64, hasCover: Bool, _ counts: inout QualityCounts) {
        counts.works += 1
        // A stored value outside the scale is damage; clamped, it cannot overflow the sum.
        counts.qualityPoints += Int(min(max(quality, 0), 100))
        if hasCover { counts.worksWithCover += 1 }
    }

    private func count(isEnriched: Bool, _ counts: inout QualityCounts) {
        counts.authors += 1
        if isEnriched { counts.authorsEnriched += 1 }
    }
}
