import Testing

@testable import Books
@testable import Bytes
@testable import Sources

@Suite struct DumpRecordTests {
    private func read(
        _ line: String
    ) throws(DumpLineError) -> (kind: DumpRecord.Kind, key: OpenLibraryKey?, revision: Int64, json: String) {
        try Array(line.utf8).lend { bytes throws(DumpLineError) in
            let record = try DumpRecord(bytes)
            return (record.kind, record.key, record.revision, String(decoding: record.json, as: UTF8.self))
        }
    }

    private func damage(_ line: String) -> DumpLineError? {
        do throws(DumpLineError) {
            _ = try read(line)
            return nil
        } catch {
            return error
        }
    }

    @Test func `the five columns are split`() throws {
        let record = try read(
            "/type/work\t/works/OL45804W\t17\t2022-03-27T14:45:21.075347\t{\"a\": \"b\\tc\"}")
        #expect(record.kind == .work)
        #expect(record.key == OpenLibraryKey(.work, 45_804))
        #expect(record.revision == 17)
        #expect(record.json == "{\"a\": \"b\\tc\"}")
    }

    @Test func `spaces instead of tabs and a missing date are accepted`() throws {
        let blanks = try read("/type/edition   /books/OL1M  2   2014-01-30T06:04:17.068580  {}  ")
        #expect(blanks.kind == .edition)
        #expect(blanks.revision == 2)
        let noDate = try read("/type/edition\t/books/OL1M\t12\t{}")
        #expect(noDate.key == OpenLibraryKey(.edition, 1))
        #expect(noDate.revision == 12)
        #expect(try read("/type/author\t/authors/OL1A\t{}").revision == 0)
    }

    @Test func `redirects, deletions and other types are recognized`() throws {
        #expect(try read("/type/redirect\t/books/OL1M\t3\tx\t{}").kind == .redirect)
        #expect(try read("/type/delete\t/authors/OL1A\t3\tx\t{}").kind == .delete)
        #expect(try read("/type/junk\t/junk/0001\t1\tx\t{}").kind == .other)
        #expect(try read("/type/list\t/people/a/lists/OL1L\t1\tx\t{}").kind == .other)
    }

    @Test func `Wikidata is recognized with and without its array`() throws {
        #expect(try read("[").kind == .nothing)
        #expect(try read("]").kind == .nothing)
        #expect(try read("  \r").kind == .nothing)
        #expect(try read("").kind == .nothing)
        let entity = try read("{\"id\":\"Q42\"},\r")
        #expect(entity.kind == .entity)
        #expect(entity.json == "{\"id\":\"Q42\"}")
    }

    @Test func `a dump line is recognized by its columns or its id`() {
        func isOfDump(_ line: String) -> Bool { Array(line.utf8).lend { DumpRecord.isOfDump($0) } }
        for line in [
            "/type/edition\t/books/OL1M\t1\tx\t{}", "/type/list\t/people/a/lists/OL1L\t3\tx\t{}",
            "{\"type\":\"item\",\"id\":\"Q42\"},", "{ \"id\" : \"L7\" }",
            "{\"entities\":{\"Q42\":{\"id\":\"Q42\"}}}", "Q42\t{\"id\":\"Q42\"}\tx",
        ] {
            #expect(isOfDump(line), "\(line)")
        }
        for line in [
            "", "[", "]", "{", "{}", "{},", "{\"id\": \"zyTCAlFPjgYC\"}", "{\"id\": \"Q\"}",
            "{\"id\": \"Q4x\"}",
            "{\"id\": 42}", "{\"id\"}", "{\"id", "{\"id\": \"Q42\"", "title,author",
            "/works/OL1W\t\t5\t2020-01-01",
        ] {
            #expect(!isOfDump(line), "\(line)")
        }
    }

    @Test func `a line that is not a record has a reason`() {
        #expect(damage("title,author,isbn") == .unknownKind)
        #expect(damage("[1, 2]") == .unknownKind)
        #expect(damage("/type/edition\t/books/OL1M\t1\tx") == .noRecord)
        #expect(damage("/type/edition\t/books/multiple_isbn_13s\t1\tx\t{}") == .badKey)
        #expect(damage("/type/edition\t/works/OL1W\t1\tx\t{}") == .badKey)
        #expect(damage("/type/edition\t{}") == .badKey)
    }

    @Test(arguments: ["x", "-1", "1234567890", ""]) func `an unusable revision counts as none`(
        revision: String
    )
        throws
    {
        #expect(try read("/type/work\t/works/OL1W\t\(revision)\tx\t{}").revision == 0)
    }
}
