package import Database
package import Pipeline
import Services

/// Where a record stands in a job's input.
package struct RecordPlace: Sendable, Hashable {
    /// Index of the file among the job's inputs, from 0.
    package var file: Int
    /// Number of the record in its file, from 1; a header is a record.
    package var row: Int

    package init(file: Int, row: Int) {
        self.file = file
        self.row = row
    }
}

/// The records of a job whose services have not answered yet (contract.md section 7).
package struct PendingRecords {
    private let connection: Connection

    package init(_ connection: Connection) { self.connection = connection }

    /// How many of a job's records are pending.
    func count(ofJob job: Int64) throws(SQLiteError) -> Int {
        Int(try connection.integer("SELECT count(*) FROM pending WHERE job = \(job)") ?? 0)
    }

    /// Which of a file's records from one to another are pending.
    func rows(ofJob job: Int64, file: Int, in range: ClosedRange<Int>) throws(SQLiteError) -> Set<Int> {
        let read = try connection.prepare(
            "SELECT row FROM pending WHERE job = ?1 AND file = ?2 AND row BETWEEN ?3 AND ?4")
        read.bind(1, job)
        read.bind(2, file)
        read.bind(3, range.lowerBound)
        read.bind(4, range.upperBound)
        var rows: Set<Int> = []
        while try read.step() { rows.insert(Int(read.integer(0))) }
        return rows
    }

    /// How many records wait for a service for one reason: `openlibrary`, `timeout`, 12.
    package struct Reason: Sendable, Hashable {
        package var service: String
        /// Why the service has not answered, as reports name it.
        package var outcome: String
        package var count: Int

        package init(service: String, outcome: String, count: Int) {
            self.service = service
            self.outcome = outcome
            self.count = count
        }
    }

    /// How many records of a job wait for each service, and for what reason.
    package func reasons(ofJob job: Int64) throws(StageFailure) -> [Reason] {
        do {
            let read = try connection.prepare("SELECT reasons FROM pending WHERE job = ?1")
            read.bind(1, job)
            var counts: [String: Int] = [:]
            while try read.step() {
                for reason in read.string(0).split(separator: ",") { counts[String(reason), default: 0] += 1 }
            }
            return counts.sorted { $0.key < $1.key }.map { reason, count in
                let parts = reason.split(separator: ":").map(String.init)
                return Reason(
                    service: parts.first ?? "", outcome: parts.count > 1 ? parts[1] : "", count: count)
            }
        } catch {
            throw error.failure
        }
    }

    /// Notes those of a batch's records that are pending, in the batch's transaction.
    static func note(_ drafts: [ResultDraft], ofJob job: Int64, in connection: Connection) throws(SQLiteError)
    {
        let records = drafts.compactMap { PendingRecord($0) }
        guard !records.isEmpty else { return }
        let insert = try connection.prepare(
            "INSERT OR REPLACE INTO pending(job, file, row, reasons) VALUES (?1,?2,?3,?4)")
        for record in records {
            insert.bind(1, job)
            insert.bind(2, record.place.file)
            insert.bind(3, record.place.row)
            insert.bind(4, record.reasons.sorted().joined(separator: ","))
            try insert.run()
        }
    }

    /// Notes why pending records wait that were asked for again. No other record begins to wait.
    func renew(_ records: [PendingRecord], ofJob job: Int64) throws(StageFailure) {
        do {
            let read = try connection.prepare(
                "SELECT reasons FROM pending WHERE job = ?1 AND file = ?2 AND row = ?3")
            var changed: [(place: RecordPlace, reasons: String)] = []
            for record in records {
                read.bind(1, job)
                read.bind(2, record.place.file)
                read.bind(3, record.place.row)
                while try read.step() {
                    let before = Set(read.string(0).split(separator: ",").map(String.init))
                    let reasons = record.reasons(after: before)
                    guard reasons != before else { continue }
                    changed.append((record.place, reasons.sorted().joined(separator: ",")))
                }
            }
            guard !changed.isEmpty else { return }
            try connection.transaction { () throws(SQLiteError) in
                let update = try connection.prepare(
                    "UPDATE pending SET reasons = ?4 WHERE job = ?1 AND file = ?2 AND row = ?3")
                for (place, reasons) in changed {
                    update.bind(1, job)
                    update.bind(2, place.file)
                    update.bind(3, place.row)
                    update.bind(4, reasons)
                    try update.run()
                }
            }
        } catch {
            throw error.failure
        }
    }
}

/// A record that was asked for, and is open.
package struct PendingRecord: Sendable {
    var place: RecordPlace
    /// The services that have not answered, and what came in place of an answer.
    package var unanswered: [UnansweredQuery]

    /// What the store says of why it waits.
    var reasons: Set<String> { Set(unanswered.map(Self.reason)) }

    /// The same where it waits already: what came of asking last goes before what came of it earlier. Who was not asked
    /// this time is waited for as before, and what a reader has decided is not forgotten.
    func reasons(after before: Set<String>) -> Set<String> {
        func known(of service: String) -> Set<String> { before.filter { $0.hasPrefix("\(service):") } }
        var reasons = known(of: Reviews.pendingService)
        for (service, answers) in Dictionary(grouping: unanswered, by: \.service) {
            let waited = answers.filter { $0.outcome != .skipped }
            reasons.formUnion(waited.isEmpty ? known(of: service) : Set(waited.map(Self.reason)))
        }
        return reasons.isEmpty ? self.reasons : reasons
    }

    private static func reason(_ answer: UnansweredQuery) -> String {
        "\(answer.service):\(answer.outcome.name)"
    }
}

extension PendingRecord {
    /// nil where all services have answered.
    package init?(_ draft: ResultDraft) {
        guard !draft.unanswered.isEmpty else { return nil }
        self.init(
            place: RecordPlace(file: draft.position.file, row: draft.position.record),
            unanswered: draft.unanswered)
    }
}
