package import Pipeline

/// The answers of services that a store keeps: by service and key, each with the version of what reads it.
final class AnswerTable {
    private let read: Statement
    private let write: Statement
    private let connection: Connection

    init(_ connection: Connection) throws(SQLiteError) {
        self.connection = connection
        read = try connection.prepare(
            "SELECT fetched_at, body, wrongs FROM answers WHERE service = ?1 AND key = ?2 AND version = ?3")
        write = try connection.prepare(
            """
            INSERT OR REPLACE INTO answers(service, key, version, fetched_at, body, wrongs)
            VALUES (?1,?2,?3,?4,?5,?6)
            """)
    }

    func answers(
        of service: String, version: Int, _ keys: [ServiceKey]
    ) throws(SQLiteError) -> [ServiceKey: KeptAnswer] {
        var kept: [ServiceKey: KeptAnswer] = [:]
        for key in keys {
            read.bind(1, service)
            read.bind(2, key.stored)
            read.bind(3, version)
            guard try read.step() else { continue }
            defer { read.reset() }
            let fetchedAt = read.integer(0)
            if read.isNull(1) {
                kept[key] = KeptAnswer(body: nil, fetchedAt: fetchedAt, wrongs: Int(read.integer(2)))
            } else if let body = Deflated.unpack(read.bytes(1)) {
                kept[key] = KeptAnswer(body: body, fetchedAt: fetchedAt, wrongs: Int(read.integer(2)))
            }
        }
        return kept
    }

    func keep(_ answers: [NewAnswer], of service: String, version: Int) throws(SQLiteError) {
        try connection.transaction { () throws(SQLiteError) in
            for answer in answers {
                write.bind(1, service)
                write.bind(2, answer.key.stored)
                write.bind(3, version)
                write.bind(4, answer.kept.fetchedAt)
                if let body = answer.kept.body {
                    write.bind(5, blob: Deflated.pack(body))
                } else {
                    write.bindNull(5)
                }
                write.bind(6, answer.kept.wrongs)
                try write.run()
            }
        }
    }
}

extension ResultsStore: AnswerCache {
    package func keptAnswers(
        of service: String, version: Int, _ keys: [ServiceKey]
    ) throws(StageFailure) -> [ServiceKey: KeptAnswer] {
        do { return try answers.answers(of: service, version: version, keys) } catch { throw error.failure }
    }

    package func keep(
        _ new: [NewAnswer], of service: String, version: Int
    ) throws(StageFailure) {
        do { try answers.keep(new, of: service, version: version) } catch { throw error.failure }
    }
}
