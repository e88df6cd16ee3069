import Bytes
import Foundation
import Syntax
import System
import TestSupport
import Testing

@Suite struct FileBytesTests {
    private func kind(ofOpening path: String, from offset: Int64 = 0) -> ETLError.Kind? {
        do {
            _ = try FileBytes(path: path, from: offset)
            return nil
        } catch {
            return error.kind
        }
    }

    /// A file that is deleted with its value.
    private final class TemporaryFile {
        let path: String

        init(_ bytes: [UInt8]) throws {
            let file = FileManager.default.temporaryDirectory.appending(path: "csv-\(UUID().uuidString)")
            try Data(bytes).write(to: file)
            path = file.path
        }

        deinit {
            try? FileManager.default.removeItem(atPath: path)
        }
    }

    @Test(arguments: [
        (ENOENT, ETLError.Kind.missing), (EACCES, .permission), (EPERM, .permission),
        (EMFILE, .inputOutput),
    ])
    func `the system's reasons are told apart`(code: Int32, kind: ETLError.Kind) {
        #expect(ReadableFile.Refusal.system(code).failure(of: "a.csv").kind == kind)
    }

    @Test func `a missing file and a directory are reported as missing`() throws {
        let directory = FileManager.default.temporaryDirectory
        #expect(kind(ofOpening: directory.appending(path: UUID().uuidString).path) == .missing)
        #expect(kind(ofOpening: directory.path) == .missing)
        let file = try TemporaryFile([])
        #expect(kind(ofOpening: file.path) == nil)
    }

    @Test func `the head is as long as the file allows`() throws {
        let file = try TemporaryFile(Array("abcdef".utf8))
        #expect(try FileBytes.head(of: file.path, count: 4) == Array("abcd".utf8))
        #expect(try FileBytes.head(of: file.path) == Array("abcdef".utf8))
        let empty = try TemporaryFile([])
        #expect(try FileBytes.head(of: empty.path) == [])
    }

    @Test func `a file resumes at a record's position`() throws {
        let lines = (0..<20_000).map { "\($0),\"line\n\($0)\",=\"\($0)\"\r\n" }
        let file = try TemporaryFile(TextEncoding.utf8.byteOrderMark + Array(lines.joined().utf8))
        var whole = try RecordReader(file: file.path, dialect: .comma, encoding: .utf8)
        let expected = try CSVReading(&whole)
        #expect(expected.records.count == lines.count)
        #expect(try RecordReader.count(file: file.path, dialect: .comma, encoding: .utf8) == lines.count)

        var first = try RecordReader(file: file.path, fileIndex: 3, dialect: .comma, encoding: .utf8)
        var arena = Arena()
        var cells: [Text] = []
        var records: [Record] = []
        let isMore = try first.fill(
            arena: &arena, cells: &cells, records: &records, maxRecords: 777, maxBytes: 1 << 20)
        #expect(isMore)
        #expect(records.count == 777)
        #expect(first.position.file == 3)

        var rest = try RecordReader(file: file.path, dialect: .comma, encoding: .utf8, from: first.position)
        let reading = try CSVReading(&rest)
        #expect(reading.difference(from: Array(expected.records[777...])) == nil)
        #expect(reading.end == expected.end)
    }
}
