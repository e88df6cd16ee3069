import TestSupport
import Testing

@testable import Database

@Suite struct DatabaseImageRemovalTests {
    private static let tables = [
        ImageWriter.Table(name: "a", sql: "CREATE TABLE a(id INTEGER PRIMARY KEY, word TEXT)"),
        ImageWriter.Table(
            name: "b", sql: "CREATE TABLE b(id INTEGER PRIMARY KEY, word TEXT)",
            emptyIndex: ("words", "CREATE INDEX words ON b(word) WHERE word = 'never'")),
        ImageWriter.Table(name: "c", sql: "CREATE TABLE c(id INTEGER PRIMARY KEY, word TEXT)"),
    ]

    /// An image whose tables all have a row for each id, some of them hundreds of bytes long.
    private static func image(_ ids: [Int64]) -> DatabaseImage {
        var writer = ImageWriter(tables)
        let word = Array(String(repeating: "word ", count: 120).utf8)
        word.withUnsafeBytes { word in
            for id in ids {
                for table in tables.indices {
                    writer.begin(table, id: id)
                    writer.add(
                        text: UnsafeRawBufferPointer(rebasing: word[..<(1 + Int(id % 600 + 600) % 600)]))
                }
                _ = writer.commit()
            }
        }
        return writer.finish()
    }

    /// Copies the image's tables into a database and returns the ids that arrived.
    private static func copied(_ image: DatabaseImage) throws -> [[Int64]] {
        let folder = try TemporaryFolder()
        let connection = try Connection(folder.file("main.sqlite"), .create)
        for table in tables {
            try connection.execute(table.sql)
            if let index = table.emptyIndex { try connection.execute(index.sql) }
        }
        try connection.attach(image)
        let found = try tables.map { table in
            try connection.execute("INSERT INTO main.\(table.name) SELECT * FROM image.\(table.name)")
            let rows = try connection.prepare("SELECT id, length(word) FROM main.\(table.name) ORDER BY id")
            var ids: [Int64] = []
            while try rows.next() {
                ids.append(rows.integer(0))
                #expect(rows.integer(1) == 1 + (rows.integer(0) % 600 + 600) % 600)
            }
            return ids
        }
        #expect(try connection.string("PRAGMA main.integrity_check") == "ok")
        return found
    }

    private static func check(_ ids: [Int64], without gaps: [ClosedRange<Int64>]) throws {
        let image = image(ids)
        for root in ImageWriter.roots(of: tables).dropLast() { image.remove(gaps, fromRoot: root) }
        let found = try copied(image)
        let left = ids.filter { id in !gaps.contains { $0.contains(id) } }
        #expect(found == [left, left, ids])
    }

    @Test(arguments: [1, 2, 20, 400, 3_000])
    func `SQLite copies exactly the rows that were not removed`(count: Int) throws {
        var random = SeededGenerator(seed: UInt64(count))
        for share in [0, 3, 50, 97, 100] {
            var ids: [Int64] = []
            var gaps: [ClosedRange<Int64>] = []
            var next: Int64 = -400
            while ids.count < count {
                let run = Int64.random(in: 1...40, using: &random)
                let isGap = Int.random(in: 0..<100, using: &random) < share
                // Gaps extend beyond the rows and never touch each other.
                if isGap { gaps.append(next - 1...next + run) }
                ids += (next..<next + run)
                next += run + Int64.random(in: 3...1 << 30, using: &random)
            }
            try Self.check(ids, without: gaps)
        }
    }

    @Test func `whole leaves can be removed: the first, the last, all but one, all`() throws {
        let ids = Array(1...1_000 as ClosedRange<Int64>)
        for gap in [1...200, 800...1_000, 1...990, 11...1_000, 1...1_000, 300...320] as [ClosedRange<Int64>] {
            try Self.check(ids, without: [gap])
        }
        try Self.check(ids, without: [1...300, 310...990])
        try Self.check(ids, without: [])
        try Self.check([], without: [1...5])
        try Self.check([.min, -1, 0, 1, .max], without: [.min ... -1, .max ... .max])
    }

    @Test func `roots are the root pages of the image`() {
        #expect(ImageWriter.roots(of: Self.tables) == [2, 3, 5])
    }
}
