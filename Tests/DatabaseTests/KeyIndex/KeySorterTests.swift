import TestSupport
import Testing

@testable import Database

@Suite struct KeySorterTests {
    private let connection: Connection

    init() throws { connection = try Connection(":memory:", .create) }

    private func sorted(_ items: [KeyBlock.Item], maxWaiting: Int) throws -> [KeyBlock.Item] {
        let sorter = KeySorter(connection, name: "numbers", maxWaiting: maxWaiting)
        for item in items { try sorter.add(item.key, item.value) }
        var all: [KeyBlock.Item] = []
        try sorter.finish { all.append($0) }
        return all
    }

    /// Few distinct keys, so that many have several values, and many duplicates.
    private static func items(_ count: Int, seed: UInt64) -> [KeyBlock.Item] {
        var random = SeededGenerator(seed: seed)
        return (0..<count).map { _ in
            (
                [Int64.min, -1, 0, 1, .max, Int64.random(in: -40...40, using: &random)]
                    .randomElement(using: &random) ?? 0,
                Int64.random(in: -3...3, using: &random)
            )
        }
    }

    private static func expected(_ items: [KeyBlock.Item]) -> [[Int64]] {
        Set(items.map { [$0.key, $0.value] }).sorted { ($0[0], $0[1]) < ($1[0], $1[1]) }
    }

    @Test(arguments: [1, 2, 7, 100, 1_000, 5_000])
    func `items come out sorted and without duplicates, however little fits in memory`(maxWaiting: Int) throws
    {
        let items = Self.items(2_000, seed: UInt64(maxWaiting))
        let result = try sorted(items, maxWaiting: maxWaiting)
        #expect(result.map { [$0.key, $0.value] } == Self.expected(items))
    }

    @Test func `an open query on the connection does not disturb sorting`() throws {
        try connection.execute("CREATE TABLE rows(id); INSERT INTO rows VALUES (1), (2), (3)")
        let open = try connection.prepare("SELECT id FROM rows ORDER BY id")
        #expect(try open.next())
        #expect(try sorted([(3, 0), (1, 0), (2, 0)], maxWaiting: 1).map(\.key) == [1, 2, 3])
        #expect(try sorted([(5, 0), (4, 0)], maxWaiting: 1).map(\.key) == [4, 5])
        #expect(try open.next())
    }

    @Test func `an empty sorter yields nothing`() throws {
        #expect(try sorted([], maxWaiting: 1).isEmpty)
    }

    @Test func `a finished sorter is empty and its name can be reused`() throws {
        let sorter = KeySorter(connection, name: "numbers", maxWaiting: 2)
        for key in [5, 3, 4, 1, 2] { try sorter.add(Int64(key), 0) }
        var first: [Int64] = []
        try sorter.finish { first.append($0.key) }
        #expect(first == [1, 2, 3, 4, 5])
        try sorter.finish { first.append($0.key) }
        #expect(first.count == 5)
        #expect(try sorted([(9, 9), (8, 8), (7, 7)], maxWaiting: 1).map(\.key) == [7, 8, 9])
    }
}

@Suite struct KeyOrderTests {
    @Test(arguments: [Int64.min...Int64.max, 0...Int64.max, -3...3, 0...5_000, 7...7])
    func `keys of any distribution are sorted`(keys: ClosedRange<Int64>) {
        var random = SeededGenerator(seed: UInt64(bitPattern: keys.upperBound &- keys.lowerBound))
        for count in [0, 1, 2, 1_000, 8_191, 8_192, 20_000] {
            var items: [KeyBlock.Item] = (0..<count).map { _ in
                (Int64.random(in: keys, using: &random), Int64.random(in: -9...9, using: &random))
            }
            let expected = items.sorted(by: <)
            KeyOrder.sort(&items)
            #expect(items.elementsEqual(expected, by: ==))
        }
    }

    @Test func `the lowest and highest possible keys are at the ends`() {
        var items: [KeyBlock.Item] = (0..<9_000).map { ($0 % 3 == 0 ? .min : $0 % 3 == 1 ? .max : 0, -$0) }
        KeyOrder.sort(&items)
        #expect(items.first.map { $0 == (.min, -8_997) } == true)
        #expect(items.last.map { $0 == (.max, -1) } == true)
    }
}
