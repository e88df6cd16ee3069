import Application
import Bytes
import Syntax

@testable import Books
@testable import Database

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
    }

    private static func readCells(_ raw: UnsafeRawBufferPointer) {
        let cells = PackedCells.cells(raw, keptApart: "")
        for index in cells.indices { _ = PackedCells.range(of: index, in: raw) }
        var written: [UInt8] = []
        PackedCells.append(raw, replacing: [:], to: &written)
        demand(written.count <= raw.count, "cells grew")
    }
}
