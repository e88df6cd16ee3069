import TestSupport
import Testing

@testable import Database

@Suite struct BloomFilterTests {
    @Test(arguments: [1, 64, 4_096, 1 << 20])
    func `no key that came is ever called absent, however small the filter`(bytes: Int) {
        var random = SeededGenerator(seed: UInt64(bytes))
        let filter = BloomFilter(bytes: bytes)
        let keys = (0..<10_000).map { _ in random.next() } + [0, 1, .max]
        for key in keys { filter.insert(key) }
        #expect(keys.allSatisfy { !filter.isAbsent($0) })
    }

    @Test func `a filter that nothing came to calls every key absent`() {
        let filter = BloomFilter(bytes: 4_096)
        #expect(filter.isAbsent(0))
        #expect(filter.isAbsent(.max))
    }

    @Test func `at ten bits a key, one absent key in fifty is looked up in vain at the most`() {
        var random = SeededGenerator(seed: 5)
        let filter = BloomFilter(bytes: 1 << 16)
        for _ in 0..<52_000 { filter.insert(random.next()) }
        let vain = (0..<100_000).count { _ in !filter.isAbsent(random.next()) }
        #expect(vain < 2_000)
    }
}
