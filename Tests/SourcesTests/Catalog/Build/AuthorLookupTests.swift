import Testing

@testable import Books
@testable import Database
@testable import Sources

@Suite struct AuthorLookupTests {
    private let connection: Connection

    init() throws {
        connection = try Connection(":memory:", .create)
        try connection.execute("ATTACH ':memory:' AS stage; \(CatalogSchema.stagingTables)")
        let author = try connection.prepare("INSERT INTO stage.author VALUES (?,1,?)")
        for number in 1...20 {
            try author.run(number, record(number))
        }
        // Author 30 redirects to author 3, author 40 was deleted.
        try connection.execute("INSERT INTO stage.forward VALUES (3, 30, 3), (3, 40, 0), (2, 5, 6)")
    }

    private func record(_ number: Int) -> [UInt8] {
        var writer = PackedRecordWriter()
        writer.append(.authorName, "Writer \(number)")
        writer.append(.authorAlternateName, "Penname \(number)")
        return writer.bytes
    }

    private func find(_ numbers: [Int64], _ authors: AuthorLookup) throws -> [[UInt8]] {
        var found: [[UInt8]] = []
        let count = try authors.visit(numbers) { number, record in
            #expect(number == found.count)
            found.append(Array(record))
        }
        #expect(count == found.count)
        return found
    }

    @Test(arguments: [(1 << 18, 16 << 20), (3, 16 << 20), (1 << 18, 70), (1, 1)])
    func `authors are found in memory and on disk`(authors: Int, bytes: Int) throws {
        let known = try AuthorLookup(connection, records: "stage", maxKept: (authors, bytes))
        for _ in 1...2 {
            for number in 1...20 { #expect(try find([Int64(number)], known) == [record(number)]) }
            #expect(try find([20, 1, 20, 99, 2], known) == [record(20), record(1), record(2)])
            #expect(try find([30, 3, 40, 5], known) == [record(3), record(5)])
            #expect(try find([99], known) == [])
        }
    }

    @Test func `a work's record includes its authors without their alternate names`() throws {
        let known = try AuthorLookup(connection, records: "stage")
        var record = PackedRecordWriter()
        #expect(try known.append([7, 8], to: &record) == 2)
        var names: [String] = []
        _ = record.bytes.withUnsafeBytes { bytes in
            PackedRecord.forEachValue(bytes) { field, author, range in
                #expect(field == .authorName)
                #expect(Int(author) == names.count)
                names.append(String(decoding: bytes[range], as: UTF8.self))
            }
        }
        #expect(names == ["Writer 7", "Writer 8"])
    }
}
