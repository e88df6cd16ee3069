import System
import TestSupport
import Testing

@testable import Syntax

@Suite struct DumpLinesTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private struct Line: Equatable {
        var text: String
        var number: Int
        var isTooLong = false
        var isEnded = true
    }

    private func lines(_ bytes: [UInt8]) throws -> [Line] {
        var lines = DumpLines(try DecompressedFile(folder.write(bytes, to: "lines")))
        var found: [Line] = []
        while let line = try lines.next() {
            found.append(
                Line(
                    text: String(decoding: line.bytes.prefix(100), as: UTF8.self), number: line.number,
                    isTooLong: line.isTooLong, isEnded: line.isEnded))
        }
        return found
    }

    @Test func `lines with any line end are read, and an unterminated last line is noticed`() throws {
        #expect(try lines([]) == [])
        #expect(try lines(Array("\n".utf8)) == [Line(text: "", number: 1)])
        #expect(
            try lines(Array("a\r\nb\n\nc".utf8)) == [
                Line(text: "a", number: 1), Line(text: "b", number: 2), Line(text: "", number: 3),
                Line(text: "c", number: 4, isEnded: false),
            ])
    }

    @Test func `lines continue across blocks`() throws {
        let line = String(repeating: "0123456789", count: 3_333)
        let found = try lines(Array((line + "\n").utf8) * 100)
        #expect(found.count == 100)
        #expect(found.allSatisfy { $0.text == line.prefix(100) && $0.isEnded })
        #expect(found.last?.number == 100)
    }

    @Test func `a long line is returned whole`() throws {
        let long = [UInt8](repeating: 0x61, count: 3 << 20)
        var lines = DumpLines(
            try DecompressedFile(folder.write(Array("x\n".utf8) + long + Array("\ny".utf8), to: "long")))
        var lengths: [Int] = []
        while let line = try lines.next() { lengths.append(line.bytes.count) }
        #expect(lengths == [1, 3 << 20, 1])
    }

    @Test(arguments: [true, false]) func `a line over the limit is skipped and its head kept`(ended: Bool)
        throws
    {
        let long = Array("head".utf8) + [UInt8](repeating: 0x61, count: DumpLines.byteLimit + 700_000)
        let found = try lines(Array("x\n".utf8) + long + (ended ? Array("\ny\n".utf8) : []))
        #expect(found.first == Line(text: "x", number: 1))
        #expect(found[1].isTooLong)
        #expect(found[1].isEnded == ended)
        #expect(found[1].text.hasPrefix("headaaa"))
        #expect(found.count == (ended ? 3 : 2))
        if ended { #expect(found.last == Line(text: "y", number: 3)) }
    }

    @Test(arguments: ["}", "} \r"]) func `a line over the limit is complete if its record is`(end: String)
        throws
    {
        let long = [UInt8](repeating: 0x61, count: DumpLines.byteLimit + 700_000) + Array(end.utf8)
        #expect(try lines(long).map(\.isEnded) == [true])
    }

    @Test func `a byte order mark is removed only at the start`() throws {
        let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
        #expect(try lines(mark + Array("a\n".utf8) + mark).map(\.text) == ["a", "\u{FEFF}"])
        #expect(try lines(mark).map(\.text) == [""])
    }

    @Test func `reading resumes at any line`() throws {
        let text = "one\r\n\n" + String(repeating: "x", count: DumpLines.byteLimit + 99) + "\nlast"
        let path = try folder.write(text, to: "lines")
        var lines = DumpLines(try DecompressedFile(path))
        var ends: [Position] = [.start]
        var numbers: [Int] = []
        while let line = try lines.next() {
            numbers.append(line.number)
            ends.append(Position(byte: lines.offset, line: lines.number + 1, record: 1))
        }
        #expect(numbers == [1, 2, 3, 4])
        #expect(ends.last?.byte == Int64(text.utf8.count))
        for packed in [false, true] {
            let copy = packed ? try folder.write(GzipBytes.stored(Array(text.utf8)), to: "lines.gz") : path
            for (index, end) in ends.enumerated() {
                let file = try DecompressedFile(copy)
                try file.skip(end.byte)
                var rest = DumpLines(file, from: end)
                var seen: [Int] = []
                while let line = try rest.next() { seen.append(line.number) }
                #expect(seen == Array(numbers.dropFirst(index)))
            }
        }
    }
}

private func * (bytes: [UInt8], count: Int) -> [UInt8] {
    Array(repeatElement(bytes, count: count).joined())
}
