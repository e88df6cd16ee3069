import Database
import System

/// Rows whose values later rows of the same import replaced, because both are about one entry.
///
/// When the file is read again, such a row adds nothing new, although it differs from what is stored.
struct SupersededRows {
    /// The number of rows that are remembered for an entry. A file in which more rows share an id reports
    /// them as updates each time it is read.
    static let mostPerEntry = 64

    static let tables = """
        -- The hashes (entries.content_hash) of an entry's rows that a later row of the same job replaced.
        CREATE TABLE superseded_rows(entry INTEGER PRIMARY KEY, content_hashes TEXT NOT NULL);
        """

    private let hasAny: Bool
    private let read: Statement
    private let upsert: Statement

    init(_ connection: Connection) throws(ETLError) {
        hasAny = try connection.integer("SELECT 1 FROM superseded_rows LIMIT 1") != nil
        read = try connection.prepare(
            "SELECT 1 FROM superseded_rows, json_each(content_hashes) WHERE entry = ?1 AND value = ?2")
        // The latest ones are kept.
        upsert = try connection.prepare(
            """
            INSERT INTO superseded_rows VALUES (?1, json_array(?2)) ON CONFLICT(entry) DO UPDATE SET content_hashes =
                iif(json_array_length(content_hashes) < \(Self.mostPerEntry), json_insert(content_hashes, '$[#]', ?2),
                    json_insert(json_remove(content_hashes, '$[0]'), '$[#]', ?2))
            """)
    }

    /// Whether a later row replaced a row with this hash in an earlier job.
    func contains(_ contentHash: Int64, of entry: Int64) throws(ETLError) -> Bool {
        guard hasAny else { return false }
        read.bind(1, entry)
        read.bind(2, contentHash)
        defer { read.reset() }
        return try read.next()
    }

    /// Notes that a row of the job replaces an earlier one.
    func note(_ contentHash: Int64, of entry: Int64) throws(ETLError) {
        upsert.bind(1, entry)
        upsert.bind(2, contentHash)
        try upsert.run()
    }
}
