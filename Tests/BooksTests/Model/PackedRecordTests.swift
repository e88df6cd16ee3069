import TestSupport
import Testing

@testable import Books
@testable import Bytes

@Suite struct PackedRecordTests {
    private struct Entry: Equatable {
        var field: Field
        var author: UInt8
        var bytes: [UInt8]
    }

    private func decode(_ bytes: [UInt8], into arena: inout Arena) -> [Entry]? {
        var values: [CandidateValue] = []
        guard bytes.lend({ PackedRecord.decode($0, into: &arena, values: &values) }) else {
            #expect(values.isEmpty)
            return nil
        }
        return values.map { Entry(field: $0.field, author: $0.author, bytes: arena.bytes($0.value)) }
    }

    @Test func `any record round-trips`() {
        var random = SeededGenerator(seed: 7)
        var writer = PackedRecordWriter()
        var arena = Arena()
        for _ in 0..<60 {
            writer.reset()
            var entries: [Entry] = []
            for _ in 0..<Int.random(in: 0...20, using: &random) {
                let field = Field.allCases.randomElement(using: &random) ?? .title
                let length = [1, 2, 126, 127, 128, 129, 16_384].randomElement(using: &random) ?? 1
                let bytes = (0..<length).map { _ in UInt8.random(in: 0...255, using: &random) }
                let author: UInt8 = field.isOfAuthor ? .random(in: 0...255, using: &random) : 0
                let isAppended = writer.append(field, author: author, bytes)
                #expect(isAppended)
                entries.append(Entry(field: field, author: author, bytes: bytes))
            }
            #expect(writer.count == entries.count)
            #expect(decode(writer.bytes, into: &arena) == entries)
        }
    }

    @Test func `a record is copied into the arena once`() {
        var writer = PackedRecordWriter()
        writer.append(.title, "Mansarda")
        writer.append(.authorName, author: 3, "Danilo Kiš")
        var arena = Arena()
        _ = arena.append("before")
        let count = arena.byteCount
        #expect(decode(writer.bytes, into: &arena)?.count == 2)
        #expect(arena.byteCount == count + writer.bytes.count)
    }

    @Test func `empty values and values over the limit are left out`() {
        var writer = PackedRecordWriter()
        let appended = [
            writer.append(.title, ""),
            writer.append(.description, [UInt8](repeating: 0x61, count: PackedRecord.byteLimit - 100)),
            writer.append(.title, [UInt8](repeating: 0x61, count: 100)),
            writer.append(.title, "short"),
        ]
        #expect(appended == [false, true, false, true])
        var arena = Arena()
        #expect(decode(writer.bytes, into: &arena)?.map(\.field) == [.description, .title])
    }

    @Test func `every ISBN-13 comes before the ISBN-10s`() throws {
        let isbns = try ["9780306406157", "9791090636071", "9780804429573"].map { try #require(ISBN($0)) }
        var writer = PackedRecordWriter()
        writer.append(isbns: isbns)
        var arena = Arena()
        let entries = try #require(decode(writer.bytes, into: &arena))
        #expect(entries.map(\.field) == [.isbn13, .isbn13, .isbn13, .isbn10, .isbn10])
        #expect(
            entries.map { String(decoding: $0.bytes, as: UTF8.self) }
                == ["9780306406157", "9791090636071", "9780804429573", "0306406152", "080442957X"])
        #expect(writer.count == 5)
    }

    @Test func `authors are numbered from zero up to the limit`() throws {
        var writer = PackedRecordWriter()
        writer.append(authorNames: (0...PackedRecord.authorLimit).map { "Author \($0)" })
        var arena = Arena()
        let entries = try #require(decode(writer.bytes, into: &arena))
        #expect(entries.map(\.author) == (0..<UInt8(PackedRecord.authorLimit)).map { $0 })
        #expect(entries.last.map { String(decoding: $0.bytes, as: UTF8.self) } == "Author 63")
    }

    @Test func `an author can be copied under another number`() {
        var author = PackedRecordWriter()
        author.append(.authorName, "Ada Example")
        author.append(.authorAlternateName, "A. Example")
        author.append(.authorWikidata, "Q1")
        var work = PackedRecordWriter()
        author.bytes.withUnsafeBytes { work.append(record: $0, author: 5) { $0 != .authorAlternateName } }
        var arena = Arena()
        let entries = decode(work.bytes, into: &arena)
        #expect(entries?.map(\.field) == [.authorName, .authorWikidata])
        #expect(entries?.map(\.author) == [5, 5])
    }

    @Test func `truncated records and unknown fields are rejected`() {
        var writer = PackedRecordWriter()
        writer.append(.title, "T")
        writer.append(.authorName, author: 1, [UInt8](repeating: 0x61, count: 200))
        var arena = Arena()
        // After the version, and after the title, a record is complete.
        for length in 0..<writer.bytes.count where length != 1 && length != 4 {
            #expect(decode(Array(writer.bytes[..<length]), into: &arena) == nil, "cut after \(length) bytes")
        }
        #expect(arena.byteCount == 0)
        #expect(decode([PackedRecord.version, 255, 1, 0x61], into: &arena) == nil)
        #expect(decode([PackedRecord.version &+ 1, 2, 1, 0x61], into: &arena) == nil)
    }

    @Test func `overflowing lengths are rejected`() {
        var arena = Arena()
        for length: [UInt8] in [
            [0x7F], [0xFF, 0x7F], [0xFF, 0xFF, 0xFF, 0x7F], [0xFF, 0xFF, 0xFF, 0xFF, 0x7F], [0x80],
        ] {
            #expect(
                decode([PackedRecord.version, Field.title.rawValue] + length + [0x61], into: &arena) == nil)
        }
        #expect(arena.byteCount == 0)
    }

    @Test func `random bytes are rejected or give values that are written as the same record`() {
        var random = SeededGenerator(seed: 8)
        var valid = 0
        for _ in 0..<5_000 {
            var bytes = (0..<Int.random(in: 0...40, using: &random)).map { _ in
                UInt8.random(in: 0...140, using: &random)
            }
            if !bytes.isEmpty { bytes[0] = PackedRecord.version }
            var arena = Arena()
            guard let entries = decode(bytes, into: &arena) else {
                #expect(arena.byteCount == 0)
                continue
            }
            valid += 1
            #expect(arena.byteCount == bytes.count)
            #expect(entries.reduce(1) { $0 + 2 + $1.bytes.count } <= bytes.count)
            var writer = PackedRecordWriter()
            for entry in entries { writer.append(entry.field, author: entry.author, entry.bytes) }
            // A writer leaves out empty values.
            #expect(decode(writer.bytes, into: &arena) == entries.filter { !$0.bytes.isEmpty })
        }
        #expect(valid > 100, "\(valid) valid records")
    }
}
