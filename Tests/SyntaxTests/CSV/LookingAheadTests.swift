import Foundation
import System
import TestSupport
import Testing

@testable import Formats
@testable import Syntax

/// Looking ahead shows the next bytes of the same file and does not affect the reader.
@Suite struct LookingAheadTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func rest(of source: inout any ByteSource) throws(ETLError) -> [UInt8] {
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 70_000, alignment: 1)
        defer { buffer.deallocate() }
        var bytes: [UInt8] = []
        while true {
            let count = try source.read(into: buffer)
            if count == 0 { return bytes }
            bytes += buffer[..<count]
        }
    }

    @Test(arguments: [false, true])
    func `looking ahead reads the open file, not one that replaced it`(isPacked: Bool) throws {
        let bytes = (0..<900_000).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 11) }
        // The second member begins off the boundaries of reads and blocks.
        let packed = GzipBytes.stored(Array(bytes[..<500_001])) + GzipBytes.stored(Array(bytes[500_001...]))
        let path = try folder.write(isPacked ? packed : bytes, to: "export.csv")
        var source = try InputFile(path).bytes()
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 33_333, alignment: 1)
        defer { buffer.deallocate() }
        var read = 0
        while read < 400_000 { read += try source.read(into: buffer) }
        _ = try folder.write("another file", to: "other.csv")
        try FileManager.default.removeItem(atPath: path)
        try FileManager.default.moveItem(atPath: folder.file("other.csv"), toPath: path)
        let expected = Array(bytes[read...])
        var first = try #require(try source.ahead())
        #expect(try rest(of: &first) == expected)
        var second = try #require(try source.ahead())
        _ = try second.read(into: buffer)
        var beyond = try #require(try second.ahead())
        #expect(expected.hasSuffix(try rest(of: &beyond)))
        #expect(try rest(of: &source) == expected)
        #expect(try rest(of: &second).count < expected.count)
    }

    @Test func `looking ahead decompresses nothing twice`() throws {
        let path = try folder.write(GzipBytes.stored([UInt8](repeating: 0x61, count: 3 << 20)), to: "a.gz")
        let file = try DecompressedFile(path)
        try file.skip(2 << 20)
        let ahead = try #require(try file.ahead() as? DecompressedFile)
        #expect(ahead.bytesMade == 2 << 20)
        #expect(ahead.bytesRead == file.bytesRead)
        try ahead.skip(1 << 20)
        #expect(ahead.bytesMade == 3 << 20)
        #expect(file.bytesMade == 2 << 20)
    }

    @Test func `a stopped reader does not look ahead`() throws {
        let limits = RecordLimits(fieldBytes: 100, recordBytes: 200)
        let text = "a,\"" + String(repeating: "x", count: 1 << 20)
        let stop = StopSignal()
        func read() throws(ETLError) -> CSVReading {
            var reader = try RecordReader(
                PiecewiseBytes(Array(text.utf8)), dialect: .comma, encoding: .utf8, limits: limits,
                stop: stop,
                blockBytes: 1_000)
            return try CSVReading(&reader)
        }
        #expect(try read().records.count == 1)
        stop.raise()
        #expect { try read() } throws: { ($0 as? ETLError)?.kind == .temporary }
    }
}

extension [UInt8] {
    fileprivate func hasSuffix(_ other: [UInt8]) -> Bool { suffix(other.count).elementsEqual(other) }
}
