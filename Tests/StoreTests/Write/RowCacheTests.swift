import TestSupport
import Testing

@testable import Database
@testable import Store

@Suite struct RowCacheTests {
    private struct Row: CachedRow, Equatable {
        var value: Int
        var byteCount: Int { 100 }
    }

    /// Reads, changes, removes and writes at random, compared with a dictionary of the rows on disk.
    @Test(arguments: [0, 3_000, 1 << 20])
    func `it returns what was last read or changed, and writes it in order`(bytes: Int) {
        var random = SeededGenerator(seed: UInt64(bytes))
        var cache = RowCache<Row>(bytes: bytes)
        var disk = Dictionary(
            uniqueKeysWithValues: (1...200 as ClosedRange<Int64>).map { ($0, Row(value: 0)) })
        var current = disk
        func write() {
            var last: Int64 = 0
            cache.writeChanged { id, row in
                #expect(id > last)
                last = id
                disk[id] = row
            }
        }
        for step in 1...5_000 {
            let id = Int64.random(in: 1...200, using: &random)
            switch Int.random(in: 0..<100, using: &random) {
            case 0: write()
            case 1:
                cache.remove(id)
                disk[id] = nil
                current[id] = nil
            case 2..<30 where current[id] != nil:
                let row = Row(value: step)
                cache.change(id, row)
                current[id] = row
                if cache.isFull { write() }
            default: break
            }
            let known = cache.row(id)
            if let known { #expect(known == current[id]) } else { #expect(disk[id] == current[id]) }
            if known == nil, let row = disk[id] { cache.keep(id, row) }
        }
        write()
        #expect(disk == current)
    }

    @Test func `changed rows may use half of the memory`() {
        var cache = RowCache<Row>(bytes: 40_000)
        var count: Int64 = 0
        while !cache.isFull {
            count += 1
            cache.change(count, Row(value: 1))
        }
        // A row takes 100 bytes, and its place in the cache about 60.
        #expect((80...200).contains(count))
    }

    @Test func `rows in use stay in memory, and the others are dropped`() {
        var cache = RowCache<Row>(bytes: 30_000)
        cache.keep(1, Row(value: 1))
        for id in 2...1_000 as ClosedRange<Int64> {
            cache.keep(id, Row(value: 2))
            #expect(cache.row(1) == Row(value: 1))
        }
        #expect((2...1_000 as ClosedRange<Int64>).count { cache.row($0) != nil } < 300)
    }
}
