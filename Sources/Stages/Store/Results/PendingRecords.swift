package import Books
package import Database
package import System

/// The place of a record in a job's input.
package struct RecordPlace: Sendable, Hashable {
    /// Index of the file among the job's inputs, from 0.
    package var file: Int
    /// Number of the record in its file, from 1. The header counts.
    package var row: Int

    package init(file: Int, row: Int) {
        self.file = file
        self.row = row
    }
}

/// The records of a job that still wait for answers of services.
package struct PendingRecords {
    private let connection: Connection

    package init(_ connection: Connection) { self.connection = connection }

    /// How many of a job's records are pending.
    func count(ofJob job: Int64) throws(ETLError) -> Int {
        Int(try connection.integer("SELECT count(*) FROM pending WHERE job = ?1", job) ?? 0)
    }

    /// The pending records of a file in a range of rows.
    func rows(ofJob job: Int64, file: Int, in range: ClosedRange<Int>) throws(ETLError) -> Set<Int> {
        let read = try connection.query(
            "SELECT row FROM pending WHERE job = ?1 AND file = ?2 AND row BETWEEN ?3 AND ?4", job, file,
            range.lowerBound, range.upperBound)
        var rows: Set<Int> = []
        while try read.next() { rows.insert(Int(read.integer(0))) }
        return rows
    }

    /// How many records wait for a service, and why.
    package struct Counts: Sendable, Hashable {
        package var service: String
        /// Number of records that wait for it. Each counts once.
        package var records = 0
        /// Number of records for each reason, as stored: `timeout`. A record can have several.
        package var reasons: [String: Int] = [:]

        package init(service: String) { self.service = service }
    }

    /// How many records of a job wait for each service, by name.
    package func counts(ofJob job: Int64) throws(ETLError) -> [Counts] {
        // There are few different combinations of reasons.
        let read = try connection.query(
            "SELECT reasons, count(*) FROM pending WHERE job = ?1 GROUP BY reasons", job)
        var counts: [String: Counts] = [:]
        while try read.next() {
            let count = Int(read.integer(1))
            let reasons = Self.reasons(read.string(0))
            for service in Set(reasons.map(\.service)) {
                counts[service, default: Counts(service: service)].records += count
            }
            for reason in reasons {
                counts[reason.service]?.reasons[reason.outcome, default: 0] += count
            }
        }
        return counts.values.sorted { $0.service < $1.service }
    }

    /// Why a record is pending: each service that it waits for, with the reason; empty if it is not pending.
    package func reasons(
        ofRow row: Int, file: Int, job: Int64
    ) throws(ETLError) -> [(service: String, outcome: String)] {
        guard
            let read = try connection.row(
                "SELECT reasons FROM pending WHERE job = ?1 AND file = ?2 AND row = ?3", job, file, row)
        else { return [] }
        return Self.reasons(read.string(0))
    }

    /// The parts of stored reasons: `google-books:quota,openlibrary:timeout`.
    private static func reasons(_ stored: String) -> [(service: String, outcome: String)] {
        stored.split(separator: ",").map { reason in
            let parts = reason.split(separator: ":", maxSplits: 1).map(String.init)
            return (parts.first ?? "", parts.count > 1 ? parts[1] : "")
        }
    }

    /// Records which of a batch's records are pending, in the batch's transaction.
    static func note(_ rows: [PreparedRow], ofJob job: Int64, in connection: Connection)
        throws(ETLError)
    {
        let records = rows.compactMap { PendingRecord($0) }
        guard !records.isEmpty else { return }
        let insert = try connection.prepare(
            "INSERT OR REPLACE INTO pending(job, file, row, reasons) VALUES (?1,?2,?3,?4)")
        for record in records {
            try insert.run(
                job, record.place.file, record.place.row, record.reasons.sorted().joined(separator: ","))
        }
    }

    /// Updates the reasons of pending records that were asked about again. Other records do not become
    /// pending.
    func renew(_ records: [PendingRecord], ofJob job: Int64) throws(ETLError) {
        let read = try connection.prepare(
            "SELECT reasons FROM pending WHERE job = ?1 AND file = ?2 AND row = ?3")
        var changed: [(place: RecordPlace, reasons: String)] = []
        for record in records {
            read.bind(values: job, record.place.file, record.place.row)
            while try read.next() {
                let before = Set(read.string(0).split(separator: ",").map(String.init))
                let reasons = record.reasons(after: before)
                guard reasons != before else { continue }
                changed.append((record.place, reasons.sorted().joined(separator: ",")))
            }
        }
        guard !changed.isEmpty else { return }
        try connection.transaction { () throws(ETLError) in
            let update = try connection.prepare(
                "UPDATE pending SET reasons = ?4 WHERE job = ?1 AND file = ?2 AND row = ?3")
            for (place, reasons) in changed {
                try update.run(job, place.file, place.row, reasons)
            }
        }
    }
}

/// A record with unanswered queries.
package struct PendingRecord: Sendable {
    var place: RecordPlace
    /// The unanswered queries: the service and the outcome of each.
    package var unanswered: [UnansweredQuery]

    /// The reasons as stored.
    var reasons: Set<String> { Set(unanswered.map(Self.reason)) }

    /// The reasons after asking again. New outcomes replace earlier ones of the same service. Services not
    /// asked this time keep their reason, and so does a decision to be applied.
    func reasons(after before: Set<String>) -> Set<String> {
        func known(of service: String) -> Set<String> { before.filter { $0.hasPrefix("\(service):") } }
        var reasons = known(of: Reviews.pendingService)
        for (service, answers) in Dictionary(grouping: unanswered, by: \.service) {
            let waited = answers.filter { $0.outcome != .skipped && $0.outcome != .stopped }
            reasons.formUnion(waited.isEmpty ? known(of: service) : Set(waited.map(Self.reason)))
        }
        return reasons.isEmpty ? self.reasons : reasons
    }

    private static func reason(_ answer: UnansweredQuery) -> String {
        "\(answer.service):\(answer.outcome.name)"
    }
}

extension PendingRecord {
    /// nil if all services have answered.
    package init?(_ prepared: PreparedRow) {
        guard !prepared.unanswered.isEmpty else { return nil }
        self.init(
            place: RecordPlace(file: prepared.position.file, row: prepared.position.record),
            unanswered: prepared.unanswered)
    }
}
