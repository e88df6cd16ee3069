package import Books
import Bytes
package import Database
package import System

/// What a library has of a file's records already, found before they are imported.
package struct KnownRecords: Sendable, Hashable {
    /// A record that was added on another day than its entry.
    package struct Example: Sendable, Hashable {
        package var title: String
        package var inFile: CalendarDate
        package var inLibrary: CalendarDate
    }

    /// Number of records whose entries the library has from the same program. An import updates them.
    package private(set) var updates = 0
    /// New records of books that the library has from other programs, the most frequent program first.
    package private(set) var others: [OtherPrograms] = []
    /// Number of updates among the first ``sampleSize`` records for which record and entry say when the book was added.
    package private(set) var dated = 0
    /// Number of those that were added, and not read, on other days.
    package private(set) var otherwiseDated = 0
    /// The first of them.
    package private(set) var example: Example?

    /// Number of a file's first records that show whose file it is. An import reads only these.
    package static let sampleSize = 2_000
    /// Fewer of them show nothing.
    private static let leastDated = 5

    /// Whether the file probably belongs to someone else. A program uses the same ids for all its users, but two people rarely
    /// add most of their books on the same days.
    package var areAnotherPersons: Bool {
        dated >= Self.leastDated && otherwiseDated * 2 > dated && daysInFile.count > 1
            && daysInLibrary.count > 1
    }

    /// Up to two different days on which ``dated`` books were added. If all have one day, it is the day of an export or of a move.
    private var daysInFile: Set<CalendarDate> = []
    private var daysInLibrary: Set<CalendarDate> = []

    package init() {}

    /// Looks for records in a library. The cost grows with the number of records, not with the library.
    ///
    /// Entries of the same program are found by their id. Others are found by their ISBN, or without one by title and
    /// author as they are spelled in the library, if the library was the first to have the book.
    ///
    /// - Parameters:
    ///   - formatName: The format of the file.
    ///   - library: The name of the library. One that does not exist has no records.
    ///   - connection: A store opened for reading.
    package init(
        _ records: [RecordFacts], formatName: String, library: String, in connection: Connection
    ) throws(ETLError) {
        guard let id = try connection.integer("SELECT id FROM libraries WHERE name = ?1", library) else {
            return
        }
        let indexes = try LibraryIndexes(connection, limits: .init(), readOnly: true)
        indexes.keyspace = try LibraryNames(connection).keyspace(ofLibrary: id)
        let keys = KeyComposer(library: library, formatName: formatName)
        let own = Set([formatName, KeyComposer.siblings[formatName] ?? formatName])
        let dates = try connection.prepare("SELECT date_added, date_read FROM entries WHERE id = ?1")
        // A work has the id of the entry with which it was created.
        let formats = try connection.prepare(
            """
            SELECT l.format FROM editions d JOIN entries o ON o.id = d.work JOIN layouts l ON l.id = o.layout
            WHERE d.id = ?1 AND o.library = ?2
            """)
        var (arena, scratch) = (Arena(), [UInt8]())
        var counts: [String: Int] = [:]
        for (number, record) in records.enumerated() {
            arena.removeAll()
            let key = keys.entry(
                sourceID: arena.append(record.sourceID.utf8), title: arena.append(record.title.utf8),
                author: arena.append(record.author.utf8), isbn: record.isbn, scratch: &scratch, arena: &arena
            ).key
            if let row = try indexes.entries.place(of: key).row {
                dates.bind(1, row)
                defer { dates.reset() }
                // An entry that was removed is found by its key, too.
                guard try dates.next() else { continue }
                updates += 1
                guard number < Self.sampleSize else { continue }
                compare(record, added: dates.optionalString(0), read: dates.optionalString(1))
            } else if let edition = try Self.edition(of: record, in: indexes, &scratch) {
                formats.bind(1, edition)
                formats.bind(2, id)
                defer { formats.reset() }
                guard try formats.next() else { continue }
                let format = formats.string(0)
                if !own.contains(format) { counts[format, default: 0] += 1 }
            }
        }
        others = counts.map { OtherPrograms(format: $0.key, count: $0.value) }
            .sorted { ($1.count, $0.format) < ($0.count, $1.format) }
    }

    /// Compares the days of a record with those of its entry.
    private mutating func compare(_ record: RecordFacts, added: String?, read: String?) {
        guard let inFile = record.dateAdded, let inLibrary = added.flatMap({ CalendarDate($0) }) else {
            return
        }
        dated += 1
        if daysInFile.count < 2 { daysInFile.insert(inFile) }
        if daysInLibrary.count < 2 { daysInLibrary.insert(inLibrary) }
        if inFile.isNear(inLibrary) { return }
        // Whoever moves from one account to another has new dates of adding, and keeps those of reading.
        if let own = record.dateRead, let stored = read.flatMap({ CalendarDate($0) }), own.isNear(stored) {
            return
        }
        otherwiseDated += 1
        if example == nil {
            example = Example(title: record.title, inFile: inFile, inLibrary: inLibrary)
        }
    }

    private static func edition(
        of record: RecordFacts, in indexes: LibraryIndexes, _ key: inout [UInt8]
    ) throws(ETLError) -> Int64? {
        if let isbn = record.isbn { return try indexes.isbns.value(of: isbn.value) }
        guard !record.title.isEmpty, !record.author.isEmpty else { return nil }
        key.removeAll(keepingCapacity: true)
        var (title, author) = (record.title, record.author)
        title.withUTF8 { title in
            author.withUTF8 { author in
                KeyComposer.appendTitleKey(
                    title: UnsafeRawBufferPointer(title), author: UnsafeRawBufferPointer(author),
                    language: UnsafeRawBufferPointer(start: nil, count: 0), to: &key)
            }
        }
        return try indexes.editions.place(of: key.withUnsafeBytes { TextKey($0) }).row
    }
}
