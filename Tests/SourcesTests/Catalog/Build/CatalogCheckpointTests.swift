import Foundation
import System
import TestSupport
import Testing

@testable import Sources

@Suite struct CatalogCheckpointTests {
    /// The checkpoint of a build that has read one of two files.
    private static var checkpoint: CatalogCheckpoint {
        let input = SourceFingerprint(name: "a.txt", size: 9, headSHA256: "ab")
        var checkpoint = CatalogCheckpoint(
            task: .init(inputs: [input, input], updating: nil), builtAt: "2026-01-01T00:00:00Z")
        checkpoint.position = Position(file: 1, byte: 5, line: 2, record: 2)
        checkpoint.report.sources = [
            .init(name: "a.txt", bytes: 9, reasons: [.badJSON: 3], taken: 4),
            .init(name: "a.txt", bytes: 9),
        ]
        checkpoint.report.note(.badJSON, file: "a.txt", line: 7, head: [])
        return checkpoint
    }

    @Test func `a checkpoint round-trips`() {
        #expect(CatalogCheckpoint(json: Self.checkpoint.json) == Self.checkpoint)
    }

    /// Each number of the checkpoint is replaced in turn.
    @Test(arguments: ["-1", "9223372036854775807", "-9223372036854775808", "99999999999999999999", "1e400"])
    func `a checkpoint with an impossible number is not used`(number: String) {
        let json = Self.checkpoint.json
        var count = 0
        for match in json.matches(of: /":(\d+)/) {
            // A file's size and the format's version are compared with those of the new build.
            let key = json[..<match.range.lowerBound].split(separator: "\"").last
            guard let key, !["bytes", "size", "version"].contains(key) else { continue }
            count += 1
            let damaged = json.replacingCharacters(in: match.1.startIndex..<match.1.endIndex, with: number)
            #expect(CatalogCheckpoint(json: damaged) == nil, "\(key)")
        }
        #expect(count > 25)
    }

    @Test func `a position behind files that were not read is not used`() {
        var checkpoint = Self.checkpoint
        checkpoint.position.file = 3
        #expect(CatalogCheckpoint(json: checkpoint.json) == nil)
        checkpoint.report.sources = []
        checkpoint.position.file = 1
        #expect(CatalogCheckpoint(json: checkpoint.json) == nil)
    }

    @Test func `any text can be decoded`() {
        var random = SeededGenerator(seed: 11)
        let json = Array(Self.checkpoint.json.utf8)
        for _ in 0..<2_000 {
            var bytes = json
            for _ in 0..<3 {
                bytes[.random(in: bytes.indices, using: &random)] = .random(in: 0x20...0x7E, using: &random)
            }
            guard var read = CatalogCheckpoint(json: String(decoding: bytes, as: UTF8.self)) else { continue }
            // Accepted checkpoints can be added to.
            read.report.read += read.report.read
            #expect(read.report.linesRead >= 0)
        }
    }
}
