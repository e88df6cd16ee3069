package import Database
package import Services
import Syntax
package import System

/// Writes the cached answers of a store as JSON lines, in the order of their keys. ``AnswerImport`` reads
/// them into another store.
///
///     {"service":"openlibrary","version":1,"key":"isbn:9780441013593","fetchedAt":1763000000000,"body":"{…}"}
///
/// `body` is the service's own response; it is null if the service did not know the key. Answers about
/// another book than the one asked for are not exported.
package struct AnswerExport {
    private let connection: Connection

    package init(_ connection: Connection) { self.connection = connection }

    /// Writes all answers, or those of one service.
    ///
    /// - Returns: The number of answers.
    package func write(service: String?, to sink: ByteSink) throws(ETLError) -> Int {
        var lines = JSONObjects(isArray: false)
        let read = try connection.query(
            """
            SELECT service, version, key, fetched_at, body FROM answers
            WHERE mismatches = 0 AND (?1 IS NULL OR service = ?1) ORDER BY service, key
            """, service)
        while try read.next() {
            var body: [UInt8]?
            if !read.isNull(4) {
                // An answer that cannot be unpacked would not be used either.
                guard let unpacked = Deflated.unpack(read.bytes(4)) else { continue }
                body = unpacked
            }
            let form = AnswerFormat(service: read.string(0), version: Int(read.integer(1)))
            try lines.write(to: sink) { line throws(ETLError) in
                Self.write(read.string(2), form, fetchedAt: read.integer(3), body: body, into: &line)
            }
        }
        return try lines.end(to: sink)
    }

    /// The lines of answers that are not in a store yet.
    package static func lines(of answers: [NewAnswer], in form: AnswerFormat) -> [UInt8] {
        var bytes: [UInt8] = []
        for answer in answers {
            var line = JSONWriter()
            line.object { line in
                write(
                    answer.key.stored, form, fetchedAt: answer.cached.fetchedAt,
                    body: answer.cached.body?.words, into: &line)
            }
            bytes += line.bytes + [UInt8(ascii: "\n")]
        }
        return bytes
    }

    private static func write(
        _ key: String, _ form: AnswerFormat, fetchedAt: Int64, body: [UInt8]?, into line: inout JSONWriter
    ) {
        line.field("service", form.service)
        line.field("version", form.version)
        line.field("key", key)
        line.field("fetchedAt", fetchedAt)
        line.key("body")
        if let body { body.withUnsafeBytes { line.string(utf8: $0) } } else { line.null() }
    }
}
