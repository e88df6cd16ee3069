import Books
import Foundation
import System
import TestSupport
import Testing

@testable import Formats
@testable import Syntax

/// Malicious and damaged input.
@Suite
struct HostileFilesTests {
    private let files: WrittenFiles

    init() throws { files = try WrittenFiles() }

    @Test func `ten million columns are one reject in bounded memory`() throws {
        let line = LongBytes(
            head: Array("a\n".utf8), byte: UInt8(ascii: ","), count: 10_000_000, tail: Array("\nb\n".utf8))
        var reader = try RecordReader(line, dialect: .comma, encoding: .utf8)
        let reading = try CSVReading(&reader)
        #expect(reading.cells == [["a"], [], ["b"]])
        #expect(reading.records[1].flags.isDisjoint(with: .overLimit) == false)
        #expect(reader.heldBytes <= 16 << 20)
    }

    @Test func `UTF-16 is recognized without a byte order mark`() throws {
        let text = "Title,Author,ISBN13\nReef,Ana Lee,9780306406157\n"
        for isLittle in [true, false] {
            let bytes = text.utf16.flatMap { unit in
                isLittle ? [UInt8(unit & 0xFF), UInt8(unit >> 8)] : [UInt8(unit >> 8), UInt8(unit & 0xFF)]
            }
            let path = try files.write(bytes, as: "wide.csv")
            #expect(try RowFacts.of(path, [.title, .isbn13]).rows == [["Reef", "9780306406157"]])
        }
    }

    @Test func `random bytes are rejected`() async throws {
        var generator = SeededGenerator(seed: 11)
        for count in [1, 16, 300, 70_000] {
            let bytes = (0..<count).map { _ in UInt8.random(in: 0...255, using: &generator) }
            let failure = await failure(of: ReadSettings(files: [try files.write(bytes, as: "chance.bin")]))
            #expect(failure?.kind == .unusableInput, "\(count) bytes")
        }
    }

    @Test func `a named pipe is rejected without waiting for it`() async throws {
        let path = files.directory.appendingPathComponent("pipe").path
        try #require(mkfifo(path, 0o600) == 0)
        let failure = await failure(of: ReadSettings(files: [path]))
        #expect(failure?.kind == .unusableInput)
        #expect(failure?.advice?.description.contains("standard input") == true)
    }

    @Test func `a compressed file is read like a plain one, also when resumed`() async throws {
        let rows = (0..<5_000).map { "Book \($0),Ana Lee\n" }.joined()
        let plain = try files.write("Title,Author\n" + rows, as: "books.csv")
        let packed = try files.write(
            GzipBytes.stored(Array(("Title,Author\n" + rows).utf8)), as: "books.csv.gz")
        let whole = try await Reading.of(ReadSettings(files: [plain], batchRecords: 512))
        let unpacked = try await Reading.of(ReadSettings(files: [packed], batchRecords: 512))
        #expect(unpacked == whole)
        let rest = try await Reading.of(ReadSettings(files: [packed], batchRecords: 512), from: whole.ends[3])
        #expect(rest.records == Array(whole.records.dropFirst(4 * 512)))
    }

    @Test func `explicit text options replace guesses`() throws {
        let path = try files.write("x|y\nz|w\nReef|'Ana|Lee'\n")
        let facts = try RowFacts.of(path, [.title, .author]) {
            for (key, word) in [("delimiter", "|"), ("quote", "'"), ("header", "none")] {
                _ = $0.text.take(key, word)
            }
            $0.columns = ColumnOptions([.title: "#1", .author: "#2"])
        }
        #expect(facts.formatName == "generic")
        #expect(facts.rows == [["x", "y"], ["z", "w"], ["Reef", "Ana|Lee"]])
        let second = try RowFacts.of(path, [.title]) {
            _ = $0.text.take("delimiter", "|")
            _ = $0.text.take("header", "2")
            $0.columns = ColumnOptions([.title: "z"])
        }
        #expect(second.rows == [["Reef"]])
    }
}
