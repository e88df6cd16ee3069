import Foundation
import Glibc
import System
import TestSupport
import Testing

@testable import Vectors

@Suite struct VectorFileTests {
    private let folder: TemporaryFolder
    private let model = VectorModel(name: "tiny", revision: "1", dimension: 40, source: "/models/tiny")

    /// - Throws: If there is no folder for temporary files.
    init() throws { folder = try TemporaryFolder() }

    private var path: String { folder.file("store.vectors") }

    /// Vectors of length 1 that are the same in every run.
    private func vectors(_ count: Int, seed: UInt64 = 1) -> [[Float]] {
        var state = seed
        return (0..<count).map { _ in
            var vector = (0..<40).map { _ -> Float in
                state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
                return Float(Int32(truncatingIfNeeded: state >> 32)) / Float(Int32.max)
            }
            UnitVector.normalize(&vector)
            return vector
        }
    }

    private func items(_ range: ClosedRange<Int64>) -> [VectorItem] {
        range.map { VectorItem(id: $0, key: UInt64($0) * 3, text: UInt64($0) * 7) }
    }

    private func fill(_ count: Int, batch: Int = 700) throws -> [[Float]] {
        let all = vectors(count)
        let writer = try VectorWriter(path, model)
        for first in stride(from: 0, to: count, by: batch) {
            let end = min(first + batch, count)
            try writer.append(items(Int64(first + 1)...Int64(end)), Array(all[first..<end].joined()))
        }
        try writer.finish()
        return all
    }

    private func message(_ body: () throws -> Void) -> String? {
        do {
            try body()
            return nil
        } catch {
            return (error as? ETLError)?.message
        }
    }

    @Test func `the nearest rows are those that exact numbers give`() throws {
        let all = try fill(2_500)
        let file = try VectorFile(path)
        #expect(file.rowCount == 2_500 && file.model == model)
        var found = 0
        for query in vectors(10, seed: 99) {
            let cosines = all.map { cosine($0, query) }
            let exact = cosines.indices.sorted { cosines[$0] > cosines[$1] }.prefix(10)
            let hits = file.nearest(to: query, atMost: 10)
            #expect(hits.count == 10 && hits.map(\.cosine) == hits.map(\.cosine).sorted(by: >))
            found += Set(exact).intersection(hits.map(\.row)).count
            for hit in hits { #expect(abs(hit.cosine - cosine(all[hit.row], query)) < 0.001) }
        }
        #expect(found >= 99, "recall at 10")
        #expect(file.nearest(to: all[2_321], atMost: 1).first?.item == items(2_322...2_322)[0])
        #expect(file.row(of: 2_322) == 2_321 && file.row(of: 6_000) == nil)
        #expect(cosine(try #require(file.vector(at: 17)), all[17]) > 0.9999)
    }

    private func cosine(_ a: [Float], _ b: [Float]) -> Float { zip(a, b).reduce(0) { $0 + $1.0 * $1.1 } }

    @Test func `only the items that are asked for are found`() throws {
        let all = try fill(5_000)
        let file = try VectorFile(path)
        let ids: Set<Int64> = [3, 4_999, 9_999]
        #expect(file.nearest(to: all[0], atMost: 10, among: ids).map(\.item.id).sorted() == [3, 4_999])
    }

    @Test func `removed rows are overwritten, and damaged ones are not found`() throws {
        let all = try fill(3)
        let writer = try VectorWriter(path, model)
        let row = VectorLayout(dimension: 40).offset(of: .halves, row: 0)
        try writer.remove([0])
        let bytes = try Data(contentsOf: URL(fileURLWithPath: path))
        #expect(bytes[row..<row + 80].allSatisfy { $0 == 0 })
        var damaged = bytes
        // Halves that are infinite.
        for place in stride(from: row + 80, to: row + 160, by: 2) {
            (damaged[place], damaged[place + 1]) = (0, 0x7C)
        }
        try damaged.write(to: URL(fileURLWithPath: path))
        let file = try VectorFile(path)
        #expect(file.nearest(to: all[1], atMost: 3).map(\.item.id) == [3])
        #expect(file.vector(at: 0) == nil && file.vector(at: 1) == nil && file.vector(at: 2) != nil)
    }

    @Test func `a file of something else is not written, and no link is followed`() throws {
        try Data("notes".utf8).write(to: URL(fileURLWithPath: path))
        #expect(message { _ = try VectorWriter(path, model) }?.contains("is not a vector file") == true)
        let link = path + ".link"
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: path)
        #expect(message { _ = try VectorWriter(link, model) }?.contains("is a symbolic link") == true)
        #expect(try String(contentsOfFile: path, encoding: .utf8) == "notes")
    }

    @Test func `the vectors of another model that are not complete can be removed, unless they are written`()
        throws
    {
        _ = try fill(2)
        let other = VectorModel(name: "tiny", revision: "2", dimension: 40, source: "/models/tiny")
        let writer = try VectorWriter(path, other)
        try VectorWriter.removeUnfinished(path)
        #expect(FileManager.default.fileExists(atPath: path + ".next"))
        _ = consume writer
        try VectorWriter.removeUnfinished(path)
        #expect(!FileManager.default.fileExists(atPath: path + ".next"))
        try VectorWriter.removeUnfinished(path)
    }

    @Test func `a query of another dimension, one without a direction, and one for nothing find nothing`()
        throws
    {
        _ = try fill(10)
        let file = try VectorFile(path)
        #expect(file.nearest(to: [Float](repeating: 0, count: 40), atMost: 5).isEmpty)
        #expect(file.nearest(to: [1, 0], atMost: 5).isEmpty)
        #expect(file.nearest(to: vectors(1)[0], atMost: 0).isEmpty)
        #expect(file.nearest(to: vectors(1)[0], atMost: .max).count == 10)
    }

    @Test func `a replaced row is deleted, for those who have the file open too`() throws {
        let all = try fill(10)
        let before = try VectorFile(path)
        let writer = try VectorWriter(path, model)
        let known = try writer.items()
        #expect(known.count == 10 && known[3].item == items(4...4)[0])
        try writer.append(
            [VectorItem(id: 4, key: 12, text: 5)], vectors(1, seed: 7)[0], replacing: [known[3].row])
        try writer.remove([known[0].row])
        #expect(writer.liveCount == 9)
        let after = try VectorFile(path)
        #expect(after.rowCount == 11 && after.generation > before.generation)
        #expect(after.nearest(to: all[3], atMost: 20).count == 9)
        #expect(after.item(at: 3) == nil && after.item(at: 10)?.text == 5)
        #expect(before.nearest(to: all[3], atMost: 20).allSatisfy { $0.item.id != 4 && $0.item.id != 1 })
    }

    @Test func `a process that was killed between two steps leaves a file that is right`() throws {
        let all = try fill(3)
        // The row was added, but the one it replaces was not removed.
        let writer = try VectorWriter(path, model)
        try writer.append([VectorItem(id: 2, key: 6, text: 5)], all[2])
        // Rows behind those that the header counts.
        let again = try FileHandle(forUpdating: URL(fileURLWithPath: path))
        let size = try again.seekToEnd()
        try again.write(contentsOf: Data(repeating: 7, count: 100))
        #expect(size > 0)
        try again.close()
        #expect(message { _ = try VectorWriter(path, model) } == "Another process is writing `\(path)`.")
        _ = consume writer
        let next = try VectorWriter(path, model)
        #expect(next.liveCount == 3)
        #expect(try (0..<3).map { try next.items()[$0].item.text } == [7, 5, 21])
    }

    @Test func `a file of which most rows are deleted is written again`() throws {
        let all = try fill(3_000)
        let writer = try VectorWriter(path, model)
        try writer.remove(Array(0..<2_500))
        try writer.finish()
        let file = try VectorFile(path)
        #expect(file.rowCount == 500)
        #expect(file.nearest(to: all[2_750], atMost: 1).first?.item == items(2_751...2_751)[0])
        #expect(!FileManager.default.fileExists(atPath: path + ".next"))
    }

    @Test func `vectors of another model replace the old ones when they are complete`() throws {
        let all = try fill(5)
        let other = VectorModel(name: "tiny", revision: "2", dimension: 40, source: "/models/tiny")
        let writer = try VectorWriter(path, other)
        #expect(writer.liveCount == 0)
        try writer.append(items(1...2), Array(all[0..<2].joined()))
        #expect(try VectorFile(path).model == model, "until then the old ones are searched")
        _ = consume writer
        let next = try VectorWriter(path, other)
        #expect(next.liveCount == 2, "it goes on where it was")
        try next.finish()
        #expect(try VectorFile(path).model == other)
    }

    @Test(arguments: [0, 1, 100, 4_095, 4_096, 5_000])
    func `a file that was cut off is refused, and written anew`(length: Int) throws {
        _ = try fill(5)
        #expect(truncate(path, off_t(length)) == 0)
        #expect(message { _ = try VectorFile(path) }?.hasPrefix("`\(path)` is damaged") == true)
        let writer = try VectorWriter(path, model)
        #expect(writer.liveCount == 0)
        try writer.append(items(1...1), vectors(1)[0])
        try writer.finish()
        #expect(try VectorFile(path).rowCount == 1)
    }

    @Test(arguments: [0, 5, 9, 17, 30, 65, 69, 130, 4_000, 4_090])
    func `any changed byte of the header is noticed`(place: Int) throws {
        _ = try fill(5)
        var bytes = try Data(contentsOf: URL(fileURLWithPath: path))
        bytes[place] ^= 0x41
        try bytes.write(to: URL(fileURLWithPath: path))
        #expect(message { _ = try VectorFile(path) } != nil)
    }

    @Test func `long names are cut at a character`() throws {
        let source = String(repeating: "/päth", count: 1_000)
        let long = VectorModel(
            name: String(repeating: "ü", count: 400), revision: "", dimension: 40, source: source)
        let writer = try VectorWriter(path, long)
        try writer.finish()
        let file = try VectorFile(path)
        #expect(file.model == long && long.name.count == 256 && source.hasPrefix(long.source))
    }
}
