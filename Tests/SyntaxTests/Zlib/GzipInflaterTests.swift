import Foundation
import TestSupport
import Testing

@testable import Bytes
@testable import Syntax

@Suite struct GzipInflaterTests {
    static let text = (0..<40).map { "line \($0) of the dump\n" }.joined()
    /// The text as compressed by gzip, with dynamic codes.
    static let packed =
        "H4sIAAAAAAACA23SQQ6CQBBE0T2nmCNQVYJ4HzGQDOoC729cmv7bv6qX7r4/1za216Od29run+M99F9STa4pNV1qmmqaa7rWtNR0g6k0"
        + "H/YLAAKBgCAwCBAChYAhcBgcpjuAw+AwOAwOg8PgMDgMjoAj4Ag9FDgCjoAj4Ag4Ao78O743OLmYFgMAAA=="

    /// Feeds bytes in pieces, with a small output buffer.
    private func unpack(
        _ bytes: [UInt8], pieces: Int = .max, room: Int = 64, limit: InflateLimit = .text
    ) throws(InflateError) -> (text: [UInt8], hasTrailingGarbage: Bool) {
        var inflater = try GzipInflater(limit: limit)
        var out: [UInt8] = []
        let output = UnsafeMutableRawBufferPointer.allocate(byteCount: room, alignment: 1)
        defer { output.deallocate() }
        var rest = bytes[...]
        while !rest.isEmpty {
            let piece = Array(rest.prefix(pieces))
            rest = rest.dropFirst(piece.count)
            var at = 0
            while at < piece.count {
                let step = try Array(piece[at...]).lend { input throws(InflateError) in
                    try inflater.inflate(input, into: output)
                }
                out += output[..<step.made]
                at += step.taken
                if step.taken == 0, step.made == 0 { break }
            }
        }
        try inflater.finish()
        return (out, inflater.hasTrailingGarbage)
    }

    private func failure(_ bytes: [UInt8], pieces: Int = .max, limit: InflateLimit = .text)
        -> InflateError?
    {
        do throws(InflateError) {
            _ = try unpack(bytes, pieces: pieces, limit: limit)
            return nil
        } catch {
            return error
        }
    }

    @Test(arguments: [1, 2, 7, 1_000])
    func `gzip's own output is read, however it is cut`(pieces: Int) throws {
        let packed = [UInt8](try #require(Data(base64Encoded: Self.packed)))
        #expect(try unpack(packed, pieces: pieces).text == Array(Self.text.utf8))
    }

    @Test(arguments: [1, 3, 1_000])
    func `consecutive members with padding between them are read`(pieces: Int) throws {
        let one = GzipBytes.stored(Array("one\n".utf8))
        let two = GzipBytes.stored(Array(repeating: 0x61, count: 70_000))
        let result = try unpack(one + two + [0, 0, 0] + GzipBytes.stored([]) + one + [0], pieces: pieces)
        #expect(
            result.text == Array("one\n".utf8) + Array(repeating: 0x61, count: 70_000) + Array("one\n".utf8))
        #expect(!result.hasTrailingGarbage)
    }

    @Test func `an empty member is read`() throws {
        #expect(try unpack(GzipBytes.stored([])).text.isEmpty)
    }

    @Test func `data that is not gzip is rejected`() {
        #expect(failure([]) == .notCompressed)
        #expect(failure([0x1F]) == .notCompressed)
        #expect(failure([0, 0x1F, 0x8B]) == .notCompressed)
        #expect(failure(Array("/type/edition".utf8)) == .notCompressed)
    }

    @Test func `every cut is reported as truncation`() {
        let whole = GzipBytes.stored(Array("one\n".utf8)) + GzipBytes.stored(Array("two\n".utf8))
        let first = GzipBytes.stored(Array("one\n".utf8)).count
        for length in 2..<whole.count where length != first {
            #expect(failure(Array(whole[..<length])) == .truncated, "cut after \(length) bytes")
        }
    }

    @Test func `a damaged member is reported`() {
        var wrongSum = GzipBytes.stored(Array("one\n".utf8))
        wrongSum[wrongSum.count - 6] ^= 1
        #expect(failure(wrongSum) == .damaged)
        var wrongBlock = GzipBytes.stored(Array("one\n".utf8))
        wrongBlock[10] = 7
        #expect(failure(wrongBlock) == .damaged)
        #expect(failure(GzipBytes.stored(Array("one\n".utf8)) + wrongBlock) == .damaged)
    }

    @Test func `trailing garbage is reported after the last member`() throws {
        let result = try unpack(
            GzipBytes.stored(Array("one\n".utf8)) + Array("<html>not found</html>".utf8), pieces: 5)
        #expect(result.text == Array("one\n".utf8))
        #expect(result.hasTrailingGarbage)
    }

    @Test func `a decompression bomb is stopped early`() throws {
        let bomb = GzipBytes.zeros(1 << 20)
        #expect(failure(bomb, limit: .init(ratio: 100, allowance: 1 << 18)) == .bomb)
        #expect(
            try unpack(bomb, room: 1 << 16, limit: .init(ratio: 200, allowance: 1 << 18)).text.count
                > 1_040_000)
        #expect(
            try unpack(bomb, room: 1 << 16, limit: .init(ratio: 100, allowance: 2 << 20)).text.count
                > 1_040_000)
    }

    @Test func `damaged bytes give an error or unchanged text, however they are cut`() throws {
        var random = SeededGenerator(seed: 11)
        let text = Array("some text\n".utf8)
        let whole = GzipBytes.stored(text) + GzipBytes.zeros(3_000)
        let wholeText = try unpack(whole).text
        #expect(wholeText.starts(with: text) && wholeText.count > 2_000)
        var errors: [InflateError: Int] = [:]
        var readable = 0
        for _ in 0..<400 {
            var bytes = whole
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                bytes[Int.random(in: 0..<bytes.count, using: &random)] = .random(in: 0...255, using: &random)
            }
            let pieces = Int.random(in: 1...64, using: &random)
            let whole = Result { () throws(InflateError) in try unpack(bytes) }
            let cut = Result { () throws(InflateError) in try unpack(bytes, pieces: pieces) }
            switch (whole, cut) {
            case (.failure(let error), .failure(let other)):
                #expect(error == other, "\(bytes)")
                errors[error, default: 0] += 1
            case (.success(let result), .success(let other)):
                #expect(result.text == other.text)
                #expect(result.hasTrailingGarbage == other.hasTrailingGarbage)
                // Each member has a checksum. If the second one no longer begins like one, it is garbage.
                #expect(result.text == (result.hasTrailingGarbage ? text : wholeText), "\(bytes)")
                readable += 1
            default: Issue.record("\(whole) as a whole, \(cut) in pieces of \(pieces)")
            }
        }
        #expect(readable > 0 && errors[.damaged, default: 0] > 0, "\(readable) readable, \(errors)")
    }
}
