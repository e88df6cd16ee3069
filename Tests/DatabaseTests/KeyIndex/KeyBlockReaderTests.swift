import TestSupport
import Testing

@testable import Database

@Suite struct KeyBlockReaderTests {
    private let connection: Connection

    init() throws {
        connection = try Connection(":memory:", .create)
        try connection.execute("CREATE TABLE numbers\(KeyBlockWriter.columns)")
    }

    private func write(_ items: [KeyBlock.Item]) throws -> KeyBlockReader {
        var writer = try KeyBlockWriter(connection, table: "numbers")
        for item in items { try writer.append(item) }
        try writer.finish()
        #expect(writer.count == items.count)
        return try KeyBlockReader(connection, table: "numbers")
    }

    @Test(arguments: [1, 499, 500, 501, 1_700])
    func `every key is found with all its values and no others`(keys: Int) throws {
        var random = SeededGenerator(seed: UInt64(keys))
        var items: [KeyBlock.Item] = []
        var key = Int64.min
        for _ in 0..<keys {
            for value in 0..<Int64.random(in: 1...3, using: &random) { items.append((key, value)) }
            key += Int64.random(in: 2...1_000_000, using: &random)
        }
        let reader = try write(items)
        for (key, values) in Dictionary(grouping: items, by: \.key) {
            #expect(try reader.values(of: key) == values.map(\.value))
            #expect(try reader.values(of: key + 1) == [])
        }
        #expect(try reader.values(of: .max) == [])
    }

    @Test func `the values of a key are in one block, however many there are`() throws {
        let many = (0..<1_300).map { KeyBlock.Item(key: 7, value: Int64($0)) }
        let reader = try write([(6, 0)] + many + [(8, 1)])
        #expect(try reader.values(of: 7) == many.map(\.value))
        #expect(try reader.values(of: 7, limit: 3) == [0, 1, 2])
        #expect(try reader.values(of: 6) == [0])
        #expect(try reader.values(of: 8) == [1])
        #expect(try connection.integer("SELECT count(*) FROM numbers") == 2)
    }

    @Test func `only the lowest values of a key are kept up to the limit`() throws {
        var writer = try KeyBlockWriter(connection, table: "numbers", valuesOfKey: 3)
        for item in [(1, 1), (2, 0), (2, 1), (2, 2), (2, 3), (2, 4), (3, 9)] as [KeyBlock.Item] {
            try writer.append(item)
        }
        try writer.finish()
        let reader = try KeyBlockReader(connection, table: "numbers")
        #expect(try reader.values(of: 2) == [0, 1, 2])
        #expect(try reader.values(of: 3) == [9])
        #expect(writer.count == 5)
    }

    @Test func `an empty table has no values`() throws {
        #expect(try write([]).values(of: 0) == [])
    }

    @Test func `all keys are visited in order`() throws {
        let items = (0..<1_234).map { KeyBlock.Item(key: Int64($0 / 3), value: Int64($0 % 3)) }
        _ = try write(items)
        var visited: [KeyBlock.Item] = []
        try KeyBlockReader.visit("numbers", in: connection) { visited.append($0) }
        #expect(visited.map { [$0.key, $0.value] } == items.map { [$0.key, $0.value] })
    }

    @Test func `a truncated block yields the complete keys before the cut`() throws {
        let block = KeyBlock.encode([(1, 10), (2, 20)])
        let insert = try connection.prepare("INSERT INTO numbers VALUES (1, ?)")
        insert.bind(1, blob: Array(block.dropLast(3)))
        try insert.run()
        let reader = try KeyBlockReader(connection, table: "numbers")
        #expect(try reader.values(of: 1) == [10])
        #expect(try reader.values(of: 2) == [])
    }
}
