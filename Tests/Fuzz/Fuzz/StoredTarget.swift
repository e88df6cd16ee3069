import Bytes
import Foundation
import Queries
import Server
import Services
import System

@testable import Books
@testable import Database
@testable import Sources
@testable import Store
@testable import Syntax

/// Decodes an input as everything that stores, catalogs and caches contain. A damaged file can have any bytes there.
enum StoredTarget {
    static func read(_ bytes: [UInt8]) {
        bytes.withUnsafeBytes { raw in
            var arena = Arena()
            var values: [CandidateValue] = []
            let isValid = PackedRecord.decode(raw, into: &arena, values: &values)
            demand(isValid || values.isEmpty, "a damaged record left values behind")
            for value in values { _ = arena[value.value] }
            readCells(raw)
            _ = KeyBlock.items(raw)
            _ = KeyBlock.values(of: 1, in: raw, limit: 8)
            _ = OpenLibraryKey(raw)
            try? JSONReader.read(bytes) { (reader) throws(JSONReadError) in
                try reader.skip()
                try reader.finish()
            }
        }
        let outcomes = PackedOutcomes.records(bytes)
        demand(outcomes.allSatisfy { $0.row >= 0 && $0.line >= 0 }, "a row or line is negative")
        _ = Deflated.unpack(bytes)
        _ = CoverImage(bytes)
        try? XMLDocument(bytes).forEachEvent { _, _ in }
        let text = String(decoding: bytes, as: UTF8.self)
        _ = StoredSeries.read(text)
        readJobs(bytes, text)
        readLimits(bytes)
    }

    /// State from which a later process continues: the progress of a job or build, and its options.
    private static func readJobs(_ bytes: [UInt8], _ text: String) {
        if let checkpoint = CatalogCheckpoint(json: text) {
            demand(CatalogCheckpoint(json: checkpoint.json) == checkpoint, "a checkpoint is not read back")
        }
        if JobOptions(json: text) != nil { readBack(JobOptions.self, bytes) }
        if JobRunState(json: text) != nil { readBack(JobRunState.self, bytes) }
        readBack([SourceFingerprint].self, bytes)
        readBack([ReviewCandidate].self, bytes)
        readBack(ImportOptions.self, bytes)
    }

    private static func readBack<Value: Codable & Equatable>(_ type: Value.Type, _ bytes: [UInt8]) {
        guard let value = try? JSONDecoder().decode(type, from: Data(bytes)) else { return }
        let again = (try? JSONEncoder().encode(value)).flatMap { try? JSONDecoder().decode(type, from: $0) }
        demand(again == value, "\(type) is not read back")
    }

    /// The state of a service's limits that processes share, eight bytes for each number, and what calls make of it.
    private static func readLimits(_ bytes: [UInt8]) {
        let numbers = bytes.withUnsafeBytes { raw in
            stride(from: 0, to: raw.count / 8 * 8, by: 8).map {
                Int64(littleEndian: raw.loadUnaligned(fromByteOffset: $0, as: Int64.self))
            }
        }
        guard var state = LimiterState(numbers: numbers) else { return }
        demand(LimiterState(numbers: state.numbers) == state, "the state of a limiter is not read back")
        let limits = ServiceLimits(
            rate: .init(perSecond: 1, burst: 2), concurrency: 2, quota: .init(calls: 9))
        let endings: [LimiterState.Ending] = [
            .answered, .failed, .throttled(pause: nil), .quotaSpent, .inconclusive,
        ]
        for (index, byte) in bytes.prefix(endings.count).enumerated() {
            // Some time in this century.
            let now = 1_000_000_000_000_000 + Int64(byte) * 8_000_000_000_000
            guard case .go(let lease) = state.admit(cost: 1, at: now, limits: limits) else { continue }
            state.finish(lease, endings[index], at: now + 1, limits: limits)
        }
    }

    private static func readCells(_ raw: UnsafeRawBufferPointer) {
        let cells = PackedCells.cells(raw, keptApart: "")
        for index in cells.indices { _ = PackedCells.range(of: index, in: raw) }
        var written: [UInt8] = []
        PackedCells.append(raw, replacing: [:], to: &written)
        demand(written.count <= raw.count, "cells grew")
    }
}
