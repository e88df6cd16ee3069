import Books
package import Database
package import Services
import Syntax
package import System

/// Imports answers exported from another store (`AnswerExport`), as plain text or gzip. Of two answers for
/// one key, the newer one is kept.
package enum AnswerImport {
    /// One line of the file.
    private struct Answer {
        var service = ""
        var version = 0
        var key = ""
        var fetchedAt: Int64 = 0
        var body: [UInt8]?

        /// - Throws: If the line is not JSON. ``isWhole`` says whether all members are present.
        init(_ line: UnsafeRawBufferPointer) throws(JSONReadError) {
            var reader = JSONReader(line)
            try reader.forEachKey { name, reader throws(JSONReadError) in
                switch name {
                case "service": self.service = try reader.stringIfAny()?.string ?? ""
                case "version": self.version = try reader.wholeNumber().map { Int($0) } ?? 0
                case "key": self.key = try reader.stringIfAny()?.string ?? ""
                case "fetchedAt": self.fetchedAt = try reader.wholeNumber() ?? 0
                case "body": self.body = try reader.stringIfAny()?.bytes
                default: break
                }
            }
            try reader.finish()
        }

        private var kindName: Substring { key.prefix { $0 != ":" } }
        private var kind: ServiceKey.Kind? { ServiceKey.Kind.all.first { $0.name == kindName } }

        var isWhole: Bool {
            !service.isEmpty && version > 0 && fetchedAt > 0 && key.utf8.count > kindName.utf8.count + 1
                && kind != nil
        }

        /// The decoded answer; nil if the service does not decode this kind of answer in advance.
        func decoded(by service: any Service) -> ArraySlice<UInt8>? {
            guard let body, let kind, service.version == version else { return nil }
            return service.decoded(of: body, kind, fetchedAt: fetchedAt)?[...]
        }
    }

    /// The result of importing a file.
    package struct Counts: Sendable, Hashable {
        /// Answers that were stored.
        package var taken = 0
        /// Answers that the store already had, equally new or newer.
        package var known = 0
    }

    /// Imports all answers of a file, or none if a line is invalid.
    ///
    /// - Parameters:
    ///   - services: Services whose answers are decoded now, so that no lookup has to. Other answers are stored
    ///     undecoded.
    ///   - mayEndEarly: Whether the last line may be incomplete, because its writer was killed. It is left out.
    ///   - lock: The store's lock; nil to take it now.
    ///   - policy: Wait policy if another program has locked the store.
    /// - Throws: `.unusableInput` with the number of an invalid line; `.temporary` while a run writes to the
    ///   store.
    package static func take(
        _ path: String, into store: String, readBy services: [any Service] = [], mayEndEarly: Bool = false,
        holding lock: StoreLock? = nil, waiting policy: LockWaitPolicy = LockWaitPolicy()
    ) throws(ETLError) -> Counts {
        let services = Dictionary(services.map { ($0.name, $0) }) { first, _ in first }
        var lines = DumpLines(try DecompressedFile(path))
        // Another program's database gets no lock file.
        _ = try StoreFile.openIfStarted(store, waiting: policy)
        let lock = if let lock { lock } else { try StoreLock(store: store) }
        defer { withExtendedLifetime(lock) {} }
        let connection = try StoreFile.openForWriting(store, waiting: policy)
        let write = try connection.prepare(
            """
            INSERT INTO answers(service, key, version, fetched_at, body, decoded_version, decoded)
            VALUES (?1,?2,?3,?4,?5,?6,?7)
            ON CONFLICT DO UPDATE SET version = excluded.version, fetched_at = excluded.fetched_at,
                body = excluded.body, mismatches = 0, decoded_version = excluded.decoded_version, decoded = excluded.decoded,
                etag = NULL, modified = NULL
            WHERE excluded.fetched_at > answers.fetched_at
            """)
        var counts = Counts()
        try connection.begin()
        while let line = try lines.next() {
            guard !line.bytes.isEmpty else { continue }
            let number = line.number
            guard !line.isTooLong, let answer = try? Answer(line.bytes), answer.isWhole else {
                let isBegun = mayEndEarly && line.bytes.first == UInt8(ascii: "{")
                if isBegun, try lines.next() == nil { break }
                throw ETLError(
                    .unusableInput,
                    "\(path):\(number): not an exported answer. Nothing was imported.",
                    advice: "Use a file that contains only exported answers.")
            }
            write.bind(
                values: answer.service, answer.key, answer.version, answer.fetchedAt,
                answer.body.map(Deflated.pack))
            let service = services[answer.service]
            write.bind(6, service?.decoderVersion ?? 0)
            write.bind(7, decoded: service.flatMap { answer.decoded(by: $0) })
            try write.run()
            if connection.changes > 0 { counts.taken += 1 } else { counts.known += 1 }
        }
        if counts.taken > 0 {
            // Jobs with pending records may need them.
            try connection.execute(
                "UPDATE jobs SET unused_answers = 1 WHERE id IN (SELECT job FROM pending)")
        }
        try connection.commit()
        return counts
    }
}
