import Database
import Services
import Syntax
import System

/// The cached answers of a store, by service and key. Each has the version of the service that reads it, and
/// its decoded form if there is one.
final class AnswerTable {
    private let read: Statement
    private let write: Statement
    private let renew: Statement
    private let connection: Connection

    /// - Parameter table: Its name; that of the store unless the connection is to another database.
    init(_ connection: Connection, table: String = "answers") throws(ETLError) {
        self.connection = connection
        read = try connection.prepare(
            """
            SELECT version, fetched_at, mismatches, decoded_version, decoded, body, etag, modified FROM \(table)
            WHERE service = ?1 AND key = ?2
            """)
        write = try connection.prepare(
            "INSERT OR REPLACE INTO \(table)(\(Self.copied)) VALUES (?1,?2,?3,?4,?5,?6,?7,?8,?9,?10)")
        renew = try connection.prepare(
            "UPDATE \(table) SET mismatches = ?3, fetched_at = ?4 WHERE service = ?1 AND key = ?2")
    }

    /// The columns of the table.
    static let columns = """
        service TEXT NOT NULL,
        key TEXT NOT NULL,
        version INTEGER NOT NULL,
        fetched_at INTEGER NOT NULL,
        body BLOB,
        mismatches INTEGER NOT NULL DEFAULT 0,
        decoded_version INTEGER NOT NULL DEFAULT 0,
        decoded BLOB,
        etag TEXT,
        modified TEXT,
        PRIMARY KEY(service, key)
        """

    /// The columns that a copy of an answer has.
    static let copied =
        "service, key, version, fetched_at, body, mismatches, decoded_version, decoded, etag, modified"

    /// Cached answers for some keys, read in one transaction. Decoded answers share one buffer; bodies are
    /// decompressed only if there is no decoded answer of the current version.
    func answers(in form: AnswerFormat, _ keys: [ServiceKey]) throws(ETLError) -> [CachedAnswer?] {
        var decodedAnswers: [UInt8] = []
        var found: [(cached: CachedAnswer, decoded: Range<Int>?)?] = []
        found.reserveCapacity(keys.count)
        try connection.readTransaction { () throws(ETLError) in
            for key in keys { found.append(try find(key, form, &decodedAnswers)) }
        }
        return found.map { found in
            guard var cached = found?.cached else { return nil }
            if let range = found?.decoded { cached.body?.decoded = decodedAnswers[range] }
            return cached
        }
    }

    private func find(
        _ key: ServiceKey, _ form: AnswerFormat, _ decodedAnswers: inout [UInt8]
    ) throws(ETLError) -> (cached: CachedAnswer, decoded: Range<Int>?)? {
        guard try read.first(form.service, key.stored) else { return nil }
        defer { read.reset() }
        guard read.integer(0) == form.version else { return nil }
        var cached = CachedAnswer(
            body: nil, fetchedAt: read.integer(1), mismatches: Int(read.integer(2)),
            validator: CacheValidator(etag: read.optionalString(6), modified: read.optionalString(7)))
        if read.integer(3) == form.decoderVersion, !read.isNull(4) {
            let start = decodedAnswers.count
            read.withBytes(4) { decodedAnswers.append(contentsOf: $0) }
            cached.body = CachedBody(words: nil)
            return (cached, start..<decodedAnswers.count)
        }
        if !read.isNull(5) {
            guard let words = Deflated.unpack(read.bytes(5)) else { return nil }
            cached.body = CachedBody(words: words)
        }
        return (cached, nil)
    }

    func save(_ answers: [CompressedAnswer], in form: AnswerFormat) throws(ETLError) {
        try connection.transaction { () throws(ETLError) in
            for answer in answers { try save(answer, in: form) }
        }
    }

    private func save(_ answer: CompressedAnswer, in form: AnswerFormat) throws(ETLError) {
        let words: [UInt8]?
        let decoded: ArraySlice<UInt8>?
        switch answer.body {
        case .unchanged:
            return try renew.run(form.service, answer.key, answer.mismatches, answer.fetchedAt)
        case .absent: (words, decoded) = (nil, nil)
        case .packed(let packed, let of): (words, decoded) = (packed, of)
        }
        try write.run(
            form.service, answer.key, form.version, answer.fetchedAt, words, answer.mismatches,
            form.decoderVersion, decoded, answer.validator?.etag, answer.validator?.modified)
    }
}

extension Statement {
    /// Binds a compressed response body; NULL if there is none.
    func bind(_ index: Int32, packed words: [UInt8]?) {
        if let words { bind(index, blob: words) } else { bindNull(index) }
    }

    /// Binds a decoded answer; NULL if there is none.
    func bind(_ index: Int32, decoded: ArraySlice<UInt8>?) {
        if let decoded { bind(index, blob: Array(decoded)) } else { bindNull(index) }
    }
}

/// An answer in the form in which it is stored.
struct CompressedAnswer: Sendable {
    enum Body: Sendable {
        /// The service does not know the key.
        case absent
        /// The response body, compressed (`Deflated`), and the decoded answer.
        case packed([UInt8], decoded: ArraySlice<UInt8>?)
        /// The stored answer stays; only its age and its number of mismatches change.
        case unchanged
    }

    let key: String
    let fetchedAt: Int64
    let mismatches: Int
    let validator: CacheValidator?
    let body: Body

    init(_ new: NewAnswer) {
        key = new.key.stored
        fetchedAt = new.cached.fetchedAt
        mismatches = new.cached.mismatches
        validator = new.cached.validator
        if let cached = new.cached.body {
            body = cached.words.map { .packed(Deflated.pack($0), decoded: cached.decoded) } ?? .unchanged
        } else {
            body = .absent
        }
    }
}
