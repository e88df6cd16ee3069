import TestSupport
import Testing

@testable import Store

@Suite struct RowSetTests {
    @Test(arguments: [1_000, 200_000, 1 << 33])
    func `a set of rows contains what was inserted`(largest: Int64) {
        var random = SeededGenerator(seed: 5)
        var set = RowSet()
        var model: Set<Int64> = []
        for _ in 0..<400 {
            let id = Int64.random(in: 0...largest, using: &random)
            set.insert(id)
            model.insert(id)
        }
        #expect(set.count == model.count)
        for id in model {
            for near in [id - 65_536, id - 64, id - 1, id, id + 1, id + 64, id + 65_536] {
                #expect(set.contains(near) == model.contains(near))
            }
        }
        var visited: [Int64] = []
        set.visit { visited.append($0) }
        #expect(visited == model.sorted())
    }

    @Test func `ids that no row can have are never in a set`() {
        var set = RowSet()
        for id in [-1, .min, .max, StoredIDs.maxRow + 1, 1 << 45] {
            set.insert(id)
            #expect(!set.contains(id))
        }
        #expect(set.count == 0)
    }
}
